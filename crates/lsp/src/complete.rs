//! Completion: keys, values, tools, names of skills, paths, settings and ids of rules, each with who reads it. It depends on the text
//! of the document, and on the last check for the rest.

use std::collections::{BTreeMap, BTreeSet};

use bstr::ByteSlice;
use gen_lsp_types::{Position, Range};
use serde_json::{Value, json};
use skilltree_front_matter::text;
use skilltree_lint::rule::{Level, RuleRef};
use skilltree_report::render::escape;
use skilltree_report::schema;
use skilltree_skills::roots;

use crate::context::{self, Context};
use crate::hover;
use crate::position::Lines;
use crate::runtimes;

/// Maximum number of items (ours).
const ITEMS: usize = 500;

/// The kinds of items that the protocol numbers.
#[derive(Clone, Copy)]
enum Kind {
    Module = 9,
    Property = 10,
    Value = 12,
    File = 17,
}

/// Answers `textDocument/completion`.
pub(crate) fn items(context: &Context<'_>, params: &Value) -> Result<Value, String> {
    let Some(text) = context.document() else { return Ok(Value::Null) };
    let position = context::position(params)?;
    let lines = Lines::new(&text);
    let line = lines.line(position.line as usize);
    let start = lines.offset(Position { line: position.line, character: 0 });
    let column = lines.offset(position) - start;
    let before = line.get(..column).unwrap_or_default();
    let cursor = Cursor { context, text: &text, start, before, position };
    let name = text::file_name(context.path);
    let items = if name == "skilltree.toml" {
        cursor.settings()
    } else if let Some(items) = cursor.ignored_rules() {
        items
    } else if roots::is_skill_file(name) && cursor.is_in_front_matter() {
        cursor.front_matter()
    } else if name.ends_with(b".md") {
        cursor.body()
    } else {
        Vec::new()
    };
    Ok(json!({ "isIncomplete": items.len() > ITEMS, "items": items.into_iter().take(ITEMS).collect::<Vec<_>>() }))
}

/// The place of a completion.
struct Cursor<'c, 'a> {
    context: &'c Context<'a>,
    text: &'c str,
    /// The offset of the line.
    start: usize,
    /// The line up to the cursor.
    before: &'c str,
    position: Position,
}

impl Cursor<'_, '_> {
    /// Returns an item that replaces the last part of the line.
    fn item(&self, kind: Kind, label: &str, typed: &str, detail: &str) -> Value {
        let character = self.position.character - typed.encode_utf16().count() as u32;
        let start = Position { line: self.position.line, character };
        json!({
            "label": label,
            "kind": kind as u8,
            "detail": detail,
            "textEdit": { "range": Range { start, end: self.position }, "newText": label },
        })
    }

    /// Returns whether the line is between the fences.
    fn is_in_front_matter(&self) -> bool {
        let mut above = self.text[..self.start].lines();
        above.next().is_some_and(|line| line.trim_end() == "---") && above.all(|line| line.trim_end() != "---")
    }

    /// Completes the ids of rules in an ignore comment.
    fn ignored_rules(&self) -> Option<Vec<Value>> {
        let at = self.before.rfind("ignore[")?;
        let inside = &self.before[at + "ignore[".len()..];
        if !self.before[..at].contains("skilltree:") || inside.contains(']') {
            return None;
        }
        let typed = inside.rsplit(',').next().unwrap_or_default().trim_start();
        Some(self.rules(typed, ""))
    }

    fn rules(&self, typed: &str, after: &str) -> Vec<Value> {
        let item = |rule: RuleRef| {
            let mut item = self.item(Kind::Value, rule.id(), typed, rule.summary());
            if !after.is_empty() {
                item["textEdit"]["newText"] = format!("{}{after}", rule.id()).into();
            }
            item
        };
        self.context.checked.config.rules().map(item).collect()
    }

    /// Completes keys and values of the front matter.
    fn front_matter(&self) -> Vec<Value> {
        match self.before.split_once(':') {
            None if !self.before.starts_with([' ', '\t', '-', '#']) => self.keys(),
            Some((key, value)) if !key.starts_with([' ', '#']) => self.values(key.trim(), value),
            _ => match self.list_key() {
                Some(key) => self.values(&key, self.before.trim_start().strip_prefix('-').unwrap_or_default()),
                None => Vec::new(),
            },
        }
    }

    /// Returns the key above an entry of a list.
    fn list_key(&self) -> Option<String> {
        if !self.before.trim_start().starts_with('-') {
            return None;
        }
        let mut above = self.text[..self.start].lines().rev();
        let line = above.find(|line| !line.trim_start().starts_with('-'))?;
        Some(line.split_once(':').filter(|(_, rest)| rest.trim().is_empty())?.0.trim().to_owned())
    }

    fn keys(&self) -> Vec<Value> {
        let config = &self.context.checked.config;
        let all = runtimes::all(config);
        let mut readers: BTreeMap<&str, Vec<_>> = BTreeMap::new();
        for profile in &all {
            for key in &profile.loads.keys.known {
                readers.entry(key).or_default().push(*profile);
            }
        }
        let own = self.text.lines().skip(1).take_while(|line| line.trim_end() != "---");
        let own: BTreeSet<&str> = own.filter_map(|line| Some(line.split_once(':')?.0)).collect();
        let mut keys: Vec<_> =
            readers.into_iter().filter(|(key, _)| !own.contains(key) && !key.contains('.')).collect();
        keys.sort_by_key(|(key, readers)| (std::cmp::Reverse(readers.len()), *key));
        let item = |(number, (key, readers)): (usize, (&str, Vec<_>))| {
            let detail = format!("read by {} of {}: {}", readers.len(), all.len(), runtimes::names(&readers, 4));
            let mut item = self.item(Kind::Property, key, self.before, &detail);
            item["textEdit"]["newText"] = format!("{key}: ").into();
            item["sortText"] = format!("{number:04}").into();
            item["documentation"] = json!({ "kind": "markdown", "value": hover::about(key) });
            item
        };
        keys.into_iter().enumerate().map(item).collect()
    }

    fn values(&self, key: &str, value: &str) -> Vec<Value> {
        let typed = value.rsplit([' ', ',', '[', '"', '\'']).next().unwrap_or_default();
        match key {
            "name" => {
                let directory = text::file_name(text::parent(self.context.path)).to_str_lossy();
                let detail = "the name of the directory, which most runtimes require";
                vec![self.item(Kind::Value, &escape::text(&directory), typed, detail)]
            }
            "allowed-tools" | "disallowed-tools" | "tools" => self.tools(typed),
            "disable-model-invocation" | "user-invocable" => {
                ["true", "false"].map(|word| self.item(Kind::Value, word, typed, "")).into()
            }
            _ => Vec::new(),
        }
    }

    fn tools(&self, typed: &str) -> Vec<Value> {
        let mut readers: BTreeMap<&str, Vec<_>> = BTreeMap::new();
        for profile in runtimes::all(&self.context.checked.config) {
            for tool in &profile.loads.keys.tools {
                readers.entry(tool).or_default().push(profile);
            }
        }
        let item = |(tool, readers): (&str, Vec<_>)| {
            self.item(Kind::Value, tool, typed, &format!("a tool of {}", runtimes::names(&readers, 4)))
        };
        readers.into_iter().map(item).collect()
    }

    /// Completes paths in links, and names of skills after a sigil.
    fn body(&self) -> Vec<Value> {
        if let Some(at) = self.before.rfind("](").filter(|at| !self.before[*at..].contains(')')) {
            return self.paths(&self.before[at + 2..]);
        }
        match self.before.rfind(['$', '@']) {
            Some(at) if self.before[at + 1..].chars().all(|c| c.is_ascii_alphanumeric() || c == '-') => {
                self.skills(&self.before[at + 1..])
            }
            _ => Vec::new(),
        }
    }

    fn paths(&self, typed: &str) -> Vec<Value> {
        let from = text::parent(self.context.path);
        let directory = self.context.owned().map(|owned| {
            text::parent(self.context.checked.report.catalog.file(owned.skill.file).shown_path().as_bstr())
        });
        let directory = directory.unwrap_or(from);
        let files = self.context.files().iter().map(|file| file.shown_path().as_bstr());
        let below = files.filter(|path| roots::is_within(path, directory) && *path != self.context.path);
        let paths: BTreeSet<String> = below.map(|path| skilltree_skills::skill::links::relative(from, path)).collect();
        paths.into_iter().map(|path| self.item(Kind::File, &path, typed, "a file of the skill")).collect()
    }

    fn skills(&self, typed: &str) -> Vec<Value> {
        let catalog = &self.context.checked.report.catalog;
        let names: BTreeMap<&str, &str> = catalog
            .skills()
            .filter_map(|(_, skill)| Some((skill.name()?, skill.scalar("description").unwrap_or_default())))
            .collect();
        let item = |(name, description)| self.item(Kind::Module, name, typed, &text::shortened(description, 100));
        names.into_iter().map(item).collect()
    }

    /// Completes keys and values of skilltree.toml.
    fn settings(&self) -> Vec<Value> {
        let above = self.text[..self.start].lines().rev().map(str::trim);
        let table = above.filter(|line| line.starts_with('[')).map(|line| line.trim_matches(['[', ']'])).next();
        let table = table.unwrap_or_default();
        match self.before.split_once('=') {
            None if self.before.trim_start().starts_with('[') => {
                let typed = self.before.trim_start().trim_start_matches('[');
                self.schema_keys("", typed, |schema| schema["type"] != "string", "")
            }
            None => {
                let typed = self.before.trim_start();
                match table {
                    "rules" => self.rules(typed, " = \""),
                    _ => self.schema_keys(table, typed, |_| true, " = "),
                }
            }
            Some((key, value)) => {
                let typed = value.rsplit(['"', '[', ',', ' ']).next().unwrap_or_default();
                self.setting(table, key.trim(), typed)
            }
        }
    }

    fn setting(&self, table: &str, key: &str, typed: &str) -> Vec<Value> {
        let config = &self.context.checked.config;
        match (table, key) {
            ("rules", _) | (_, "severity" | "min-severity") => {
                Level::NAMES.iter().map(|(name, _)| self.item(Kind::Value, name, typed, "a severity")).collect()
            }
            (_, "targets" | "profile") => {
                let profiles = config.profiles.ids().filter_map(|id| config.profiles.find(id));
                profiles.map(|profile| self.item(Kind::Value, &profile.id, typed, &profile.title)).collect()
            }
            (_, "rule") => self.rules(typed, ""),
            _ => Vec::new(),
        }
    }

    /// Completes the keys of a table from the schema of the file.
    fn schema_keys(&self, table: &str, typed: &str, is_wanted: impl Fn(&Value) -> bool, after: &str) -> Vec<Value> {
        let schemas = schema::all();
        let Some((_, schema)) = schemas.iter().find(|(name, _)| *name == "skilltree") else { return Vec::new() };
        let table = match table {
            "" => schema,
            table => {
                let of = &schema["properties"][table];
                if of["items"].is_object() { &of["items"] } else { of }
            }
        };
        let keys = table["properties"].as_object().into_iter().flatten().filter(|(_, key)| is_wanted(key));
        let item = |(key, about): (&String, &Value)| {
            let mut item = self.item(Kind::Property, key, typed, about["description"].as_str().unwrap_or_default());
            item["textEdit"]["newText"] = format!("{key}{after}").into();
            item
        };
        keys.map(item).collect()
    }
}
