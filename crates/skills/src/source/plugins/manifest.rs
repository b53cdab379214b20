//! The text of one manifest.

use std::ops::Range;

use bstr::{BStr, BString, ByteSlice};
use serde_json::Value;

use crate::roots;
use crate::snapshot::{ManifestFault, ManifestProblem};
use crate::source::{expand, store};
use skilltree_front_matter::text;

use super::keys::{self, Key};
use super::{NAMED, Named};

/// Maximum faults of one manifest that are reported (ours: 20).
const FAULTS: usize = 20;

/// Reads one manifest.
pub(super) struct Reading<'a> {
    /// The directory that its paths are relative to.
    base: &'a BStr,
    text: &'a [u8],
    named: &'a mut Named,
    faults: Vec<ManifestFault>,
    /// The number of faults over the limit, and whether other programs reject one of them, too.
    more: (usize, bool),
    /// What Claude Code requires of the file; `None` for the manifest of another program.
    keys: Option<&'static [Key]>,
    paths: Vec<NamedPath>,
}

/// A directory that a manifest names.
pub(super) struct NamedPath {
    /// The bytes of the path as written.
    pub(super) range: Range<usize>,
    /// The path as written.
    pub(super) written: String,
    /// The path from the top.
    pub(super) path: BString,
}

impl<'a> Reading<'a> {
    pub(super) fn new(path: &BStr, base: &'a BStr, text: &'a [u8], named: &'a mut Named) -> Self {
        Self { base, text, named, faults: Vec::new(), more: (0, false), keys: keys::of(path), paths: Vec::new() }
    }

    /// Adds the skills directories that it names, and returns its faults and the directories.
    pub(super) fn read(mut self) -> (Vec<ManifestFault>, Vec<NamedPath>) {
        if self.text.starts_with(b"\xef\xbb\xbf") {
            self.fault(0..3, ManifestProblem::ByteOrderMark);
            return (self.faults, self.paths);
        }
        match serde_json::from_slice::<Value>(self.text) {
            Err(error) => {
                let reason = error.to_string();
                let reason = reason.rsplit_once(" at line ").map_or(reason.as_str(), |(reason, _)| reason).to_owned();
                self.fault(range_of(&error, self.text), ManifestProblem::Malformed(reason));
            }
            Ok(Value::Object(_)) if self.text.trim_ascii().is_empty() => {}
            Ok(value @ Value::Object(_)) => {
                self.keys.into_iter().flatten().for_each(|key| self.key(&value, key));
                self.manifest(&value);
            }
            Ok(_) => self.wrong("", "an object"),
        }
        self.faults.sort_by_key(|fault| fault.range.start);
        if let (count @ 1.., is_theirs) = self.more {
            self.faults.push(ManifestFault { range: 0..0, what: ManifestProblem::More { count, is_theirs } });
        }
        (self.faults, self.paths)
    }

    /// Checks a key that Claude Code requires, or whose value it rejects.
    fn key(&mut self, value: &Value, key: &Key) {
        match value.get(key.name) {
            None if key.required => self.fault(0..0, ManifestProblem::Missing { key: key.name }),
            Some(value) if !(key.is_valid)(value) => self.wrong(key.name, key.expected),
            Some(Value::String(name)) if key.name == "name" && name.contains(' ') => {
                self.fault_at(name, ManifestProblem::Space { name: name.clone() });
            }
            _ => {}
        }
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
            if self.keys.is_some() && plugin.is_object() {
                keys::PLUGIN_ENTRY.iter().for_each(|key| self.key(plugin, key));
            }
            match (plugin, plugin.get("source")) {
                (Value::Object(_), Some(Value::String(source))) => {
                    // Claude Code 2.1.197 does not apply `pluginRoot` to a path with `./`.
                    let is_whole = self.keys.is_some() && source.starts_with("./");
                    let folder = if is_whole { "" } else { folder };
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
        self.named.paths.insert(store::join(base, BStr::new("skills")));
        let skills = match plugin.get("skills") {
            None => return,
            Some(Value::Array(skills)) => skills.as_slice(),
            Some(skill) => std::slice::from_ref(skill),
        };
        for skill in skills {
            match skill {
                Value::String(skill) => {
                    let path = self.below(base, "", skill);
                    self.named.paths.extend(path);
                }
                _ => self.wrong("skills", "a path or a list of paths"),
            }
        }
    }

    /// Returns a path below a directory; `None` for a URL, over the limit, and with a fault if it leaves the directory or is not
    /// searched.
    fn below(&mut self, base: &BStr, folder: &str, path: &str) -> Option<BString> {
        self.named.written += 1;
        if self.named.written > NAMED {
            return None;
        }
        let inside = self.inside(base, folder, path)?;
        if self.keys.is_some() {
            let range = self.range(path);
            if path.starts_with("./") {
                self.paths.push(NamedPath { range, written: path.to_owned(), path: inside.clone() });
            } else {
                self.fault(range, ManifestProblem::NotRelative { path: path.to_owned() });
            }
        }
        Some(inside)
    }

    fn inside(&mut self, base: &BStr, folder: &str, path: &str) -> Option<BString> {
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
                self.fault_at(path, ManifestProblem::Outside { path: path.to_owned(), base });
                None
            }
            Some(inside) if inside.split('/').any(|name| expand::is_skipped(name.as_bytes().as_bstr())) => {
                self.fault_at(path, ManifestProblem::Skipped { path: path.to_owned() });
                None
            }
            Some(inside) => Some(store::join(base, inside.as_bytes().as_bstr())),
        }
    }

    fn wrong(&mut self, key: &'static str, expected: &'static str) {
        let what = ManifestProblem::WrongType { key, expected };
        // A key has one place, and is searched for once.
        if !self.faults.iter().any(|fault| fault.what == what) {
            let range = if key.is_empty() { 0..0 } else { self.written(key, true) };
            self.fault(range, what);
        }
    }

    /// Adds a fault about a string.
    fn fault_at(&mut self, string: &str, what: ManifestProblem) {
        let range = if self.faults.len() < FAULTS { self.range(string) } else { 0..0 };
        self.fault(range, what);
    }

    fn fault(&mut self, range: Range<usize>, what: ManifestProblem) {
        let fault = ManifestFault { range, what };
        if self.faults.contains(&fault) {
            return;
        }
        if self.faults.len() < FAULTS {
            self.faults.push(fault);
        } else {
            self.more = (self.more.0 + 1, self.more.1 || !fault.what.is_only_ours());
        }
    }

    /// Returns the place of a string that is a value; empty if it is written with other escapes.
    fn range(&self, string: &str) -> Range<usize> {
        self.written(string, false)
    }

    /// Returns the place of a string that is a key, or else a value.
    fn written(&self, string: &str, is_key: bool) -> Range<usize> {
        let written = Value::String(string.to_owned()).to_string();
        let is_kind =
            |&start: &usize| self.text[start + written.len()..].trim_ascii_start().starts_with(b":") == is_key;
        let found = self.text.find_iter(&written).find(is_kind);
        found.map_or(0..0, |start| start..start + written.len())
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
        let mut named = Named::default();
        let path = BStr::new("p/.codex-plugin/plugin.json");
        let (faults, _) = Reading::new(path, BStr::new("p"), text.as_bytes(), &mut named).read();
        let shown = |fault: &ManifestFault| format!("{} {:?}", &text[fault.range.clone()], fault.what);
        (named.paths.iter().map(ToString::to_string).collect(), faults.iter().map(shown).collect())
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
    fn reports_what_claude_code_rejects() {
        let faults = |path: &str, text: &str| {
            let mut named = Named::default();
            let (faults, _) = Reading::new(path.into(), BStr::new(""), text.as_bytes(), &mut named).read();
            faults.iter().map(|fault| format!("{:?}", fault.what)).collect::<Vec<_>>().join("; ")
        };
        // Each was given to `claude plugin validate` and `claude plugin install` of 2.1.197.
        let plugin = |text: &str| faults(".claude-plugin/plugin.json", text);
        for accepted in [
            r#"{"name":"p"}"#,
            r#"{"name":"p","skills":["./"]}"#,
            r#"{"name":"p","skills":[]}"#,
            r#"{"name":"p","foo":1}"#,
        ] {
            assert_eq!(plugin(accepted), "", "{accepted}");
        }
        assert_eq!(plugin(r#"{"skills":"./skills"}"#), r#"Missing { key: "name" }"#);
        assert_eq!(plugin(r#"{"name":"My Plugin"}"#), r#"Space { name: "My Plugin" }"#);
        assert_eq!(plugin(r#"{"name":"p","skills":"skills"}"#), r#"NotRelative { path: "skills" }"#);
        assert_eq!(plugin(r#"{"name":"p","skills":["skills/a"]}"#), r#"NotRelative { path: "skills/a" }"#);
        for key in ["version", "description", "repository", "license", "homepage", "keywords", "author"] {
            assert!(plugin(&format!(r#"{{"name":"p","{key}":1}}"#)).starts_with("WrongType"), "{key}");
        }
        let market = |text: &str| faults(".claude-plugin/marketplace.json", text);
        let with = |plugin: &str| market(&format!(r#"{{"name":"m","owner":{{"name":"o"}},"plugins":[{plugin}]}}"#));
        assert_eq!(with(r#"{"name":"p","source":"./p"}"#), "");
        assert_eq!(with(r#"{"name":"p","source":{"source":"github","repo":"a/b"}}"#), "");
        assert_eq!(with(r#"{"name":"p","source":"p"}"#), r#"NotRelative { path: "p" }"#);
        assert_eq!(with(r#"{"name":"p"}"#), r#"Missing { key: "source" }"#);
        assert_eq!(with(r#"{"source":"./p"}"#), r#"Missing { key: "name" }"#);
        assert_eq!(market(r#"{"name":"m","plugins":[]}"#), r#"Missing { key: "owner" }"#);
        assert!(market(r#"{"name":"m","owner":"o","plugins":[]}"#).starts_with("WrongType { key: \"owner\""));
    }

    #[test]
    fn counts_faults_over_the_limit() {
        let paths = |count: usize| (0..count).map(|number| format!(r#""../{number}""#)).collect::<Vec<_>>().join(",");
        let (_, faults) = read(&format!(r#"{{"skills":[{}]}}"#, paths(FAULTS)));
        assert_eq!(faults.len(), FAULTS);
        let (_, faults) = read(&format!(r#"{{"skills":[{}]}}"#, paths(FAULTS + 7)));
        assert_eq!(faults.last().map(String::as_str), Some(" More { count: 7, is_theirs: true }"));
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
