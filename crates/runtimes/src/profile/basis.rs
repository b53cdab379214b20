//! How a profile was found out, and when.

use serde::Deserialize;

use super::{Kind, Profile};
use skilltree_skills::date;

/// Age in days from which output says that a profile is old.
const OLD: i64 = 90;

/// Version of a program, and a day.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct At {
    /// Version or commit; absent if it is not known.
    #[serde(default)]
    pub version: Option<String>,
    /// Day (`2026-11-22`) or month (`2026-11`).
    pub date: String,
}

/// How sure a profile is. `Display` writes it as in `Claude Code 2.1.330, observed 2026-11`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Basis {
    text: String,
    day: Option<i64>,
}

impl Basis {
    /// Returns the basis of a profile: what was observed, else what was read, else what is documented.
    pub fn of(profile: &Profile) -> Option<Self> {
        let kinds = [("observed", &profile.observed), ("read", &profile.read), ("documented", &profile.documented)];
        let (kind, at) = kinds.into_iter().find_map(|(kind, at)| Some((kind, at.as_ref()?)))?;
        let version = at.version.as_ref().map_or(String::new(), |version| format!(" {version}"));
        let month = at.date.get(..7).unwrap_or(&at.date);
        // A design is a text that does not change.
        let day = if profile.kind == Kind::Design { None } else { day(&at.date) };
        Some(Self { text: format!("{}{version}, {kind} {month}", profile.title), day })
    }

    /// Returns whether it is older than 90 days on a day, given in days since 1970.
    pub fn is_old(&self, today: i64) -> bool {
        self.day.is_some_and(|day| today - day > OLD)
    }

    /// Describes it, and says if it is older than 90 days today.
    pub fn describe(&self, today: Option<i64>) -> String {
        let old = today.is_some_and(|today| self.is_old(today));
        if old { format!("{self} (older than 90 days)") } else { self.to_string() }
    }
}

impl std::fmt::Display for Basis {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

/// Returns a day in days since 1970; of a month the first one.
fn day(text: &str) -> Option<i64> {
    date::parse(text).or_else(|| date::parse(&format!("{text}-01")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn basis(line: &str) -> Option<Basis> {
        Basis::of(&Profile::parse(&format!("id = 'x'\ntitle = 'X'\nabout = 'y'\n{line}")).unwrap())
    }

    #[test]
    fn names_version_kind_and_month() {
        let observed = basis("observed = { version = '1.2', date = '2026-05-20' }").unwrap();
        assert_eq!(observed.to_string(), "X 1.2, observed 2026-05");
        assert_eq!(basis("documented = { date = '2026-05' }").unwrap().to_string(), "X, documented 2026-05");
        assert_eq!(basis(""), None);
    }

    #[test]
    fn is_old_after_90_days() {
        let observed = basis("observed = { version = '1.2', date = '2026-05-20' }").unwrap();
        let on = |day| observed.describe(date::parse(day));
        assert_eq!(on("2026-08-18"), "X 1.2, observed 2026-05");
        assert_eq!(on("2026-08-19"), "X 1.2, observed 2026-05 (older than 90 days)");
        assert_eq!(observed.describe(None), "X 1.2, observed 2026-05");
        let design = basis("kind = 'design'\ndocumented = { date = '2026-05' }").unwrap();
        assert!(!design.is_old(date::parse("2028-05-01").unwrap()));
    }
}
