//! Edits of threads.json that bind or unbind one skill and change no other byte.

use std::ops::Range;

use super::{ACTIVE, ALL, BOUND};
use crate::records::json::Value;

/// Binds a skill to a thread, before the others; returns the same text if it is bound already. `None` if the text has
/// faults.
pub fn bind(text: &str, thread: &str, skill: &str) -> Option<String> {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let list = format!("[{}]", quoted(skill));
    if text.trim().is_empty() {
        let id = quoted(thread);
        return Some(format!("{{\n  \"{ALL}\": {{\n    {id}: {{\n      \"{BOUND}\": {list}\n    }}\n  }}\n}}\n"));
    }
    let threads = member(&Value::parse(text, 0).ok()?, ALL)?;
    let Some(own) = member(&threads, thread) else {
        let added = format!("{}: {{\"{BOUND}\": {list}}}", quoted(thread));
        return Some(in_front(text, &threads, first_key(&threads)?, &added));
    };
    let Some(bound) = member(&own, BOUND) else {
        return Some(in_front(text, &own, first_key(&own)?, &format!("\"{BOUND}\": {list}")));
    };
    let items = bound.items()?;
    if items.iter().any(|item| item.text().as_deref() == Some(skill)) {
        return Some(text.to_owned());
    }
    let first = items.first().map(|item| item.range().start);
    Some(in_front(text, &bound, first, &quoted(skill)))
}

/// Makes a thread the active one, and adds it if it is missing. `None` if the text has faults.
pub fn activate(text: &str, thread: &str) -> Option<String> {
    let quoted = serde_json::Value::from(thread).to_string();
    if text.trim().is_empty() {
        return Some(format!("{{\n  \"{ACTIVE}\": {quoted},\n  \"{ALL}\": {{\n    {quoted}: {{}}\n  }}\n}}\n"));
    }
    let file = Value::parse(text, 0).ok()?;
    let threads = member(&file, ALL)?;
    let known = match member(&threads, thread) {
        Some(_) => text.to_owned(),
        None => in_front(text, &threads, first_key(&threads)?, &format!("{quoted}: {{}}")),
    };
    let file = Value::parse(&known, 0).ok()?;
    Some(match member(&file, ACTIVE) {
        Some(active) => spliced(&known, active.range(), &quoted),
        None => in_front(&known, &file, first_key(&file)?, &format!("\"{ACTIVE}\": {quoted}")),
    })
}

/// Unbinds a skill from a thread; returns the same text if it is not bound.
pub fn unbind(text: &str, thread: &str, skill: &str) -> Option<String> {
    let same = Some(text.to_owned());
    if text.trim().is_empty() {
        return same;
    }
    let threads = member(&Value::parse(text, 0).ok()?, ALL)?;
    let Some(bound) = member(&threads, thread).and_then(|own| member(&own, BOUND)) else { return same };
    let items = bound.items()?;
    let Some(number) = items.iter().position(|item| item.text().as_deref() == Some(skill)) else { return same };
    let range = items[number].range();
    let cut = match (items.get(number + 1), number.checked_sub(1)) {
        (Some(next), _) => range.start..next.range().start,
        (None, Some(last)) => items[last].range().end..range.end,
        (None, None) => bound.range().start + 1..bound.range().end - 1,
    };
    let cut_out = spliced(text, cut, "");
    // Remove the later duplicates too.
    if items[number + 1..].iter().any(|item| item.text().as_deref() == Some(skill)) {
        return unbind(&cut_out, thread, skill);
    }
    Some(cut_out)
}

/// Returns the value of a key of an object.
fn member<'a>(value: &Value<'a>, wanted: &str) -> Option<Value<'a>> {
    value.members()?.into_iter().find(|(key, _)| key.text == wanted).map(|(_, value)| value)
}

/// Returns the offset of the first key of an object, if it has one; `None` if the value is not an object.
fn first_key(value: &Value<'_>) -> Option<Option<usize>> {
    Some(value.members()?.first().map(|(key, _)| key.range.start))
}

/// Inserts a text before the first entry of a list or an object, with the same whitespace that the first entry has.
fn in_front(text: &str, holder: &Value<'_>, first: Option<usize>, added: &str) -> String {
    let inside = holder.range().start + 1;
    match first {
        None => spliced(text, inside..holder.range().end - 1, added),
        Some(first) => {
            let blank = &text[inside..first];
            let blank = if blank.contains('\n') { blank } else { " " };
            spliced(text, first..first, &format!("{added},{blank}"))
        }
    }
}

fn spliced(text: &str, range: Range<usize>, replacement: &str) -> String {
    format!("{}{replacement}{}", &text[..range.start], &text[range.end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binds_skill_first_and_keeps_other_bytes() {
        let first = bind("", "t", "a").unwrap();
        assert_eq!(first, "{\n  \"threads\": {\n    \"t\": {\n      \"bound-skills\": [\"a\"]\n    }\n  }\n}\n");
        let second = bind(&first, "t", "b").unwrap();
        assert_eq!(second, first.replace("[\"a\"]", "[\"b\", \"a\"]"));
        assert_eq!(bind(&second, "t", "a").unwrap(), second);
        let other = bind(&second, "u\"", "c").unwrap();
        assert_eq!(other, second.replace("    \"t\"", "    \"u\\\"\": {\"bound-skills\": [\"c\"]},\n    \"t\""));
        let foreign = "{\"x\": 1.0, \"threads\": {\"t\": {\"concern\": [ ]}, \"e\": { }}}";
        assert_eq!(
            bind(foreign, "t", "a").unwrap(),
            "{\"x\": 1.0, \"threads\": {\"t\": {\"bound-skills\": [\"a\"], \"concern\": [ ]}, \"e\": { }}}"
        );
        assert!(bind(foreign, "e", "a").unwrap().ends_with("\"e\": {\"bound-skills\": [\"a\"]}}}"));
        assert_eq!(
            bind("{\"threads\": { }}", "t", "a").unwrap(),
            "{\"threads\": {\"t\": {\"bound-skills\": [\"a\"]}}}"
        );
        assert_eq!(bind("[", "t", "a"), None);
    }

    #[test]
    fn activates_thread_and_keeps_other_bytes() {
        let first = activate("", "t").unwrap();
        assert_eq!(first, "{\n  \"active-thread\": \"t\",\n  \"threads\": {\n    \"t\": {}\n  }\n}\n");
        let second = activate(&first, "u").unwrap();
        assert_eq!(
            second,
            first.replace(": \"t\",", ": \"u\",").replace("    \"t\": {}", "    \"u\": {},\n    \"t\": {}")
        );
        assert_eq!(activate(&second, "u").unwrap(), second);
        assert_eq!(
            activate("{\"x\": 1.0, \"threads\": {\"t\": {}}}", "t").unwrap(),
            "{\"active-thread\": \"t\", \"x\": 1.0, \"threads\": {\"t\": {}}}"
        );
        assert_eq!(activate("[", "t"), None);
    }

    #[test]
    fn unbinds_skill_with_its_comma() {
        let bound = |names: &str| format!("{{\"threads\": {{\"t\": {{\"bound-skills\": [{names}]}}}}}}");
        for (before, after) in [
            ("\"a\"", ""),
            (" \"a\" ", ""),
            ("\"a\", \"b\"", "\"b\""),
            ("\"b\", \"a\"", "\"b\""),
            ("\"b\",\n \"a\",\n \"c\"", "\"b\",\n \"c\""),
            ("\"a\", \"b\", \"a\"", "\"b\""),
            ("\"b\"", "\"b\""),
        ] {
            assert_eq!(unbind(&bound(before), "t", "a").unwrap(), bound(after), "{before}");
        }
        assert_eq!(unbind(&bound("\"a\""), "u", "a").unwrap(), bound("\"a\""));
        assert_eq!(unbind("", "t", "a").unwrap(), "");
    }
}
