//! threads.json: the skills that each thread of an agent binds, most recent first (AMACS, IMP-023).

use std::collections::BTreeSet;

use super::Fault;
use super::json::{Key, Value};
use crate::snapshot::File;
use skilltree_front_matter::text::{self, FileId, Place, Spanned};

mod edit;

pub use edit::{activate, bind, unbind};

/// Path of the file from the repository's root.
pub const THREADS: &str = ".agent/threads.json";

/// The key of the threads in the file.
const ALL: &str = "threads";

/// The key of the active thread's id, as AMACS names it.
const ACTIVE: &str = "active-thread";

/// The key of a thread's skills, as AMACS names it.
pub const BOUND: &str = "bound-skills";

/// The skills that threads bind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threads {
    /// The file.
    pub file: FileId,
    /// The id of the active thread; `None` if the file names none.
    pub active: Option<String>,
    /// The threads in the order of the file, each id once.
    pub threads: Vec<Thread>,
    /// Errors in the file, in its order.
    pub faults: Vec<Fault>,
}

/// A thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Its id.
    pub id: Spanned<String>,
    /// The skills that it binds, each once, most recent first.
    pub bound: Vec<Spanned<String>>,
}

impl Threads {
    /// Reads the file. Invalid parts are reported and skipped.
    pub fn read(id: FileId, file: &File) -> Self {
        match super::text(id, file) {
            Ok(text) => Self::parse(id, text),
            Err(fault) => Self { file: id, active: None, threads: Vec::new(), faults: vec![fault] },
        }
    }

    /// Reads the text of the file.
    pub fn parse(id: FileId, text: &str) -> Self {
        let mut reader = Reader { file: id, faults: Vec::new() };
        let (active, threads) = match Value::parse(text, 0) {
            Ok(value) => (reader.active(&value), reader.file(&value)),
            Err(mistake) => {
                reader.fault(mistake.range, format!("the file is not JSON: {}", mistake.message), "fix the JSON here");
                (None, Vec::new())
            }
        };
        Self { file: id, active, threads, faults: reader.faults }
    }

    /// Returns the thread with an id.
    pub fn find(&self, id: &str) -> Option<&Thread> {
        self.threads.iter().find(|thread| thread.id.value == id)
    }
}

/// Collects faults while reading.
struct Reader {
    file: FileId,
    faults: Vec<Fault>,
}

impl Reader {
    /// Returns the id of the active thread.
    fn active(&mut self, value: &Value<'_>) -> Option<String> {
        let members = value.members()?;
        let (_, value) = members.iter().find(|(key, _)| key.text == ACTIVE)?;
        let text = value.text().filter(|id| !id.trim().is_empty());
        if text.is_none() && value.kind() != "null" {
            let message = format!("`{ACTIVE}` is not the id of a thread");
            self.fault(value.range(), message, "write the id of a thread, or null");
        }
        text
    }

    fn file(&mut self, value: &Value<'_>) -> Vec<Thread> {
        let help = format!("write `{{\"{ALL}\": {{\"ID\": {{\"{BOUND}\": [\"NAME\"]}}}}}}`");
        let Some(members) = self.members(value, "the file", &help) else { return Vec::new() };
        let Some(threads) = self.member(&members, ALL) else {
            self.fault(value.range().start..value.range().start + 1, format!("the file has no `{ALL}`"), help);
            return Vec::new();
        };
        let Some(threads) = self.members(threads, &format!("`{ALL}`"), &help) else { return Vec::new() };
        self.once(&threads, "thread");
        let mut seen = BTreeSet::new();
        let first: Vec<_> = threads.iter().filter(|(key, _)| seen.insert(&key.text)).collect();
        first.into_iter().filter_map(|(key, value)| self.thread(key, value)).collect()
    }

    fn thread(&mut self, key: &Key, value: &Value<'_>) -> Option<Thread> {
        let help = format!("write `{{\"{BOUND}\": [\"NAME\"]}}`");
        let id = Spanned { value: key.text.clone(), place: Place::new(self.file, key.range.clone()) };
        if key.text.trim().is_empty() {
            self.fault(key.range.clone(), "a thread has no id", "give the thread an id");
        }
        let members = self.members(value, "a thread", &help)?;
        let Some(bound) = self.member(&members, BOUND) else { return Some(Thread { id, bound: Vec::new() }) };
        let Some(items) = bound.items() else {
            self.fault(bound.range(), format!("`{BOUND}` is {}, not a list", bound.kind()), help);
            return Some(Thread { id, bound: Vec::new() });
        };
        let mut seen = BTreeSet::new();
        let mut names = Vec::new();
        for item in items {
            let Some(name) = item.text() else {
                self.fault(
                    item.range(),
                    format!("a bound skill is {}, not a string", item.kind()),
                    "write the name of a skill",
                );
                continue;
            };
            if seen.insert(name.clone()) {
                names.push(Spanned { value: name, place: Place::new(self.file, item.range()) });
            } else {
                self.fault(item.range(), format!("`{}` is bound twice", shown(&name)), "remove this one");
            }
        }
        Some(Thread { id, bound: names })
    }

    /// Returns the members of an object; reports any other type.
    fn members<'a>(&mut self, value: &Value<'a>, what: &str, help: &str) -> Option<Vec<(Key, Value<'a>)>> {
        let members = value.members();
        if members.is_none() {
            self.fault(value.range(), format!("{what} is {}, not an object", value.kind()), help);
        }
        members
    }

    /// Returns the value of a key. Other keys are ignored, unless they look like a misspelling of this one.
    fn member<'m, 'a>(&mut self, members: &'m [(Key, Value<'a>)], wanted: &str) -> Option<&'m Value<'a>> {
        self.once(members, "key");
        let found = members.iter().find(|(key, _)| key.text == wanted).map(|(_, value)| value);
        if found.is_none() {
            for (key, _) in members.iter().filter(|(key, _)| text::nearest(&key.text, [wanted]).is_some()) {
                self.fault(
                    key.range.clone(),
                    format!("unknown key `{}`; did you mean `{wanted}`?", shown(&key.text)),
                    format!("write `{wanted}`"),
                );
            }
        }
        found
    }

    /// Reports duplicate keys: readers disagree on which value counts.
    fn once(&mut self, members: &[(Key, Value<'_>)], what: &str) {
        let mut seen = BTreeSet::new();
        for (key, _) in members.iter().filter(|(key, _)| !seen.insert(&key.text)) {
            let message = format!("duplicate {what} `{}`", shown(&key.text));
            self.fault(key.range.clone(), message, "remove one of the two");
        }
    }

    fn fault(&mut self, range: std::ops::Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        self.faults.push(Fault::new(Place::new(self.file, range), message, help));
    }
}

/// Formats a name for a message.
fn shown(name: &str) -> std::borrow::Cow<'_, str> {
    text::shortened(name, 64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (String, Vec<String>) {
        let threads = Threads::parse(FileId(0), text);
        let names = |thread: &Thread| thread.bound.iter().map(|name| name.value.clone()).collect::<Vec<_>>().join(",");
        let all: Vec<String> =
            threads.threads.iter().map(|thread| format!("{}={}", thread.id.value, names(thread))).collect();
        let fault = |fault: &Fault| format!("{} {}", text.get(fault.place.range()).unwrap_or("?"), fault.message);
        (all.join(" "), threads.faults.iter().map(fault).collect())
    }

    #[test]
    fn keeps_order_of_bound_skills() {
        let text = r#"{"threads": {"b": {"concern": {"x": 1}, "bound-skills": ["z", "a"]}, "a": {}}, "other": 1}"#;
        assert_eq!(read(text), ("b=z,a a=".to_owned(), Vec::new()));
        assert_eq!(read(r#"{"threads": {}}"#), (String::new(), Vec::new()));
    }

    #[test]
    fn reports_faults_at_their_places_and_keeps_the_rest() {
        let cases: [(&str, &str, &[&str]); 9] = [
            ("[]", "", &["[] the file is a list, not an object"]),
            ("{}", "", &["{ the file has no `threads`"]),
            (
                r#"{"thread": {}}"#,
                "",
                &[r#""thread" unknown key `thread`; did you mean `threads`?"#, "{ the file has no `threads`"],
            ),
            (
                r#"{"threads": {"a": {"bound_skills": ["x"]}}}"#,
                "a=",
                &[r#""bound_skills" unknown key `bound_skills`; did you mean `bound-skills`?"#],
            ),
            (
                r#"{"threads": {"a": {"bound-skills": ["x", 1, "x", null]}}}"#,
                "a=x",
                &[
                    "1 a bound skill is a number, not a string",
                    r#""x" `x` is bound twice"#,
                    "null a bound skill is null, not a string",
                ],
            ),
            (
                r#"{"threads": {"a": {}, "b": 1, "a": {"bound-skills": ["x"]}}}"#,
                "a=",
                &[r#""a" duplicate thread `a`"#, "1 a thread is a number, not an object"],
            ),
            (r#"{"threads": {"a": {"bound-skills": "x"}}}"#, "a=", &[r#""x" `bound-skills` is a string, not a list"#]),
            (r#"{"threads": {"": {}}}"#, "=", &[r#""" a thread has no id"#]),
            (r#"{"threads": {}"#, "", &["} the file is not JSON: eof while parsing an object"]),
        ];
        for (text, threads, faults) in cases {
            assert_eq!(
                read(text),
                (threads.to_owned(), faults.iter().map(|fault| (*fault).to_owned()).collect()),
                "{text}"
            );
        }
    }
}
