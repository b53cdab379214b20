//! threads.json: which skills each thread of an agent binds, the last one bound first (AMACS, IMP-023).

use std::collections::BTreeSet;

use super::Fault;
use super::json::{Key, Value};
use crate::snapshot::File;
use crate::text::{self, FileId, Place, Spanned};

mod edit;

pub use edit::{bind, unbind};

/// Where the file stands, from the repository's root.
pub const THREADS: &str = ".agent/threads.json";

/// The key of the threads in the file.
const ALL: &str = "threads";

/// The key of the skills of a thread, as AMACS calls it.
pub const BOUND: &str = "bound-skills";

/// The skills that threads bind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threads {
    /// The file.
    pub file: FileId,
    /// The threads in the order of the file, each id once.
    pub threads: Vec<Thread>,
    /// What is wrong with the file, in its order.
    pub faults: Vec<Fault>,
}

/// A thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Its id.
    pub id: Spanned<String>,
    /// The skills that it binds, each once, the last one bound first.
    pub bound: Vec<Spanned<String>>,
}

impl Threads {
    /// Reads the file. What is wrong in one place is left out, and the rest stands.
    pub fn read(id: FileId, file: &File) -> Self {
        match super::text(id, file) {
            Ok(text) => Self::parse(id, text),
            Err(fault) => Self { file: id, threads: Vec::new(), faults: vec![fault] },
        }
    }

    /// Reads the text of the file.
    pub fn parse(id: FileId, text: &str) -> Self {
        let mut reader = Reader { file: id, faults: Vec::new() };
        let threads = match Value::parse(text, 0) {
            Ok(value) => reader.file(&value),
            Err(mistake) => {
                reader.fault(
                    mistake.range,
                    format!("the file is not JSON: {}", mistake.message),
                    "mend the JSON at this place",
                );
                Vec::new()
            }
        };
        Self { file: id, threads, faults: reader.faults }
    }

    /// The thread of that id.
    pub fn find(&self, id: &str) -> Option<&Thread> {
        self.threads.iter().find(|thread| thread.id.value == id)
    }
}

/// Takes down what is wrong while it reads.
struct Reader {
    file: FileId,
    faults: Vec<Fault>,
}

impl Reader {
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
            self.fault(key.range.clone(), "a thread has no id", "name the thread");
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
                    format!("a bound skill is {}, not a text", item.kind()),
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

    /// The members of what has to be an object.
    fn members<'a>(&mut self, value: &Value<'a>, what: &str, help: &str) -> Option<Vec<(Key, Value<'a>)>> {
        let members = value.members();
        if members.is_none() {
            self.fault(value.range(), format!("{what} is {}, not an object", value.kind()), help);
        }
        members
    }

    /// The value of a key. Other keys are somebody else's, unless they look like a slip of this one.
    fn member<'m, 'a>(&mut self, members: &'m [(Key, Value<'a>)], wanted: &str) -> Option<&'m Value<'a>> {
        self.once(members, "key");
        let found = members.iter().find(|(key, _)| key.text == wanted).map(|(_, value)| value);
        if found.is_none() {
            for (key, _) in members.iter().filter(|(key, _)| text::nearest(&key.text, [wanted]).is_some()) {
                self.fault(
                    key.range.clone(),
                    format!("`{}` is not `{wanted}`", shown(&key.text)),
                    format!("write `{wanted}`"),
                );
            }
        }
        found
    }

    /// Says which keys stand twice: of two values one is read, and nobody can tell which.
    fn once(&mut self, members: &[(Key, Value<'_>)], what: &str) {
        let mut seen = BTreeSet::new();
        for (key, _) in members.iter().filter(|(key, _)| !seen.insert(&key.text)) {
            let message = format!("the {what} `{}` stands twice", shown(&key.text));
            self.fault(key.range.clone(), message, "remove one of the two");
        }
    }

    fn fault(&mut self, range: std::ops::Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        self.faults.push(Fault::new(Place::new(self.file, range), message, help));
    }
}

/// A name as a message quotes it.
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
    fn threads_bind_skills_in_their_order() {
        let text = r#"{"threads": {"b": {"concern": {"x": 1}, "bound-skills": ["z", "a"]}, "a": {}}, "other": 1}"#;
        assert_eq!(read(text), ("b=z,a a=".to_owned(), Vec::new()));
        assert_eq!(read(r#"{"threads": {}}"#), (String::new(), Vec::new()));
    }

    #[test]
    fn what_is_wrong_is_said_at_its_place_and_the_rest_stands() {
        let cases: [(&str, &str, &[&str]); 9] = [
            ("[]", "", &["[] the file is a list, not an object"]),
            ("{}", "", &["{ the file has no `threads`"]),
            (r#"{"thread": {}}"#, "", &[r#""thread" `thread` is not `threads`"#, "{ the file has no `threads`"]),
            (
                r#"{"threads": {"a": {"bound_skills": ["x"]}}}"#,
                "a=",
                &[r#""bound_skills" `bound_skills` is not `bound-skills`"#],
            ),
            (
                r#"{"threads": {"a": {"bound-skills": ["x", 1, "x", null]}}}"#,
                "a=x",
                &[
                    "1 a bound skill is a number, not a text",
                    r#""x" `x` is bound twice"#,
                    "null a bound skill is null, not a text",
                ],
            ),
            (
                r#"{"threads": {"a": {}, "b": 1, "a": {"bound-skills": ["x"]}}}"#,
                "a=",
                &[r#""a" the thread `a` stands twice"#, "1 a thread is a number, not an object"],
            ),
            (r#"{"threads": {"a": {"bound-skills": "x"}}}"#, "a=", &[r#""x" `bound-skills` is a text, not a list"#]),
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
