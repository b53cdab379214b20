//! Matchers of hooks that match no tool, or every one.

use crate::rule::{Level, Sink, Subject};
use skilltree_front_matter::text::{self, FileId, Place};
use skilltree_runtimes::profile::Profile;
use skilltree_skills::keys::meant_tool;
use skilltree_skills::manifest::HOOKS;
use skilltree_skills::manifest::json::Json;

/// Part of the name of an event whose matchers name tools.
pub(super) const ABOUT_TOOLS: &str = "ToolUse";

/// Start of the name of a tool of an MCP server: `mcp__SERVER__TOOL`.
const SERVER: &str = "mcp__";

/// Maximum number of names in an edit (ours: 8).
const NAMED: usize = 8;

/// What is wrong with a matcher, and the edit.
pub(super) struct Fault {
    /// The fact; `{actor}` is not in it.
    pub(super) message: String,
    pub(super) help: String,
}

impl Fault {
    fn new(message: String, help: String) -> Self {
        Self { message, help }
    }
}

/// Returns what is wrong with a matcher, as Claude Code 2.1.332 compares it: with letters, digits, `_`, `-`, spaces, commas and bars only, it is
/// a list of names; anything else is a regular expression, which matches any part of a name.
pub(super) fn faults(matcher: &str, tools: &[String], actor: &str) -> Vec<Fault> {
    let is_of_list = |byte: u8| is_of_name(byte) || b" ,|".contains(&byte);
    if tools.is_empty() {
        return Vec::new();
    }
    match matcher.bytes().all(is_of_list) {
        true => matcher.split(['|', ',']).filter_map(|word| of_word(word.trim(), tools, actor)).collect(),
        false if matcher == "*" => Vec::new(),
        false => of_expression(matcher, tools, actor),
    }
}

/// Returns whether a byte can be in the name of a tool.
fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-".contains(&byte)
}

/// Returns what is wrong with a name in a list.
fn of_word(word: &str, tools: &[String], actor: &str) -> Option<Fault> {
    let shown = text::shortened(word, 64);
    if let Some(server) = word.strip_prefix(SERVER) {
        let is_server = !server.is_empty() && server.split_once("__").is_none_or(|(_, tool)| tool.is_empty());
        let all = text::shortened(server.trim_end_matches('_'), 64);
        return is_server.then(|| {
            let message = format!("`{shown}` is a server and not a tool of {actor}, so it matches nothing");
            Fault::new(message, format!("write `{SERVER}{all}__.*`"))
        });
    }
    // Several words are one name, too.
    if word.contains(' ') {
        return Some(no_tool(word, word, tools));
    }
    if word.is_empty()
        || !word.bytes().all(|byte| byte.is_ascii_alphanumeric())
        || tools.iter().any(|tool| tool == word)
    {
        return None;
    }
    let in_other_case = tools.iter().find(|tool| tool.eq_ignore_ascii_case(word)).map(String::as_str);
    let meant = in_other_case.or_else(|| meant_tool(word, tools))?;
    let message = format!("`{shown}` is not a tool of {actor}, so it matches nothing");
    Some(Fault::new(message, format!("write `{meant}`")))
}

/// Returns what is wrong with a regular expression. Others than these may match.
fn of_expression(matcher: &str, tools: &[String], actor: &str) -> Vec<Fault> {
    let alternatives = alternatives(matcher);
    if alternatives.len() > 1 && alternatives.iter().any(|alternative| alternative.is_empty()) {
        let shown = text::shortened(matcher, 64);
        let message = format!("a part between the bars of `{shown}` is empty, so it matches every tool");
        return vec![Fault::new(message, meant(matcher, tools))];
    }
    let dead = |alternative: &&&str| is_impossible(alternative) || is_permission(alternative, tools);
    let Some(first) = alternatives.iter().find(dead) else {
        // A word matches any part of a name.
        let is_part = |word: &str| tools.iter().any(|tool| tool.contains(word));
        let words = alternatives.into_iter().filter(|word| word.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        return words.filter(|word| !is_part(word)).filter_map(|word| of_word(word, tools, actor)).collect();
    };
    // A quantifier without anything before it makes the whole expression invalid.
    let is_whole = first.starts_with(['*', '+', '?']) || alternatives.iter().filter(dead).count() == alternatives.len();
    vec![no_tool(if is_whole { matcher } else { first }, matcher, tools)]
}

fn no_tool(part: &str, matcher: &str, tools: &[String]) -> Fault {
    let message = format!("`{}` matches no tool", text::shortened(part.trim(), 64));
    Fault::new(message, meant(matcher, tools))
}

/// Returns the edit: the tools that an expression names, as a list.
fn meant(matcher: &str, tools: &[String]) -> String {
    let negated = matcher.strip_prefix('!').or_else(|| matcher.strip_prefix("not "));
    if let Some(tool) = negated.filter(|word| tools.iter().any(|tool| tool == word)) {
        return format!("write `^(?!{tool}$)`");
    }
    // What is in brackets are arguments.
    let outside = matcher.split('(').next().filter(|_| is_permission(matcher, tools)).unwrap_or(matcher);
    let is_word = |character: char| character.is_ascii_alphanumeric() || "_-.*".contains(character);
    let words = outside.split(|character| !is_word(character));
    let known = |word: &&str| tools.iter().any(|tool| tool == word) || word.starts_with(SERVER);
    let named: Vec<String> =
        words.filter(known).take(NAMED).map(|word| text::shortened(word, 64).into_owned()).collect();
    match named.as_slice() {
        [] => "write the names of tools with a bar between them, such as `Bash|Edit`".to_owned(),
        _ if outside.len() < matcher.len() => {
            let rule = text::shortened(matcher, 64);
            format!("write `{}`, and `if: {rule}` next to the `command` of the hook", named.join("|"))
        }
        _ => format!("write `{}`", named.join("|")),
    }
}

/// Returns the alternatives of an expression: its parts between bars that are in no group and no class.
fn alternatives(matcher: &str) -> Vec<&str> {
    let (mut found, mut from) = (Vec::new(), 0);
    for (at, byte) in outer(matcher) {
        if byte == b'|' {
            found.push(&matcher[from..at]);
            from = at + 1;
        }
    }
    found.push(&matcher[from..]);
    found
}

/// Returns the bytes of an expression outside its groups and classes, without escaped ones.
fn outer(expression: &str) -> impl Iterator<Item = (usize, u8)> {
    let (mut depth, mut is_class, mut is_escaped) = (0_usize, false, false);
    expression.bytes().enumerate().filter(move |&(_, byte)| {
        let was_inside = depth > 0 || is_class || is_escaped;
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b']' => is_class = false,
            _ if is_class => {}
            b'[' => is_class = true,
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => return !was_inside,
        }
        false
    })
}

/// Returns whether an alternative needs a character that no name of a tool has, or begins with a quantifier.
fn is_impossible(alternative: &str) -> bool {
    let bytes = alternative.as_bytes();
    let is_optional = |at: usize| matches!(bytes.get(at + 1), Some(b'*' | b'?' | b'{'));
    let mut is_count = false;
    let mut is_needed = |(at, byte): (usize, u8)| {
        let opens = byte == b'{' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        let (was_count, closes) = (is_count, is_count && byte == b'}');
        is_count = opens || was_count && !closes;
        let is_special = opens || was_count || b".^$*+?".contains(&byte);
        !is_of_name(byte) && !is_special && byte.is_ascii() && !is_optional(at)
    };
    alternative.starts_with(['*', '+', '?']) || outer(alternative).any(&mut is_needed)
}

/// Returns whether an alternative is a rule for a permission, such as `Bash(git *)`, and no expression for the name of a tool.
fn is_permission(alternative: &str, tools: &[String]) -> bool {
    let Some((tool, rest)) = alternative.trim().split_once('(') else { return false };
    let Some(arguments) = rest.strip_suffix(')').filter(|rest| !rest.is_empty() && !rest.contains('|')) else {
        return false;
    };
    let goes_on = |known: &String| known.len() > tool.len() && known.starts_with(tool);
    tools.iter().any(|known| known == tool)
        && (arguments.contains([' ', ':', '/', '~']) || arguments.starts_with('*') || !tools.iter().any(goes_on))
}

/// Reports the matchers of hooks that match no tool, or every one.
pub(super) fn report(json: &Json, file: FileId, profile: &Profile, sink: &mut Sink) {
    let events = json.get(HOOKS).map(Json::members).unwrap_or_default();
    let about_tools = events.iter().filter(|event| event.key.contains(ABOUT_TOOLS));
    for matcher in about_tools.flat_map(|event| event.value.items()).filter_map(|entry| entry.get("matcher")) {
        let written = matcher.text().unwrap_or_default();
        for fault in faults(written, &profile.loads.keys.tools, profile.actor()) {
            let place = Place::new(file, matcher.range.clone());
            sink.about(Subject::Tree).report(place, fault.message).at_most(Level::Warning).help(fault.help);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the hooks of a plugin in Claude Code 2.1.332, before calls of `Bash` and of a tool of an MCP server.
    #[test]
    fn finds_matchers_that_match_nothing() {
        let tools = ["Bash", "Edit", "Write", "TaskCreate", "TaskUpdate"].map(str::to_owned);
        let messages = |matcher: &str| -> Vec<String> {
            faults(matcher, &tools, "Claude Code").into_iter().map(|fault| fault.message).collect()
        };
        for good in [
            "",
            "*",
            ".*",
            "Bash",
            "Bash|Edit",
            "Bash || Edit",
            "Edit, Bash",
            "Bash|",
            "  Bash ",
            "^Bash$",
            "Ba.*",
            "^(?!Edit)",
            "[Bash]",
            "(Bash|Edit)",
            "Task(Create|Update)",
            "Bash(Output)?",
            "mcp__github__.*",
            "mcp__github__ping",
            "mcp__.*",
            "mcp__a-b__*",
            ".*ping",
            "\\bBash\\b",
            "Bash:*",
            "Bash{1,2}",
            "SomethingNew",
            "Bash;*",
        ] {
            assert_eq!(messages(good), [""; 0], "{good}");
        }
        for bad in [
            "tool == \"Bash\"",
            "Bash && Edit",
            "Bash(git *)",
            "Bash(echo:*)",
            "!Edit",
            "\"Bash\"",
            "/Bash/",
            "Bash Edit",
            "*Bash",
            "**",
            "Bash or Edit",
            "tool_name=Bash",
            "{Bash,Edit}",
            "<Bash>",
            "Bash;Edit",
            "\"Bash|Edit\"",
            "Bash & Edit",
            "Bash$ ",
        ] {
            assert_eq!(messages(bad), [format!("`{}` matches no tool", bad.trim())]);
        }
    }

    #[test]
    fn names_the_part_that_is_wrong() {
        let tools = ["Bash", "Edit"].map(str::to_owned);
        let messages = |matcher: &str| -> Vec<String> {
            faults(matcher, &tools, "Claude Code").into_iter().map(|fault| fault.message).collect()
        };
        for (bad, message) in [
            ("Bash(git *)|Edit", "`Bash(git *)` matches no tool"),
            ("Bash, mcp__*", "`Bash, mcp__*` matches no tool"),
            ("Bash,mcp__.*", "`Bash,mcp__.*` matches no tool"),
            (
                "tool == \"Bash\" || tool == \"Edit\"",
                "a part between the bars of `tool == \"Bash\" || tool == \"Edit\"` is empty, so it matches every tool",
            ),
            ("Bash|mcp__a-b", "`mcp__a-b` is a server and not a tool of Claude Code, so it matches nothing"),
            ("mcp__a__", "`mcp__a__` is a server and not a tool of Claude Code, so it matches nothing"),
            ("bash", "`bash` is not a tool of Claude Code, so it matches nothing"),
        ] {
            assert_eq!(messages(bad), [message], "{bad}");
        }
    }

    #[test]
    fn proposes_the_list_that_is_meant() {
        let tools = ["Bash", "Edit"].map(str::to_owned);
        for (matcher, help) in [
            ("Bash && Edit", "write `Bash|Edit`"),
            ("tool == \"Bash\"", "write `Bash`"),
            ("!Edit", "write `^(?!Edit$)`"),
            ("Bash, mcp__*", "write `Bash|mcp__*`"),
            ("Bash(git *)", "write `Bash`, and `if: Bash(git *)` next to the `command` of the hook"),
            ("mcp__a", "write `mcp__a__.*`"),
            ("a & b", "write the names of tools with a bar between them, such as `Bash|Edit`"),
        ] {
            let found: Vec<String> = faults(matcher, &tools, "x").into_iter().map(|fault| fault.help).collect();
            assert_eq!(found, [help]);
            if let Some(meant) =
                help.strip_prefix("write `").and_then(|rest| rest.split('`').next()).filter(|_| matcher != "a & b")
            {
                assert!(faults(meant, &tools, "x").is_empty(), "{meant}");
            }
        }
    }
}
