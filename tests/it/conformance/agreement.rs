//! How well the forecast agrees with observations of single skills: the share of fates, and of shown names and
//! descriptions. No difference is allowed for here.
//!
//! It compares the committed cases. `CONFORMANCE_SKILLS` and `CONFORMANCE_OBSERVED` name other skills and what the runner
//! observed of them: `conformance/run --skills PATH --compare` sets both.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::conformance::cells::{Cells, Different};
use crate::conformance::observation::{self, Observation};

/// Agreement of one runtime.
pub(crate) struct Agreement {
    pub(crate) runtime: String,
    version: String,
    skills: usize,
    fates: Share,
    texts: Share,
    different: Vec<Different>,
}

struct Share {
    agree: usize,
    of: usize,
}

/// Returns the directory of the skills, and that of the observations.
pub(crate) fn directories() -> (PathBuf, PathBuf) {
    let chosen = |name: &str, default: &str| {
        std::env::var_os(name).map_or_else(|| observation::directory().join(default), PathBuf::from)
    };
    (chosen("CONFORMANCE_SKILLS", "cases/skills"), chosen("CONFORMANCE_OBSERVED", "observed"))
}

impl Agreement {
    pub(crate) fn of(observation: &Observation, cells: Cells) -> Self {
        let (fates, texts) = (cells.named("fate"), cells.named("name"));
        let differ = |is_wanted: fn(&str) -> bool| {
            let cases = cells.different.iter().filter(|different| is_wanted(&different.cell));
            cases.map(|different| different.case.as_str()).collect::<BTreeSet<_>>().len()
        };
        let share = |of: usize, different: usize| Share { agree: of - different, of };
        Self {
            runtime: observation.runtime.clone(),
            version: observation.version.clone(),
            skills: observation.skills.len(),
            fates: share(fates, differ(|cell| cell == "fate")),
            texts: share(texts, differ(|cell| matches!(cell, "name" | "label" | "description"))),
            different: cells.different,
        }
    }

    /// Prints the shares, and each cell that differs.
    pub(crate) fn print(&self) {
        let Self { runtime, version, skills, fates, texts, different } = self;
        eprintln!("{runtime:12} {version:12} {skills} skills: fates {}, texts {}", fates.shown(), texts.shown());
        for Different { case, cell, what, is_loss } in different {
            eprintln!("  {case}: {cell}: {what}{}", if *is_loss { " (a loss)" } else { "" });
        }
    }

    /// Returns whether less than 99 % of the fates or of the texts agree.
    pub(crate) fn is_low(&self) -> bool {
        let is_loss = self.different.iter().any(|different| different.is_loss);
        is_loss || [&self.fates, &self.texts].into_iter().any(|share| share.agree * 100 < share.of * 99)
    }
}

impl Share {
    fn shown(&self) -> String {
        format!("{} of {} ({:.2} %)", self.agree, self.of, 100.0 * self.agree as f64 / self.of.max(1) as f64)
    }
}
