//! Values of the front matter.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BString, ByteSlice};
use serde_json::Value;
use skilltree_front_matter::text::{self, FileId};
use skilltree_front_matter::{self as front_matter, Bounds};
use skilltree_report::render::escape;
use skilltree_skills::agents::AGENTS;
use skilltree_skills::quote;
use skilltree_skills::skill::paths::is_markdown;

use super::{Cursor, Kind};
use crate::runtimes;

/// The aliases of models that Claude Code has, and the word for that of the conversation (its documentation).
const MODELS: [&str; 4] = ["haiku", "inherit", "opus", "sonnet"];

/// Limits on the front matter of an agent.
const BOUNDS: Bounds = Bounds { bytes: 65_536, nodes: 1_000, depth: 16, ..Bounds::NONE };

impl Cursor<'_, '_> {
    /// Completes the value of a key.
    pub(super) fn values(&self, key: &str, value: &str) -> Vec<Value> {
        let typed = value.rsplit([' ', ',', '[', '"', '\'']).next().unwrap_or_default();
        match key {
            "name" => {
                let directory = escape::text(&text::file_name(text::parent(self.context.path)).to_str_lossy());
                let detail = "the name of the directory, which most runtimes require";
                let mut item = self.item(Kind::Value, &directory, typed, detail);
                if !value.trim_start().starts_with(['"', '\'']) {
                    item["textEdit"]["newText"] = quote::name(&directory).into();
                }
                vec![item]
            }
            // The pattern of a tool, such as `Bash(git *)`, is free text.
            "allowed-tools" | "disallowed-tools" | "tools"
                if typed.contains(['(', ')']) || value.matches('(').count() > value.matches(')').count() =>
            {
                Vec::new()
            }
            "allowed-tools" | "disallowed-tools" | "tools" => self.tools(typed),
            "disable-model-invocation" | "user-invocable" => {
                ["true", "false"].map(|word| self.item(Kind::Value, word, typed, "")).into()
            }
            "agent" => self.agents(value, typed),
            "model" => self.models(value, typed),
            _ => self.words(key, typed),
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

    /// Completes the words that a runtime allows.
    fn words(&self, key: &str, typed: &str) -> Vec<Value> {
        let mut readers: BTreeMap<&str, Vec<_>> = BTreeMap::new();
        for profile in runtimes::all(&self.context.checked.config) {
            let pattern = profile.loads.fields.get(key).and_then(|field| field.pattern.as_ref());
            for word in pattern.into_iter().flat_map(|pattern| pattern.words()) {
                readers.entry(word).or_default().push(profile);
            }
        }
        let item = |(word, readers): (&str, Vec<_>)| {
            self.item(Kind::Value, word, typed, &format!("a value of {}", runtimes::names(&readers, 4)))
        };
        readers.into_iter().map(item).collect()
    }

    /// Completes the agents of the tree, and those that need no definition.
    fn agents(&self, value: &str, typed: &str) -> Vec<Value> {
        let mut agents: BTreeMap<String, String> = BTreeMap::new();
        for profile in runtimes::all(&self.context.checked.config) {
            let about = format!("an agent of {}", profile.title);
            agents.extend(profile.loads.fork_agents.iter().map(|name| (name.clone(), about.clone())));
        }
        let source = &self.context.checked.source;
        let files = source.below(&BTreeSet::from([BString::from(AGENTS)])).unwrap_or_default();
        for file in files.iter().filter(|file| is_markdown(file.path.as_bstr())) {
            let Some(bytes) = source.bytes(file.path.as_bstr()) else { continue };
            let fields = front_matter::read(FileId(0), &bytes, BOUNDS).front_matter.and_then(|own| own.fields);
            let fields = fields.unwrap_or_default();
            let of = |key: &str| fields.iter().find(|field| field.key.value == key)?.value.scalar().map(str::trim);
            if let Some(name) = of("name") {
                agents
                    .insert(name.to_owned(), text::shortened(of("description").unwrap_or_default(), 100).into_owned());
            }
        }
        agents.iter().filter_map(|(name, about)| self.name(name, (value, typed), about)).collect()
    }

    /// Completes the aliases of models, and the models of other skills.
    fn models(&self, value: &str, typed: &str) -> Vec<Value> {
        let skills = &self.context.checked.report.catalog.parsed.skills;
        let path = self.context.path;
        let is_other = |file: FileId| self.context.checked.report.catalog.file(file).shown_path().as_bstr() != path;
        let used = skills.iter().filter(|skill| is_other(skill.file)).filter_map(|skill| skill.scalar("model"));
        let mut models: BTreeMap<&str, &str> = used.map(|model| (model, "a model of another skill")).collect();
        models.extend(MODELS.map(|model| (model, "a model of Claude Code")));
        models.into_iter().filter_map(|(model, about)| self.name(model, (value, typed), about)).collect()
    }

    /// Returns an item of a name that is a string in YAML; `None` for one that needs other quotes.
    fn name(&self, name: &str, (value, typed): (&str, &str), about: &str) -> Option<Value> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
        let is_plain = name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.chars().all(is_part);
        let mut item = self.item(Kind::Value, name, typed, about);
        if !value.trim_start().starts_with(['"', '\'']) {
            item["textEdit"]["newText"] = quote::name(name).into();
        }
        is_plain.then_some(item)
    }
}
