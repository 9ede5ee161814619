//! The suite tested by itself: it must catch every one of a list of broken backends.

mod faults;

use std::fmt;

use blas_api::{Any, Handle, HostMemory, Routine};

use crate::properties;
use crate::suite::{Progress, run_cell, run_cells};
use crate::{Depth, Options};
use faults::Faulty;
pub use faults::{FAULTS, Fault};

/// What became of one broken backend.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Name of the fault.
    pub fault: &'static str,
    /// The routine that has it.
    pub routine: Routine,
    /// The first case that failed, or None: the fault survived.
    pub caught_by: Option<String>,
}

/// The result of a self-test.
#[derive(Clone, Debug)]
pub struct SelfTest {
    /// Failures of the backend without a fault. It has to pass, or catching the others would mean nothing.
    pub sound: Vec<String>,
    /// One for each routine of each fault.
    pub outcomes: Vec<Outcome>,
}

impl SelfTest {
    /// Whether the sound backend passes and every broken one is caught.
    pub fn ok(&self) -> bool {
        self.sound.is_empty() && self.survivors().next().is_none()
    }

    /// The faults that were not caught.
    pub fn survivors(&self) -> impl Iterator<Item = &Outcome> {
        self.outcomes.iter().filter(|o| o.caught_by.is_none())
    }
}

impl fmt::Display for SelfTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for o in &self.outcomes {
            match &o.caught_by {
                Some(case) => writeln!(f, "caught    {:<60} by {case}", o.fault)?,
                None => writeln!(f, "SURVIVED  {:<60} in {}", o.fault, o.routine)?,
            }
        }
        for failure in &self.sound {
            writeln!(f, "the backend fails without a fault: {failure}")?;
        }
        let survived = self.survivors().count();
        let caught = self.outcomes.len() - survived;
        writeln!(f, "{} broken backends: {caught} caught, {survived} survived", self.outcomes.len())?;
        write!(f, "{caught} passed, {} failed, 0 skipped", survived + self.sound.len())
    }
}

/// How many broken backends there are: one for each routine of each fault, since to catch a fault in one routine says
/// nothing of the others.
pub fn broken_backends() -> usize {
    FAULTS.iter().map(|f| f.routines.len()).sum()
}

/// Runs the quick suite on a sound backend and on each broken one, as far as the first failure.
///
/// `open` gives a fresh handle; `progress` is told of each outcome. The faults edit operands in place, so the backend
/// is one whose device memory is the host's.
pub fn self_test<B: HostMemory>(
    open: impl Fn() -> Handle<B>,
    progress: &mut dyn FnMut(&Outcome),
) -> SelfTest {
    let run = |handle: &Handle<Any>, routines: &[Routine]| {
        let options = Options { until_failure: true, routines: routines.to_vec(), ..Options::quick() };
        run_cells(handle, &options, &mut |_: Progress<'_>| {}, &mut |cell, deviations| {
            run_cell(handle, &options, cell, deviations)
        })
    };
    let sound = run(&open().erase(), Routine::ALL).failures().map(|f| f.id.clone()).collect();
    let mut outcomes = Vec::with_capacity(broken_backends());
    let broken = FAULTS.iter().flat_map(|fault| fault.routines.iter().map(move |&routine| (fault, routine)));
    for (fault, routine) in broken {
        let broken = open().layered(Faulty { fault, routine }).erase();
        let cells = run(&broken, &[routine]);
        // What needs sizes or numbers beyond those of cells, the properties have.
        let caught_by = cells.failures().next().map(|f| f.id.clone()).or_else(|| {
            let properties = properties::run(&broken, None, Depth::Quick, None);
            properties.results.into_iter().find(|r| r.failed > 0).map(|r| format!("property {}", r.id))
        });
        let outcome = Outcome { fault: fault.name, routine, caught_by };
        progress(&outcome);
        outcomes.push(outcome);
    }
    SelfTest { sound, outcomes }
}

#[cfg(test)]
mod tests {
    use super::FAULTS;

    #[test]
    fn faults_have_names_of_their_own() {
        let mut names: Vec<_> = FAULTS.iter().map(|f| f.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), FAULTS.len());
        assert!(names.len() >= 40);
    }
}
