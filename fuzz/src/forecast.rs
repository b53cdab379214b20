//! Forecasts of every built-in runtime: total, the same every time, and consistent with what a runtime is shown.

use skilltree_runtimes::forecast::{Outcome, Shown, SkillForecast, forecasts};
use skilltree_runtimes::profile::{Profile, Profiles};
use skilltree_skills::skill::Skill;

use super::files::{Linted, parts, skills};

/// Forecasts what every runtime makes of up to three skills.
pub fn forecast(data: &[u8]) {
    let linted = Linted::new(&skills(&parts(data, 3))).expect("no configuration is a configuration");
    let catalog = &linted.report.catalog;
    let known = Profiles::default();
    let profiles: Vec<&Profile> = known.ids().filter_map(|id| known.find(id)).collect();
    let all = forecasts(catalog, &profiles);
    let again = forecasts(catalog, &profiles);
    assert_eq!(all.len(), profiles.len());
    for ((profile, forecast), again) in profiles.iter().zip(&all).zip(&again) {
        assert_eq!(forecast.profile, profile.id);
        assert_eq!(forecast.skills, again.skills, "{}: the second forecast differs", profile.id);
        assert_eq!(forecast.skills.len(), catalog.parsed.skills.len(), "{}: a skill is missing", profile.id);
        for (id, skill) in catalog.skills() {
            check(profile, skill, forecast.skill(id));
        }
    }
}

fn check(profile: &Profile, skill: &Skill, forecast: &SkillForecast) {
    let id = &profile.id;
    let text = |shown: &Option<Shown>, key| shown.as_ref().map(|shown| shown.text(skill, key).into_owned());
    let (name, description) = (text(&forecast.name, "name"), text(&forecast.description, "description"));
    match forecast.if_read {
        Outcome::Loads => assert!(forecast.cut_from.is_none(), "{id}: loads unchanged, and is cut: {forecast:?}"),
        Outcome::Changes => assert!(forecast.reason.is_some(), "{id}: changes without a reason: {forecast:?}"),
        Outcome::Unknown | Outcome::NotRead => {
            assert!(forecast.reason.is_some(), "{id}: unknown without a reason: {forecast:?}")
        }
        Outcome::Drops => {
            assert!(forecast.reason.is_some(), "{id}: drops without a reason: {forecast:?}");
            assert!(name.is_none() && description.is_none(), "{id}: shown, and not loaded: {forecast:?}");
        }
    }
    assert!(forecast.listed || forecast.reason.is_some(), "{id}: not listed without a reason: {forecast:?}");
    // What a runtime loads unchanged, it shows as written, up to whitespace and escapes of XML.
    if forecast.if_read == Outcome::Loads {
        let escapes = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&amp;", "&")];
        let words = |text: &str| {
            let text =
                escapes.iter().fold(text.to_owned(), |text, (escape, character)| text.replace(escape, character));
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        if let (Some(written), Some(shown)) =
            (skill.scalar("description").map(words), description.as_deref().map(words))
        {
            assert!(shown.starts_with(&written), "{id}: the description is {written:?}, and {shown:?} is shown");
        }
    }
    if let Some(reason) = &forecast.reason {
        assert!(!reason.to_string().is_empty(), "{id}: an empty reason");
    }
}
