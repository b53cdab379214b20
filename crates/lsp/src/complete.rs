//! Completion: keys, values, tools, names of skills, paths, settings and ids of rules, each with who reads it. It depends on the text
//! of the document, and on the last check for the rest.

mod settings;
mod values;

use std::collections::{BTreeMap, BTreeSet};

use bstr::ByteSlice;
use gen_lsp_types::{Position, Range};
use serde_json::{Value, json};
use skilltree_front_matter::text;
use skilltree_lint::rule::RuleRef;
use skilltree_skills::roots;

use crate::context::{self, Context};
use crate::hover;
use crate::links;
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
    let (before, rest) = line.split_at_checked(column).unwrap_or_default();
    let cursor = Cursor { context, text: &text, start, before, rest, position };
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
    /// The line after the cursor.
    rest: &'c str,
    position: Position,
}

impl Cursor<'_, '_> {
    /// Returns an item that replaces the word around the cursor: what was typed of it, and the letters after the cursor.
    fn item(&self, kind: Kind, label: &str, typed: &str, detail: &str) -> Value {
        self.item_over(kind, label, (typed, self.word()), detail)
    }

    /// Returns an item that replaces the texts before and after the cursor.
    fn item_over(&self, kind: Kind, label: &str, (typed, rest): (&str, &str), detail: &str) -> Value {
        let at = |character| Position { line: self.position.line, character };
        let units = |text: &str| text.encode_utf16().count() as u32;
        let (start, end) = (self.position.character - units(typed), self.position.character + units(rest));
        json!({
            "label": label,
            "kind": kind as u8,
            "detail": detail,
            "textEdit": { "range": Range { start: at(start), end: at(end) }, "newText": label },
        })
    }

    /// Returns the letters of the word after the cursor.
    fn word(&self) -> &str {
        self.rest_while(|character| character.is_alphanumeric() || matches!(character, '-' | '_'))
    }

    fn rest_while(&self, is_part: impl Fn(char) -> bool) -> &str {
        let end = self.rest.find(|character| !is_part(character)).unwrap_or(self.rest.len());
        &self.rest[..end]
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
        let item = |rule: RuleRef| self.item(Kind::Value, rule.id(), typed, rule.summary());
        Some(self.context.checked.config.rules().map(item).collect())
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
        let above = self.text[..self.start].lines().skip(1);
        let below = self.text[self.start..].lines().skip(1).take_while(|line| line.trim_end() != "---");
        let own = above.chain(below);
        let own: BTreeSet<&str> = own.filter_map(|line| Some(line.split_once(':')?.0)).collect();
        let mut keys: Vec<_> =
            readers.into_iter().filter(|(key, _)| !own.contains(key) && !key.contains('.')).collect();
        keys.sort_by_key(|(key, readers)| (std::cmp::Reverse(readers.len()), *key));
        let after = match self.rest[self.word().len()..].chars().next() {
            Some(':') => "",
            Some(' ' | '\t') => ":",
            _ => ": ",
        };
        let item = |(number, (key, readers)): (usize, (&str, Vec<_>))| {
            let detail = format!("read by {} of {}: {}", readers.len(), all.len(), runtimes::names(&readers, 4));
            let mut item = self.item(Kind::Property, key, self.before, &detail);
            item["textEdit"]["newText"] = format!("{key}{after}").into();
            item["sortText"] = format!("{number:04}").into();
            item["documentation"] = json!({ "kind": "markdown", "value": hover::about(key) });
            item
        };
        keys.into_iter().enumerate().map(item).collect()
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
        let item = |path: String| {
            let (target, is_open) = (links::target(&path), typed.starts_with('<'));
            let rest = self.rest_while(|c| !matches!(c, ')' | '>' | '#') && (is_open || !c.is_whitespace()));
            // Without an end, the rest of the line is a text.
            let rest = if self.rest[rest.len()..].starts_with([')', '>', '#']) { rest } else { "" };
            let mut item = self.item_over(Kind::File, &path, (typed, rest), "a file of the skill");
            // A target with a space or a parenthesis is in angle brackets.
            let target = match is_open || target.contains([' ', '(', ')']) {
                true if is_open && self.rest[rest.len()..].starts_with('>') => format!("<{target}"),
                true => format!("<{target}>"),
                false => target,
            };
            if is_open {
                // An editor compares what was typed with this.
                item["filterText"] = json!(target);
            }
            item["textEdit"]["newText"] = target.into();
            item
        };
        paths.into_iter().map(item).collect()
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
}
