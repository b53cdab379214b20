//! Scalars per YAML family: what the families make of a front matter is consistent, and the family of serde_yaml agrees with it.

use std::sync::LazyLock;

use serde::Deserialize;
use skilltree_runtimes::forecast::{Outcome, Reason, SkillForecast, forecasts};
use skilltree_runtimes::profile::Profile;
use skilltree_runtimes::profile::reading::Family;
use skilltree_skills::skill::Skill;

use super::files::{Linted, entry, parts};

/// A runtime that loads everything that its YAML library accepts.
const PROFILE: &str = r#"
id = "fuzz"
title = "Fuzz"
about = "a runtime of a fuzz target"
[loads]
depth = "any"
[loads.fence]
pattern = '\A---\n(?<yaml>(?s:.*?))\n---\n'
absent = "drops"
[loads.yaml]
family = "serde-yaml"
refused = "drops"
not-a-mapping = "drops"
[loads.keys]
known = ["name", "description"]
[loads.fields.name]
missing = "loads"
null = "loads"
blank = "loads"
number = "loads"
boolean = "loads"
date = "loads"
list = "loads"
mapping = "loads"
[loads.fields.description]
missing = "loads"
null = "loads"
blank = "loads"
number = "loads"
boolean = "loads"
date = "loads"
list = "loads"
mapping = "loads"
[loads.identity]
by = "name"
[loads.listing]
shown = ["name", "description"]
"#;

const FAMILIES: [Family; 11] = [
    Family::SerdeYaml,
    Family::GoYaml3,
    Family::Libyaml,
    Family::Pyyaml,
    Family::SerdeYamlValues,
    Family::Strictyaml,
    Family::JsYaml3,
    Family::JsYaml4,
    Family::Yaml2,
    Family::Bun,
    Family::YamlDotNet,
];

static PROFILES: LazyLock<Vec<Profile>> = LazyLock::new(|| {
    let profile = Profile::parse(PROFILE).expect("the profile is valid");
    let with = |family| {
        let mut profile = profile.clone();
        profile.loads.yaml.as_mut().expect("it has a library").family = family;
        profile
    };
    FAMILIES.map(with).into()
});

/// Reads bytes as the YAML of a front matter, once per family.
pub fn scalars(data: &[u8]) {
    let yaml = String::from_utf8_lossy(parts(data, 1)[0]).into_owned();
    // Another fence would end the front matter.
    if yaml.contains("---") || yaml.is_empty() || yaml.ends_with('\n') {
        return;
    }
    let text = format!("---\n{yaml}\n---\nRead it.\n");
    let linted =
        Linted::new(&[entry(".agent/skills/pdf/SKILL.md", text.as_bytes())]).expect("no configuration is valid");
    let catalog = &linted.report.catalog;
    let Some((id, skill)) = catalog.skills().next() else { return };
    let profiles: Vec<&Profile> = PROFILES.iter().collect();
    let all = forecasts(catalog, &profiles);
    let again = forecasts(catalog, &profiles);
    let of = |family: Family| {
        let number = FAMILIES.iter().position(|&known| known == family).expect("it is listed");
        all[number].skill(id)
    };
    for (family, (one, other)) in FAMILIES.iter().zip(all.iter().zip(&again)) {
        assert_eq!(one.skills, other.skills, "{family:?}: the second forecast differs");
        check(*family, one.skill(id));
    }
    for (strict, lax) in [(Family::Strictyaml, Family::Pyyaml), (Family::Pyyaml, Family::Libyaml)] {
        let (strict_reads, lax_reads) = (is_read(of(strict)), is_read(of(lax)));
        assert!(
            strict_reads != Some(true) || lax_reads != Some(false),
            "{strict:?} reads what {lax:?} rejects: {:?}",
            of(lax).reason
        );
    }
    agrees_with_serde_yaml(&yaml, skill, of(Family::SerdeYaml));
}

fn check(family: Family, forecast: &SkillForecast) {
    if matches!(forecast.if_read, Outcome::Drops | Outcome::Unknown) {
        assert!(forecast.reason.is_some(), "{family:?}: no reason");
    }
    if forecast.if_read == Outcome::Drops {
        assert!(forecast.name.is_none() && forecast.description.is_none(), "{family:?}: shown, and not loaded");
    }
}

/// Returns whether a library reads the YAML; `None` if it is unknown.
fn is_read(forecast: &SkillForecast) -> Option<bool> {
    match (forecast.if_read, &forecast.reason) {
        (Outcome::Unknown, _) => None,
        (Outcome::Drops, Some(Reason::Yaml(_) | Reason::FlowCollection)) => Some(false),
        _ => Some(true),
    }
}

#[derive(Deserialize)]
struct Fields {
    name: Option<String>,
    description: Option<String>,
}

/// The forecast for serde_yaml is what serde_yaml does with a struct.
fn agrees_with_serde_yaml(yaml: &str, skill: &Skill, forecast: &SkillForecast) {
    // Aliases and tags are the subject of tests of their own, and a library that is asked for a struct skips other values unread.
    if yaml.contains(['*', '&', '!', '%']) || forecast.if_read == Outcome::Unknown {
        return;
    }
    let read: Result<Fields, _> = serde_yaml::from_str(yaml);
    let shown = |shown: &Option<skilltree_runtimes::forecast::Shown>, key| {
        shown.as_ref().map(|shown| shown.text(skill, key).trim().to_owned())
    };
    let (name, description) = (shown(&forecast.name, "name"), shown(&forecast.description, "description"));
    match (is_read(forecast), read) {
        (Some(false), Ok(_)) => panic!("it is rejected ({:?}), and serde_yaml reads it", forecast.reason),
        (Some(true), Ok(fields)) => {
            for (key, shown, value) in [("name", name, fields.name), ("description", description, fields.description)] {
                let (Some(shown), Some(value)) = (shown, value) else { continue };
                assert_eq!(shown, value.trim(), "`{key}` is shown otherwise than serde_yaml reads it");
            }
        }
        _ => {}
    }
}
