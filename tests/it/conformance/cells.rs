//! Cells of a comparison.

use std::collections::BTreeMap;
use std::fmt::Debug;

/// Compared cells of one runtime.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    /// Number of cells.
    pub(crate) count: usize,
    /// Number of cells by their name, such as `fate`.
    counts: BTreeMap<String, usize>,
    /// Cells that differ.
    pub(crate) different: Vec<Different>,
}

/// Cell that differs.
#[derive(Debug)]
pub(crate) struct Different {
    /// Case: `skills/NAME`, `trees/NAME`, `roots`, `precedence`, `budgets/COUNT MODEL`.
    pub(crate) case: String,
    /// Cell of the case.
    pub(crate) cell: String,
    /// The forecast and the observation.
    pub(crate) what: String,
    /// Whether the forecast says that a skill loads which the program drops: this is never allowed.
    pub(crate) is_loss: bool,
}

impl Cells {
    /// Compares a cell.
    pub(crate) fn add<T: Debug + PartialEq>(&mut self, case: &str, cell: &str, forecast: &T, observed: &T) -> bool {
        let agrees = forecast == observed;
        self.decide(case, cell, agrees, || format!("the forecast is {forecast:?}, observed was {observed:?}"));
        agrees
    }

    /// Counts a cell that agrees or differs.
    pub(crate) fn decide(&mut self, case: &str, cell: &str, agrees: bool, what: impl FnOnce() -> String) {
        self.count += 1;
        *self.counts.entry(cell.to_owned()).or_default() += 1;
        if !agrees {
            let (case, cell) = (case.to_owned(), cell.to_owned());
            self.different.push(Different { case, cell, what: what(), is_loss: false });
        }
    }

    /// Returns how many cells have a name.
    pub(crate) fn named(&self, cell: &str) -> usize {
        self.counts.get(cell).copied().unwrap_or(0)
    }

    /// Marks the last difference as a skill that loads in the forecast only.
    pub(crate) fn is_loss(&mut self) {
        self.different.last_mut().unwrap().is_loss = true;
    }
}
