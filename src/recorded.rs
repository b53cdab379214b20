//! The options that an artifact depends on, as its index records them.

use crate::options::{Budget, CatalogFile, Matcher, Options, PromptOptions, Selection};

/// Returns the options of `skilltree prompt` that lead to a recipe, each as one argument. Options that name the source, or
/// something outside the repository, are not among them: the artifact must not depend on the machine.
pub(crate) fn options(options: &Options, wanted: &PromptOptions) -> Vec<String> {
    let mut all = Vec::new();
    let mut add = |name: &str, value: Option<&str>| {
        all.extend(value.map(|value| format!("--{name}={value}")));
    };
    add("config-from", options.config_from.as_deref());
    add("today", options.today.as_deref());
    add("profile", options.profile.as_deref());
    options.roots.iter().for_each(|root| add("root", Some(root)));
    options.rules.iter().for_each(|rule| add("rule", Some(rule)));
    add("template", wanted.template.as_deref());
    match &wanted.selection {
        Selection::All | Selection::ActiveThread => {}
        Selection::Task { text, matcher, top, role, id } => {
            add("task", Some(text));
            add("role", role.as_deref());
            add("top", top.map(|top| top.to_string()).as_deref());
            let matcher = match matcher {
                Matcher::Tags => None,
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
        ("--no-config", options.no_config),
        ("--preview", options.preview),
        ("--thread", wanted.selection == Selection::ActiveThread),
        ("--no-knowledge", wanted.without_knowledge),
        ("--bodies", wanted.catalog == CatalogFile::WithBodies),
    ];
    all.extend(flags.into_iter().filter(|(_, is_set)| *is_set).map(|(name, _)| name.to_owned()));
    all
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
