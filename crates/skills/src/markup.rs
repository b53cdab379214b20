//! Text in XML and HTML.

/// Escapes text for elements and for attributes in quotes, as Python's `html.escape` does, which the reference library of Agent
/// Skills uses. XML cannot contain control characters at all; they must be escaped before.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#x27;"),
            other => escaped.push(other),
        }
    }
    escaped
}
