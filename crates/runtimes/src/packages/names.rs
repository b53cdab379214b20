//! The names under which packages give skills to a runtime.

use super::Package;
use crate::formats::Qualified;

impl Package {
    /// Returns the name that a runtime gives a skill of the package. `clashes` says whether another package has a skill of the name.
    pub fn qualified(&self, name: &str, clashes: bool) -> String {
        match self.rule.qualified {
            Qualified::Always => format!("{}:{name}", self.shown_name()),
            Qualified::Hyphenated => format!("{}:{}", self.shown_name(), name.replace('.', "-")),
            Qualified::OnClash if clashes => format!("{}:{name}", self.shown_name()),
            Qualified::Never | Qualified::OnClash => name.to_owned(),
        }
    }

    /// Returns whether every name is qualified, so that none clashes.
    pub fn is_always_qualified(&self) -> bool {
        matches!(self.rule.qualified, Qualified::Always | Qualified::Hyphenated)
    }

    /// Returns whether a name is qualified where two packages have it.
    pub fn is_qualified_on_clash(&self) -> bool {
        self.rule.qualified == Qualified::OnClash
    }

    /// Returns whether the later of two packages with a skill of one name keeps it.
    pub fn is_later_kept(&self) -> bool {
        self.rule.clash == Some(crate::profile::identity::Winner::Last)
    }
}
