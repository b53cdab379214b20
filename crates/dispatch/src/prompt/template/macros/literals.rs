//! Literal text of a template: what it may contain, and how its output is counted.

use super::refused::tag;

/// Global list that holds the literal text of a template.
pub(super) const LITERALS: &str = "__literals";

/// Replaces literal text by items of the list [`LITERALS`], which it returns too. The engine then prints all text as values,
/// so that the output can be counted and stopped. Line numbers stay. The template has no refused tokens.
pub(super) fn as_values(template: &str) -> (String, Vec<String>) {
    let (mut source, mut literals) = (String::with_capacity(template.len() * 2), Vec::new());
    let (mut rest, mut trims) = (template, false);
    loop {
        let (literal, tagged) = rest.split_at(start(rest).unwrap_or(rest.len()));
        let trims_end = tagged[tagged.len().min(2)..].starts_with('-');
        let text = if trims { literal.trim_start() } else { literal };
        let text = if trims_end { text.trim_end() } else { text };
        if !text.is_empty() {
            source.push_str(&format!("{{{{ {LITERALS}[{}]", literals.len()));
            literals.push(text.replace("\r\n", "\n"));
            source.push_str(&"\n".repeat(literal.matches('\n').count()));
            source.push_str(" }}");
        } else {
            source.push_str(literal);
        }
        if tagged.is_empty() {
            return (source, literals);
        }
        let after = match tagged.strip_prefix("{#") {
            Some(comment) => comment.split_once("#}").map_or("", |(_, after)| after),
            None => tag(&tagged[2..]).unwrap_or_default(),
        };
        let whole = &tagged[..tagged.len() - after.len()];
        trims = whole.len() > 4 && ["-}}", "-%}", "-#}"].iter().any(|end| whole.ends_with(end));
        source.push_str(whole);
        rest = after;
    }
}

/// Returns the start of the first tag or comment.
fn start(text: &str) -> Option<usize> {
    text.match_indices('{').map(|(at, _)| at).find(|at| text[at + 1..].starts_with(['{', '%', '#']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_literals_and_keeps_lines() {
        let (source, literals) = as_values("a\n{% macro x() -%}\n  b\n{#- c -#} { d {{ '}}' }}\r\n{%- endmacro %}");
        assert_eq!(literals, ["a\n", "b", "{ d "]);
        let expected = "{{ __literals[0]\n }}{% macro x() -%}{{ __literals[1]\n\n }}{#- c -#}{{ __literals[2] }}{{ '}}' }}\r\n{%- endmacro %}";
        assert_eq!(source, expected);
    }

    #[test]
    fn keeps_unclosed_tag() {
        for tag in ["{{ sk\u{fffd}}", "{% é", "{# é", "{{"] {
            assert_eq!(as_values(tag), (tag.to_owned(), Vec::new()));
        }
    }
}
