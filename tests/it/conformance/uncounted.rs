//! Values that are not counted, because nothing that the runner sees of a program depends on them.

use toml::{Table, Value};

use crate::conformance::observation::Observation;

/// Profile of an observation, whose values are counted or not.
pub(crate) struct Uncounted<'a> {
    pub(crate) loads: &'a Table,
    pub(crate) observation: &'a Observation,
}

/// Members of a profile by the start of their path, and why they are not counted.
const ANYWHERE: [(&str, &str); 8] = [
    ("loads.reports", "prose"),
    ("loads.without", "says what is absent"),
    ("loads.commands", "acts on the body of a skill in use"),
    ("loads.expands", "acts on the body of a skill in use"),
    ("loads.mentions", "acts on the text of a user"),
    ("loads.keys.known", "a key without an effect on the list"),
    ("loads.budget.reported", "reports about the list are not observed"),
    ("loads.files.loose", "skilltree reads files named SKILL.md"),
];
/// What a program without skills directories does not have.
const LAYOUT: [&str; 6] =
    ["loads.depth", "loads.files", "loads.links", "loads.roots", "loads.duplicates", "loads.identity.equal"];
/// Limits of what no case contains: plugins, mentions, thousands of directories, and more skills than are listed.
const OUT_OF_REACH: [&str; 5] = ["qualified-name", "mentioned-body", "directories", "entries", "skills"];

impl Uncounted<'_> {
    /// Returns why a mutation is not counted, if it is not.
    pub(crate) fn why(&self, what: &str) -> Option<&'static str> {
        let path = what.split(' ').next().unwrap_or(what);
        let listed = ANYWHERE.iter().find(|(start, _)| path.starts_with(start)).map(|(_, why)| *why);
        listed
            .or_else(|| self.unseen(path))
            .or_else(|| self.place(path))
            .or_else(|| self.limit(path))
            .or_else(|| self.in_use(path, what).then_some("acts on a skill in use"))
            .or_else(|| self.same_outcome(path, what).then_some("the next check has the same outcome"))
    }

    /// Returns whether a mutation changes only what a value does when the skill is used, such as the model: not its fate, nor what is
    /// reported or listed.
    fn in_use(&self, path: &str, what: &str) -> bool {
        let Some((field, check)) = path.strip_prefix("loads.fields.").and_then(|rest| rest.split_once('.')) else {
            return path.starts_with("loads.fields.") && what.ends_with(" removed");
        };
        let verdict = if check == "pattern" { "malformed" } else { check.trim_end_matches(".handling") };
        let verdict = value(self.loads, &format!("loads.fields.{field}.{verdict}"));
        let member = |key| verdict.and_then(|verdict| verdict.get(key)).and_then(Value::as_str);
        let is_change = member("handling") == Some("changes") && !what.ends_with("= \"drops\"");
        let is_silent = member("reported") == Some("nothing") || check != "pattern";
        !["name", "description", "when_to_use"].contains(&field)
            && !check.ends_with(".reported")
            && is_change
            && is_silent
    }

    /// Returns what the runner does not see of this program.
    fn unseen(&self, path: &str) -> Option<&'static str> {
        let last = path.rsplit('.').next().unwrap_or(path);
        let is_layout = || LAYOUT.iter().any(|start| path.starts_with(start));
        match last {
            "reported" if !self.observation.sees("reported") => Some("its reports are not observed"),
            _ if path == "loads.duplicates.loser" || path == "loads.duplicates.loser.handling" => {
                Some("`same-root` and `across-roots` say that it is dropped")
            }
            _ if path.ends_with("fallback-limit.of") || path.ends_with("fallback-limit.over-limit") => {
                Some("a substitute is always truncated")
            }
            _ if self.observation.trees.is_empty() && is_layout() => Some("it reads single skills"),
            _ if self.observation.list.is_none() && path.starts_with("loads.listing.") && !path.contains(".order") => {
                Some("its list is not observed")
            }
            _ => None,
        }
    }

    /// Returns why a searched directory is not counted.
    fn place(&self, path: &str) -> Option<&'static str> {
        let root = self.item("roots", path)?;
        let scope = root.get("scope").and_then(Value::as_str);
        match path.rsplit('.').next() {
            Some("in-prompt") => Some("a directory of the prompt block, not of the program"),
            Some("when") => Some("prose"),
            _ if root.contains_key("when") => Some("read under a condition that the runner does not create"),
            _ if matches!(scope, Some("system" | "bundled")) => Some("a directory of the machine"),
            _ => None,
        }
    }

    /// Returns why a limit is not counted.
    fn limit(&self, path: &str) -> Option<&'static str> {
        let of = self.item("limits", path)?.get("of")?.as_str()?;
        if OUT_OF_REACH.contains(&of) {
            return Some("a limit that no case reaches");
        }
        let pattern = value_of(self.loads, &["fields", "name", "pattern"]);
        let is_ascii = of == "name" && pattern.is_some_and(|pattern| pattern.contains("[a-z0-9"));
        (path.ends_with(".unit") && (of == "file" || is_ascii)).then_some("a quantity with one unit")
    }

    /// Returns the item of an array that a path leads to.
    fn item(&self, key: &str, path: &str) -> Option<&Table> {
        let (number, _) = path.strip_prefix("loads.")?.strip_prefix(key)?.strip_prefix('[')?.split_once(']')?;
        self.loads.get(key)?.as_array()?.get(number.parse::<usize>().ok()?)?.as_table()
    }

    /// Returns whether lines are read instead where a verdict of the YAML would apply.
    fn reads_lines(&self, verdict: &str) -> bool {
        let Some(repair) = self.loads.get("repair") else { return false };
        let is = |key: &str, word: &str| repair.get(key).and_then(Value::as_str) == Some(word);
        is("method", "read-lines") && (verdict == "loads.yaml.refused" || is("when", "not-a-mapping"))
    }

    /// Returns whether a later check drops what this one drops, with the same report, or whether two names for a source of the
    /// name differ only if a skill without a name loads.
    fn same_outcome(&self, path: &str, what: &str) -> bool {
        let field = |key: &str, check: &str| self.loads.get("fields")?.get(key)?.get(check);
        let verdict = path.trim_end_matches(".handling").trim_end_matches(".reported");
        let is_to_load = what.ends_with("= \"loads\"");
        let value = value(self.loads, verdict);
        let loads = value.and_then(|value| value.get("handling").unwrap_or(value).as_str()) != Some("drops");
        match verdict {
            "loads.fence.absent" | "loads.yaml.refused" | "loads.yaml.not-a-mapping" => {
                let is_dropped = |missing: &Value| missing.get("handling").unwrap_or(missing).as_str() == Some("drops");
                let is_next = |missing: &Value| value == Some(missing) || loads && is_dropped(missing);
                let reads_lines = verdict != "loads.fence.absent" && self.reads_lines(verdict);
                let mut missing = ["name", "description"].iter().filter_map(|key| field(key, "missing"));
                reads_lines || (loads || is_to_load) && missing.any(is_next)
            }
            // The text that is shown differs from the file either way.
            "loads.text.not-utf8" => is_to_load && loads,
            // What is no name matches no pattern of names.
            _ if verdict.starts_with("loads.fields.name.") => is_to_load && value == field("name", "malformed"),
            // Names are not compared, or differ in nothing that this changes.
            "loads.identity.equal" => {
                let keeps_all = |key: &str| value_of(self.loads, &["duplicates", key]) == Some("all");
                let pattern = value_of(self.loads, &["fields", "name", "pattern"]);
                keeps_all("same-root") && keeps_all("across-roots") || pattern.is_some_and(|it| it.contains("[a-z0-9"))
            }
            // `fields.name.missing` and `fields.name.fallback` say what happens without a name.
            "loads.identity.by" => !what.contains("= \"directory\""),
            _ => false,
        }
    }
}

/// Returns the value at a path of keys.
fn value<'a>(loads: &'a Table, path: &str) -> Option<&'a Value> {
    let mut steps = path.strip_prefix("loads.")?.split('.');
    let first = loads.get(steps.next()?)?;
    steps.try_fold(first, |value, step| value.get(step))
}

/// Returns the text at a path of keys.
fn value_of<'a>(loads: &'a Table, steps: &[&str]) -> Option<&'a str> {
    let (first, rest) = steps.split_first()?;
    rest.iter().try_fold(loads.get(*first)?, |value, step| value.get(step))?.as_str()
}
