//! Reports options that the manifest of a plugin does not declare.

use std::collections::{BTreeMap, BTreeSet};

use super::manifests;
use crate::rule::{Check, E2026, Facts, Group, Level, Precision, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::keys;
use skilltree_skills::manifest::json::{Json, Value};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "undeclared-plugin-option",
    group: Group::Body,
    since: E2026,
    level: Level::Warning,
    summary: "a skill uses an option that its plugin does not give it",
    why: "the model reads the placeholder, or that the option is not available",
    explanation: include_str!("undeclared_plugin_option.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    precision: Precision::High,
    ..Rule::DEFAULT
};

/// Number of options for which a similar one is looked for (ours: 1,000).
const COMPARED: usize = 1_000;

/// Key of the options of a plugin.
const OPTIONS: &str = "userConfig";

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let mut seen = BTreeSet::new();
    let mut options: BTreeMap<usize, BTreeMap<&str, &Json>> = BTreeMap::new();
    for profile in manifests::readers(facts) {
        let packages = catalog.packages(profile);
        for package in packages.all.iter().filter(|package| package.is_whole_for(&profile.id) && !package.is_lost()) {
            let Some(number) = package.manifest else { continue };
            let Ok(json) = &catalog.parsed.manifests.all[number].content else { continue };
            for member in package.skills.iter().filter(|member| member.lost.is_none()) {
                let placeholders = catalog.skill(member.skill).body.iter().flat_map(|body| &body.placeholders);
                for placeholder in placeholders {
                    let option =
                        placeholder.text.strip_prefix("${user_config.").and_then(|rest| rest.strip_suffix('}'));
                    let Some((option, mark)) = option.zip(placeholder.marks.first.first()) else { continue };
                    let declared = options.entry(number).or_insert_with(|| {
                        let members = json.get(OPTIONS).map(Json::members).unwrap_or_default();
                        members.iter().map(|member| (member.key.as_str(), &member.value)).collect()
                    });
                    let known = declared.get(option);
                    let is_secret = known.is_some_and(|value| {
                        value.get("sensitive").is_some_and(|value| value.value == Value::Boolean(true))
                    });
                    if known.is_some() && !is_secret || !seen.insert(mark.place) {
                        continue;
                    }
                    let (title, shown) = (&profile.title, text::shortened(option, 64));
                    sink.about(Subject::Tree);
                    if is_secret {
                        sink.report(
                            mark.place,
                            format!("{title} does not show `{shown}` to a skill: it is `sensitive`"),
                        )
                        .help("let a script or a server of the plugin use it");
                        continue;
                    }
                    let finding = sink.report(mark.place, format!("the plugin has no option `{shown}` in `{OPTIONS}`"));
                    let mut near =
                        declared.keys().filter(|known| seen.len() <= COMPARED && keys::is_slip(option, known));
                    match near.next() {
                        Some(near) => finding
                            .help(format!("write `${{user_config.{near}}}`"))
                            .unsafe_edit(mark.place, format!("${{user_config.{near}}}")),
                        None => finding.help(format!("declare it in `{OPTIONS}`, or remove it")),
                    };
                }
            }
        }
    }
}
