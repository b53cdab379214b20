//! Reports options that the manifest of a plugin does not declare.

use std::collections::BTreeSet;

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

/// Key of the options of a plugin.
const OPTIONS: &str = "userConfig";

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let mut seen = BTreeSet::new();
    for profile in manifests::readers(facts) {
        let packages = catalog.packages(profile);
        for package in packages.all.iter().filter(|package| package.is_whole_for(&profile.id) && !package.is_lost()) {
            let manifest = package.manifest.map(|number| &catalog.parsed.manifests.all[number]);
            let Some(json) = manifest.and_then(|manifest| manifest.content.as_ref().ok()) else { continue };
            let declared = json.get(OPTIONS).map(Json::members).unwrap_or_default();
            for member in package.skills.iter().filter(|member| member.lost.is_none()) {
                let placeholders = catalog.skill(member.skill).body.iter().flat_map(|body| &body.placeholders);
                for placeholder in placeholders {
                    let option =
                        placeholder.text.strip_prefix("${user_config.").and_then(|rest| rest.strip_suffix('}'));
                    let Some((option, mark)) = option.zip(placeholder.marks.first.first()) else { continue };
                    let known = declared.iter().find(|known| known.key == option);
                    let is_secret = known.is_some_and(|known| {
                        known.value.get("sensitive").is_some_and(|value| value.value == Value::Boolean(true))
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
                    match declared.iter().find(|known| keys::is_slip(option, &known.key)) {
                        Some(near) => finding
                            .help(format!("write `${{user_config.{}}}`", near.key))
                            .unsafe_edit(mark.place, format!("${{user_config.{}}}", near.key)),
                        None => finding.help(format!("declare it in `{OPTIONS}`, or remove it")),
                    };
                }
            }
        }
    }
}
