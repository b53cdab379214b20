//! Matchers of hooks that name no tool, in JSON.

use crate::rule::{Sink, Subject};
use skilltree_front_matter::text::{self, FileId, Place};
use skilltree_runtimes::profile::Profile;
use skilltree_skills::keys::meant_tool;
use skilltree_skills::manifest::HOOKS;
use skilltree_skills::manifest::json::Json;

/// Part of the name of an event whose matchers name tools.
pub(super) const ABOUT_TOOLS: &str = "ToolUse";

/// Returns the words of a matcher that are no tool, each with the one that is meant. It may be an expression, of which only plain words are
/// compared.
pub(super) fn misnamed<'a>(matcher: &'a str, tools: &'a [String]) -> impl Iterator<Item = (&'a str, &'a str)> {
    matcher.split('|').map(str::trim).filter_map(move |word| {
        let is_plain = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !is_plain || tools.iter().any(|tool| tool == word) {
            return None;
        }
        let in_other_case = tools.iter().find(|tool| tool.eq_ignore_ascii_case(word)).map(String::as_str);
        Some((word, in_other_case.or_else(|| meant_tool(word, tools))?))
    })
}

/// Reports the matchers of hooks that name no tool.
pub(super) fn report(json: &Json, file: FileId, profile: &Profile, sink: &mut Sink) {
    let events = json.get(HOOKS).map(Json::members).unwrap_or_default();
    let about_tools = events.iter().filter(|event| event.key.contains(ABOUT_TOOLS));
    for matcher in about_tools.flat_map(|event| event.value.items()).filter_map(|entry| entry.get("matcher")) {
        for (word, meant) in misnamed(matcher.text().unwrap_or_default(), &profile.loads.keys.tools) {
            let (place, shown) = (Place::new(file, matcher.range.clone()), text::shortened(word, 64));
            sink.about(Subject::Tree)
                .report(place, format!("`{shown}` is not a tool of {}, so it matches nothing", profile.actor()))
                .help(format!("write `{meant}`"));
        }
    }
}
