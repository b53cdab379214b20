//! The text of one manifest.

use std::collections::BTreeSet;
use std::ops::Range;

use bstr::{BStr, BString, ByteSlice};
use serde_json::Value;

use crate::roots;
use crate::snapshot::{ManifestFault, ManifestProblem};
use crate::source::{expand, store};
use crate::text;

/// Maximum faults of one manifest that are reported (ours: 20).
const FAULTS: usize = 20;

/// Reads one manifest.
pub(super) struct Reading<'a> {
    /// The directory that its paths are relative to.
    base: &'a BStr,
    text: &'a [u8],
    named: &'a mut BTreeSet<BString>,
    faults: Vec<ManifestFault>,
}

impl<'a> Reading<'a> {
    pub(super) fn new(base: &'a BStr, text: &'a [u8], named: &'a mut BTreeSet<BString>) -> Self {
        Self { base, text, named, faults: Vec::new() }
    }

    /// Adds the skills directories that it names, and returns its faults.
    pub(super) fn read(mut self) -> Vec<ManifestFault> {
        if self.text.starts_with(b"\xef\xbb\xbf") {
            self.fault(0..3, ManifestProblem::ByteOrderMark);
            return self.faults;
        }
        match serde_json::from_slice::<Value>(self.text) {
            Err(error) => {
                let reason = error.to_string();
                let reason = reason.rsplit_once(" at line ").map_or(reason.as_str(), |(reason, _)| reason).to_owned();
                self.fault(range_of(&error, self.text), ManifestProblem::Malformed(reason));
            }
            Ok(Value::Object(_)) if self.text.trim_ascii().is_empty() => {}
            Ok(value @ Value::Object(_)) => self.manifest(&value),
            Ok(_) => self.wrong("", "an object"),
        }
        self.faults.sort_by_key(|fault| fault.range.start);
        self.faults
    }

    fn manifest(&mut self, value: &Value) {
        let base = self.base;
        self.plugin(base, value);
        let folder = match value.pointer("/metadata/pluginRoot") {
            None => "",
            Some(Value::String(folder)) => folder,
            Some(_) => return self.wrong("pluginRoot", "a string"),
        };
        let plugins = match value.get("plugins") {
            None => return,
            Some(Value::Array(plugins)) => plugins,
            Some(_) => return self.wrong("plugins", "a list of objects"),
        };
        for plugin in plugins {
            match (plugin, plugin.get("source")) {
                (Value::Object(_), Some(Value::String(source))) => {
                    if let Some(base) = self.below(base, folder, source) {
                        self.plugin(base.as_bstr(), plugin);
                    }
                }
                // An object names another repository.
                (Value::Object(_), None | Some(Value::Object(_))) => {}
                (Value::Object(_), Some(_)) => self.wrong("source", "a path or an object"),
                _ => self.wrong("plugins", "a list of objects"),
            }
        }
    }

    /// Adds the skills of a plugin in a directory: `skills/`, and what its `skills` names.
    fn plugin(&mut self, base: &BStr, plugin: &Value) {
        self.named.insert(store::join(base, BStr::new("skills")));
        let skills = match plugin.get("skills") {
            None => return,
            Some(Value::Array(skills)) => skills.as_slice(),
            Some(skill) => std::slice::from_ref(skill),
        };
        for skill in skills {
            match skill {
                Value::String(skill) => {
                    let path = self.below(base, "", skill);
                    self.named.extend(path);
                }
                _ => self.wrong("skills", "a path or a list of paths"),
            }
        }
    }

    /// Returns a path below a directory; `None` for a URL, and with a fault if it leaves the directory or is not searched.
    fn below(&mut self, base: &BStr, folder: &str, path: &str) -> Option<BString> {
        if path.contains("://") {
            return None;
        }
        let relative = format!("{folder}/{path}");
        let inside = relative.trim_start_matches('/');
        if !path.starts_with('/') && inside.split('/').all(|name| matches!(name, "" | ".")) {
            return Some(base.to_owned());
        }
        match roots::normalise(inside).filter(|_| !path.starts_with('/')) {
            None => {
                let base = text::lossless(base);
                self.fault(self.range(path), ManifestProblem::Outside { path: path.to_owned(), base });
                None
            }
            Some(inside) if inside.split('/').any(|name| expand::is_skipped(name.as_bytes().as_bstr())) => {
                self.fault(self.range(path), ManifestProblem::Skipped { path: path.to_owned() });
                None
            }
            Some(inside) => Some(store::join(base, inside.as_bytes().as_bstr())),
        }
    }

    fn wrong(&mut self, key: &'static str, expected: &'static str) {
        let range = if key.is_empty() { 0..0 } else { self.range(key) };
        self.fault(range, ManifestProblem::WrongType { key, expected });
    }

    fn fault(&mut self, range: Range<usize>, what: ManifestProblem) {
        let fault = ManifestFault { range, what };
        if self.faults.len() < FAULTS && !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }

    /// Returns the place of a string; empty if it is written with other escapes.
    fn range(&self, string: &str) -> Range<usize> {
        let written = Value::String(string.to_owned()).to_string();
        self.text.find(&written).map_or(0..0, |start| start..start + written.len())
    }
}

/// Returns the byte that a parser rejects.
fn range_of(error: &serde_json::Error, text: &[u8]) -> Range<usize> {
    let line = text.lines_with_terminator().take(error.line().saturating_sub(1)).map(<[u8]>::len).sum::<usize>();
    let start = (line + error.column().saturating_sub(1)).min(text.len().saturating_sub(1));
    start..(start + 1).min(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<String>, Vec<String>) {
        let mut named = BTreeSet::new();
        let faults = Reading::new(BStr::new("p"), text.as_bytes(), &mut named).read();
        let shown = |fault: &ManifestFault| format!("{} {:?}", &text[fault.range.clone()], fault.what);
        (named.iter().map(ToString::to_string).collect(), faults.iter().map(shown).collect())
    }

    #[test]
    fn finds_directories_of_plugins() {
        let text = r#"{"metadata": {"pluginRoot": "./all"}, "plugins": [{"source": "./a", "skills": ["./", "x/y"]},
            {"source": {"source": "github"}}, {"source": "https://x"}, {"name": "n"}]}"#;
        assert_eq!(
            read(text),
            (["p/all/a", "p/all/a/skills", "p/all/a/x/y", "p/skills"].map(String::from).into(), vec![])
        );
        assert_eq!(read("{}"), (vec!["p/skills".into()], vec![]));
    }

    #[test]
    fn reports_what_cannot_be_used() {
        let faults = |text: &str| read(text).1.join("; ");
        assert_eq!(faults("{\n\"a\": 1,\n}"), "} Malformed(\"trailing comma\")");
        assert_eq!(faults(""), " Malformed(\"EOF while parsing a value\")");
        assert_eq!(faults("\u{feff}{}"), "\u{feff} ByteOrderMark");
        assert_eq!(faults("[]"), " WrongType { key: \"\", expected: \"an object\" }");
        assert!(faults(r#"{"skills": [1]}"#).starts_with("\"skills\" WrongType"));
        assert!(faults(r#"{"plugins": {}}"#).starts_with("\"plugins\" WrongType"));
        assert!(faults(r#"{"plugins": [{"source": 1}]}"#).starts_with("\"source\" WrongType"));
        assert!(faults(r#"{"metadata": {"pluginRoot": 1}}"#).starts_with("\"pluginRoot\" WrongType"));
        for path in ["../x", "/etc", "a/../../b", "~/x"] {
            let found = faults(&format!(r#"{{"skills": "{path}"}}"#));
            assert_eq!(found, format!("\"{path}\" Outside {{ path: \"{path}\", base: \"p\" }}"));
        }
        assert!(faults(r#"{"skills": "node_modules/x"}"#).contains("Skipped"));
    }
}
