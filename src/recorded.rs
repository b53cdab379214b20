//! The options that an artifact depends on, as its index records them.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::options::{Budget, CatalogFile, Matcher, Options, Overrides, PromptOptions, Selection};

/// Returns the options of `skilltree prompt` that lead to a recipe, each as one argument. Options that name the source, or
/// something outside the repository, are not among them: the artifact must not depend on the machine.
pub(crate) fn options(options: &Options, wanted: &PromptOptions) -> Vec<String> {
    let mut all: Vec<String> =
        rows(&options.overrides).into_iter().flat_map(|(name, value)| words(&name, &value)).collect();
    let mut add = |name: &str, value: Option<&str>| {
        all.extend(value.map(|value| format!("--{name}={value}")));
    };
    add("profile", options.profile.as_deref());
    options.rules.iter().for_each(|rule| add("rule", Some(rule)));
    add("template", wanted.template.as_deref());
    match &wanted.selection {
        Selection::All | Selection::ActiveThread => {}
        Selection::Task { text, matcher, top, role, id } => {
            add("task", Some(text));
            add("role", role.as_deref());
            add("top", top.map(|top| top.to_string()).as_deref());
            let matcher = match matcher {
                Matcher::Auto => None,
                Matcher::Tags => Some("tags"),
                Matcher::Bm25 => Some("bm25"),
            };
            add("matcher", matcher);
            add("task-id", id.as_deref());
        }
        Selection::Mention(text) => add("mention", Some(text)),
        Selection::Skills(names) => names.iter().for_each(|name| add("skill", Some(name))),
        Selection::Thread(thread) => add("thread", Some(thread)),
    }
    for (name, limit) in limits(&wanted.budget) {
        add(name, limit.map(|limit| limit.to_string()).as_deref());
    }
    let flags = [
        ("--thread", wanted.selection == Selection::ActiveThread),
        ("--no-knowledge", wanted.without_knowledge),
        ("--bodies", wanted.catalog == CatalogFile::WithBodies),
    ];
    all.extend(flags.into_iter().filter(|(_, is_set)| *is_set).map(|(name, _)| name.to_owned()));
    all
}

/// Returns whether an artifact may record an option with this name.
#[cfg(feature = "cli")]
pub(crate) fn is_name(name: &str) -> bool {
    const OTHERS: [&str; 13] = [
        "profile",
        "rule",
        "template",
        "task",
        "role",
        "top",
        "matcher",
        "task-id",
        "mention",
        "skill",
        "thread",
        "no-knowledge",
        "bodies",
    ];
    OTHERS.contains(&name)
        || limits(&Budget::default()).iter().any(|(limit, _)| *limit == name)
        || rows(&Overrides::default()).contains_key(name)
}

/// Returns the overrides by the names of their flags, in alphabetical order.
fn rows(overrides: &Overrides) -> BTreeMap<String, Value> {
    match serde_json::to_value(overrides) {
        Ok(Value::Object(rows)) => rows.into_iter().collect(),
        _ => BTreeMap::new(),
    }
}

/// Returns the arguments that set a flag to a value: none if it is not set.
fn words(name: &str, value: &Value) -> Vec<String> {
    match value {
        Value::Bool(true) => vec![format!("--{name}")],
        Value::String(text) => vec![format!("--{name}={text}")],
        Value::Array(values) => values.iter().flat_map(|value| words(name, value)).collect(),
        _ => Vec::new(),
    }
}

fn limits(budget: &Budget) -> [(&'static str, Option<u64>); 7] {
    [
        ("budget-skills", budget.skills),
        ("budget-bytes", budget.bytes),
        ("budget-chars", budget.chars),
        ("budget-tokens", budget.tokens),
        ("each-bytes", budget.each_bytes),
        ("each-chars", budget.each_chars),
        ("each-tokens", budget.each_tokens),
    ]
}

#[cfg(all(test, feature = "cli"))]
mod tests {
    use clap::Args;

    use super::*;

    #[test]
    fn records_overrides_under_the_names_of_their_flags() {
        let flags = Overrides::augment_args(clap::Command::new("check"));
        let flags: Vec<&str> = flags.get_arguments().filter_map(clap::Arg::get_long).collect();
        assert_eq!(flags, ["config", "config-from", "no-config", "policy", "root", "preview", "today"]);
        for flag in flags {
            assert_eq!(is_name(flag), !["config", "policy"].contains(&flag), "{flag}");
        }
        let overrides = Overrides {
            config: Some("outside.toml".into()),
            config_from: Some("main".into()),
            no_config: true,
            policy: Some("outside.toml".into()),
            roots: vec!["a".into(), "b=symphony".into()],
            preview: true,
            today: None,
        };
        let recorded = options(&Options { overrides, ..Options::default() }, &PromptOptions::default());
        assert_eq!(recorded, ["--config-from=main", "--no-config", "--preview", "--root=a", "--root=b=symphony"]);
    }
}
