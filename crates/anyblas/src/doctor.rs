//! What this build finds on this machine.

use std::fmt;

use blas_api::Diagnosis;

use crate::backends;

/// What [`doctor`] found. Its `Display` form is for people to read, and to send along with a question.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Report {
    /// Each backend of the build with its findings.
    pub backends: Vec<(&'static str, Diagnosis)>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
        writeln!(f, "anyblas {} on {os} {arch}", env!("CARGO_PKG_VERSION"))?;
        if self.backends.is_empty() {
            writeln!(f, "\nno backend is in this build; cargo features add them")?;
        }
        for (name, diagnosis) in &self.backends {
            write!(f, "\n{name}\n{diagnosis}")?;
        }
        Ok(())
    }
}

/// Looks at every backend of this build: which libraries were looked for and where, what was found, and what to do about
/// what was not.
///
/// ```
/// let report = anyblas::doctor();
/// println!("{report}");
/// ```
pub fn doctor() -> Report {
    Report { backends: backends().iter().map(|b| (b.name, b.diagnose())).collect() }
}
