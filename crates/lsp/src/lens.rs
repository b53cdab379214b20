//! The line above a skill: what runtimes make of it, and what it costs. A click opens the forecast.

use gen_lsp_types::{Position, Range};
use serde_json::{Value, json};
use skilltree_front_matter::text::{Place, grouped, tokens};
use skilltree_report::render::Look;
use skilltree_report::render::forecast::{View, write_text};
use skilltree_runtimes::forecast::{Outcome, SkillForecast, forecasts};
use skilltree_runtimes::profile::Profile;

use crate::context::Context;
use crate::runtimes;

/// The command that returns the forecast of a document.
pub(crate) const COMMAND: &str = "skilltree.forecast";

/// The word for runtimes that load a skill and do not show it to the model.
const HIDDEN: &str = "hide";

/// The words for runtimes that load a skill which neither the model nor a person can start.
const NEVER: &str = "never start";

/// The rule about skills of which a runtime loads only one.
const SHADOWED: &str = "shadowed-skill";

/// Answers `textDocument/codeLens`.
pub(crate) fn lenses(context: &Context<'_>, _: &Value) -> Result<Value, String> {
    let Some((id, skill)) = context.skill() else { return Ok(json!([])) };
    let catalog = &context.checked.report.catalog;
    let profiles = runtimes::reading(context.checked, id);
    let found = runtimes::forecasts(catalog, id, &profiles);
    let fate = |(profile, forecast): &(&Profile, SkillForecast)| match forecast.if_read {
        Outcome::Loads | Outcome::Changes
            if skill.disables_invocation() && profile.loads.keys.honors_both_invocations() =>
        {
            Some(NEVER)
        }
        Outcome::Loads | Outcome::Changes if forecast.hidden().is_some() => Some(HIDDEN),
        Outcome::Loads => Some("load"),
        Outcome::Changes => Some("change"),
        Outcome::Drops => Some("drop"),
        Outcome::Unknown => Some("unknown"),
        Outcome::NotRead => None,
    };
    let fates: Vec<&str> = found.iter().filter_map(fate).collect();
    let counts = ["load", "change", HIDDEN, NEVER, "drop", "unknown"].into_iter().filter_map(|word| {
        let count = fates.iter().filter(|fate| **fate == word).count();
        (count > 0).then(|| format!("{count} {word}"))
    });
    let counts: Vec<String> = counts.collect();
    let listed = found.iter().find(|(_, forecast)| forecast.listed && forecast.name.is_some());
    let always = listed.map(|(_, forecast)| {
        let length = |shown: &Option<_>, key| {
            shown
                .as_ref()
                .map_or(0, |shown: &skilltree_runtimes::forecast::Shown| shown.text(skill, key).chars().count())
        };
        tokens(length(&forecast.name, "name") + length(&forecast.description, "description"))
    });
    let body = skill.body.as_ref().map_or(0, |body| tokens(body.chars as usize));
    let nobody = if context.checked.config.targets.is_empty() { "no runtime" } else { "no target" };
    let counts = if counts.is_empty() { format!("{nobody} reads this directory") } else { counts.join(", ") };
    let cost = match always {
        Some(always) => format!("about {} tokens always, {} on load", grouped(always), grouped(body)),
        None => format!("about {} tokens on load", grouped(body)),
    };
    let is_this = |place: Place| place.file == skill.file;
    let is_shared = context.checked.report.findings.iter().any(|finding| {
        finding.rule.id() == SHADOWED
            && (is_this(finding.place) || finding.related.iter().any(|(place, _)| is_this(*place)))
    });
    let cost = if is_shared { format!("{cost} \u{b7} another skill has its name") } else { cost };
    let top = Position { line: 0, character: 0 };
    let command = context.client.forecast_command.as_deref().unwrap_or(COMMAND);
    Ok(json!([{
        "range": Range { start: top, end: top },
        "command": { "title": format!("{counts} \u{b7} {cost}"), "command": command, "arguments": [context.uri] },
    }]))
}

/// Answers `skilltree/forecast`: the text of the forecast of a document.
pub(crate) fn forecast(context: &Context<'_>, _: &Value) -> Result<Value, String> {
    let Some((id, _)) = context.skill() else { return Ok(Value::Null) };
    let checked = context.checked;
    let catalog = &checked.report.catalog;
    let profiles = runtimes::of_skill(checked, id);
    let forecasts = forecasts(catalog, &profiles);
    let is_wanted = |skill| skill == id;
    let is_explicit = !checked.config.targets.is_empty();
    let look = Look { width: 100, ..Look::default() };
    let view = View { is_wanted: &is_wanted, is_explicit, most: None, all: "", verbose: true, look };
    let mut text = Vec::new();
    write_text(catalog, &profiles, &forecasts, view, &mut text).map_err(|error| error.to_string())?;
    Ok(json!({ "text": String::from_utf8_lossy(&text) }))
}

/// Answers `workspace/executeCommand`.
pub(crate) fn execute(context: &Context<'_>, params: &Value) -> Result<Value, String> {
    match params["command"].as_str() {
        Some(COMMAND) => forecast(context, params),
        _ => Err("the server does not know this command".to_owned()),
    }
}
