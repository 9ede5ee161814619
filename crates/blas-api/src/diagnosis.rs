//! What a backend finds on a machine, and what to do about what it does not.

use std::fmt;

use crate::{Device, Result};

/// What a backend finds on this machine, for a person to read: see [`Driver::diagnose`](crate::Driver::diagnose).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Diagnosis {
    /// What there is, as (what, found), in the order in which to read it. An entry may have several lines.
    pub facts: Vec<(String, String)>,
    /// What to do about what is missing, a sentence or more each.
    pub advice: Vec<String>,
}

impl Diagnosis {
    /// Adds a fact.
    pub fn fact(&mut self, what: impl Into<String>, found: impl Into<String>) {
        self.facts.push((what.into(), found.into()));
    }

    /// Adds the devices, or why there are none.
    pub fn devices(&mut self, devices: &Result<Vec<Device>>) {
        match devices {
            Ok(devices) => {
                for d in devices {
                    let mut about = vec![d.name.clone()];
                    about.extend((!d.arch.is_empty()).then(|| d.arch.clone()));
                    about.extend(d.memory.map(|m| format!("{:.1} GiB", m as f64 / (1u64 << 30) as f64)));
                    self.fact(d.id.to_string(), about.join(", "));
                }
            }
            Err(why) => self.fact("devices", why.to_string()),
        }
    }
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.facts.iter().map(|(what, _)| what.chars().count()).max().unwrap_or(0);
        for (what, found) in &self.facts {
            let found = found.replace('\n', &format!("\n{:1$}", "", width + 4));
            writeln!(f, "  {what:width$}  {found}")?;
        }
        for advice in &self.advice {
            writeln!(f, "  -> {advice}")?;
        }
        Ok(())
    }
}
