//! Servers in a manifest, as Claude Code 2.1.331 accepts them: with another type in one of them, it loads nothing of the plugin. Kinds of
//! servers that it does not know are left to it: newer versions have more.

use skilltree_skills::manifest::json::{Json, Value};

/// Returns whether a value is an object of MCP servers.
pub(super) fn are_servers(value: &Json) -> bool {
    is_object(value) && value.members().iter().all(|member| is_server(&member.value))
}

fn is_server(value: &Json) -> bool {
    let is_text = |key: &str| value.get(key).is_some_and(|value| value.text().is_some());
    let is_started = match value.get("type") {
        None => true,
        Some(kind) => kind.text() == Some("stdio"),
    };
    match value.value {
        Value::Deep => true,
        Value::Object(_) if is_started => {
            let are_arguments = value.get("args").is_none_or(are_texts);
            is_text("command") && are_arguments && value.get("env").is_none_or(are_texts)
        }
        Value::Object(_) => is_text("type") && (is_text("url") || is_text("name") || is_text("command")),
        _ => false,
    }
}

/// Returns whether all values of a list or an object are strings.
fn are_texts(value: &Json) -> bool {
    match &value.value {
        Value::List(items) => items.iter().all(|item| item.text().is_some()),
        Value::Object(members) => members.iter().all(|member| member.value.text().is_some()),
        other => *other == Value::Deep,
    }
}

fn is_object(value: &Json) -> bool {
    matches!(value.value, Value::Object(_) | Value::Deep)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Json {
        Json::parse(text, &mut 1_000).unwrap()
    }

    #[test]
    fn accepts_what_the_program_accepts() {
        for (text, expected) in [
            (r#"{"x": {"command": "a", "zz": 1}}"#, true),
            (r#"{"x": {"command": "a", "args": ["b"], "env": {"A": "1"}}}"#, true),
            (r#"{"x": {"type": "http", "url": "https://a"}}"#, true),
            ("{}", true),
            (r#"{"x": {"command": 1}}"#, false),
            (r#"{"x": {"command": "a", "args": "b"}}"#, false),
            (r#"{"x": {"command": "a", "env": {"A": 1}}}"#, false),
            (r#"{"x": {}}"#, false),
            (r#"{"x": "a"}"#, false),
            (r#"{"x": {"type": "http"}}"#, false),
        ] {
            assert_eq!(are_servers(&parsed(text)), expected, "{text}");
        }
    }
}
