//! Variables in code that look like arguments of the skill: `$1` in an awk program, in SQL, in a shell function. Some runtimes replace
//! them by words that the user typed.

use std::cell::LazyCell;
use std::ops::Range;

use bstr::ByteSlice;

use super::markdown::{Block, Structure};
use crate::skill::Marks;
use skilltree_front_matter::text::{FileId, Place};

/// Maximum length of the code before a variable that is read, in bytes (ours: 2,000).
const BEFORE_BYTES: usize = 2_000;

/// Maximum length of the rest of a line that is read, in bytes.
const AFTER_BYTES: usize = 400;

/// Maximum number of variables of a body whose code is read (ours: 4,096).
const LOOKED: usize = 4_096;

/// Returns the variables in code in the body that begins at an offset, each with the code that it belongs to. Prices are none, nor are
/// variables in commands that the skill wants to be filled in.
pub(super) fn find<F: FnOnce() -> Structure>(
    file: FileId,
    text: &str,
    start: usize,
    structure: &LazyCell<Structure, F>,
) -> Marks<&'static str> {
    let (mut marks, mut looked) = (Marks::default(), 0);
    for at in text.as_bytes().get(start..).unwrap_or_default().find_iter("$") {
        let at = start + at;
        let Some(range) = variable(text.as_bytes(), at) else { continue };
        let (code, block) = match structure.block(at) {
            Some(found) => found,
            None => match structure.span_around(at) {
                Some(span) => (span, Block::Other),
                None => continue,
            },
        };
        looked += 1;
        if looked > LOOKED {
            break;
        }
        let Some(holder) = holder(text, &range, &code, block) else { continue };
        let written = &text[range.clone()];
        marks.push(holder, Place::new(file, range), written);
    }
    marks
}

/// Returns the range of the variable at a dollar sign: digits that no letter follows. After a backslash it is not replaced.
pub(super) fn variable(text: &[u8], at: usize) -> Option<Range<usize>> {
    let digits = text[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let end = at + 1 + digits;
    let is_longer = text.get(end).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let is_escaped = at > 0 && matches!(text[at - 1], b'\\' | b'$');
    (matches!(digits, 1 | 2) && !is_longer && !is_escaped).then_some(at..end)
}

/// Returns the code that a variable belongs to, as the text of a message; `None` if it may be an argument of the skill or a price.
fn holder(text: &str, range: &Range<usize>, code: &Range<usize>, block: Block) -> Option<&'static str> {
    let bytes = text.as_bytes();
    let before = &bytes[code.start.max(range.start.saturating_sub(BEFORE_BYTES))..range.start];
    let line = &before[before.rfind_byte(b'\n').map_or(0, |newline| newline + 1)..];
    let after = &bytes[range.end..code.end.min(range.end + AFTER_BYTES)];
    let after = &after[..after.find_byte(b'\n').unwrap_or(after.len())];
    if block == Block::Awk || is_in_awk(before) {
        return Some("an awk program");
    }
    if is_price(after) {
        return None;
    }
    if block == Block::Swift || (line.ends_with(b"{ ") && after.starts_with(b".")) {
        return Some("a Swift closure");
    }
    if is_in_sql(line, block) {
        return Some("an SQL statement");
    }
    if block == Block::Perl || is_replacement(line) {
        return Some("a replacement text");
    }
    (block == Block::Shell && is_in_script(before, line)).then_some("a shell script")
}

/// Returns whether the text after a number makes it a price: `$1.50`, `$1,000`, `$5-10`, `$5/month`.
pub(super) fn is_price(after: &[u8]) -> bool {
    match after {
        [b'.' | b',', next, ..] => next.is_ascii_digit(),
        [b'-', next, ..] => next.is_ascii_digit() || *next == b'$',
        [b'/', next, ..] => next.is_ascii_alphabetic(),
        _ => false,
    }
}

/// Returns whether the code before a variable opens an awk program: a quote after the word `awk` is still open, in the same command.
fn is_in_awk(before: &[u8]) -> bool {
    let Some(at) = before.rfind("awk ") else { return false };
    let mut is_open = false;
    for &byte in &before[at..] {
        match byte {
            b'\'' => is_open = !is_open,
            b'\n' | b';' | b'|' | b'&' if !is_open => return false,
            _ => {}
        }
    }
    is_open
}

/// Words of SQL statements with parameters.
const SQL: [&str; 12] = [
    "SELECT ",
    "INSERT ",
    "UPDATE ",
    "DELETE ",
    "WHERE ",
    "VALUES",
    "LIMIT ",
    "OFFSET ",
    "BETWEEN ",
    "RETURNING ",
    "where ",
    "values (",
];

/// Returns whether a variable is the parameter of an SQL statement: it follows an operator, a comma or a bracket.
fn is_in_sql(line: &[u8], block: Block) -> bool {
    let is_statement = block == Block::Sql || SQL.iter().any(|word| line.contains_str(word));
    let last = line.trim_end_with(|character| character == ' ');
    let is_operand = last.last().is_some_and(|byte| b"=<>(,+-*/|%".contains(byte));
    let is_clause = ["SELECT", "LIMIT", "OFFSET", "AND", "LIKE", "ILIKE", "BETWEEN", "IN", "limit", "offset"];
    is_statement && (is_operand || is_clause.iter().any(|word| last.ends_with_str(word)))
}

/// Calls and programs whose replacement texts have variables for groups.
const REPLACING: [&str; 7] =
    [".replace(", ".replaceAll(", "preg_replace(", "perl -", "RewriteRule ", "rewrite ^", "=~ "];

/// Returns whether the line before a variable begins a replacement.
fn is_replacement(line: &[u8]) -> bool {
    REPLACING.iter().any(|word| line.contains_str(word))
}

/// Returns whether a variable is in a shell function or in a whole script: there it is an argument of that, not of the skill.
fn is_in_script(before: &[u8], line: &[u8]) -> bool {
    // The block begins with its fence.
    let is_script = before.lines().nth(1).is_some_and(|first| first.starts_with(b"#!"));
    let names_itself = ["basename \"", "dirname \"", "dirname -- \"", "Usage: ", "usage: "];
    let is_name = names_itself.iter().any(|word| line.ends_with_str(word));
    is_script || is_name || is_in_function(before)
}

/// Returns whether code ends inside a shell function: no line begins with a closing brace after the last opening one.
fn is_in_function(before: &[u8]) -> bool {
    let with_brackets = ["() {", "(){", "()\n{"].iter().filter_map(|opening| before.rfind(opening)).max();
    let with_word = before.rfind("\nfunction ").filter(|at| {
        let line = before[at + 1..].lines().next().unwrap_or_default();
        line.trim_ascii_end().ends_with(b"{")
    });
    let opened = with_brackets.max(with_word);
    opened.is_some_and(|at| !before[at..].contains_str("\n}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(&str, &'static str)> {
        let structure = LazyCell::new(|| Structure::new(text, 0));
        let found = find(FileId(0), text, 0, &structure);
        found.first.iter().map(|mark| (&text[mark.place.range()], mark.value)).collect()
    }

    #[test]
    fn finds_variables_of_programs_in_code() {
        let awk = "an awk program";
        assert_eq!(found("Run `ps | awk '{print $2}'`.\n"), [("$2", awk)]);
        assert_eq!(found("```\nawk -F: '\n  { s += $1/$10 }\n' x\necho $3\n```\n"), [("$1", awk), ("$10", awk)]);
        assert_eq!(found("```awk\n{ print $0 }\n```\n"), [("$0", awk)]);
        let sql = "an SQL statement";
        assert_eq!(
            found("```sh\nawk '{print $1}'\npsql -c 'SELECT a WHERE id = $1'\n```\n"),
            [("$1", awk), ("$1", sql)]
        );
        assert_eq!(found("```sql\nSELECT $1::int;\n```\n"), [("$1", sql)]);
        assert_eq!(found("```bash\nfunction g {\n  echo $1\n}\n```\n"), [("$1", "a shell script")]);
        assert_eq!(found("```bash\nfunction g {\n  echo x\n}\ngh pr view $1\n```\n"), []);
        let sql = "an SQL statement";
        assert_eq!(found("```js\ndb.query('SELECT * FROM u WHERE id = $1', [id]); // $2.00\n```\n"), [("$1", sql)]);
        assert_eq!(found("```sql\n  VALUES ($1, $2)\nLIMIT $3\n```\n"), [("$1", sql), ("$2", sql), ("$3", sql)]);
        assert_eq!(found("```swift\na.filter { $0.b > $1 }\n```\nWrite `a.map { $0.b }`.\n").len(), 3);
        assert_eq!(found("```js\ns.replace(/(a)/, '$1')\n```\n"), [("$1", "a replacement text")]);
        let script = "a shell script";
        assert_eq!(found("```bash\nlog() {\n  echo \"$1\"\n}\nnpm test -- $2\n```\n"), [("$1", script)]);
        assert_eq!(found("```sh\n#!/bin/sh\nfile=$1\n```\n"), [("$1", script)]);
        assert_eq!(found("```bash\nlog() { echo \"$1\"; }\n```\n"), [("$1", script)]);
        assert_eq!(found("```bash\necho \"Usage: $0 FILE\"\n```\n"), [("$0", script)]);
    }

    #[test]
    fn leaves_arguments_and_prices_alone() {
        for text in [
            "Read `.kiro/specs/$1/spec.json`, then run `$kiro-impl $1`.\n",
            "```bash\ngh pr view $1\nFEATURE=$0\n```\n",
            "awk '{print $1}' in a sentence costs $5.\n",
            "```js\n// $20.00, ($5/month), $25,000\n```\n",
            "| `a` | $0 | $10 USD |\n",
            "```sh\nawk '{print \\$1}' a; echo $$1 $1a $1_ $123 ${1}\n```\n",
            "```\nSELECT the plan for $5\n```\n",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }

    #[test]
    fn reads_a_limited_number_of_variables() {
        let text = format!("```awk\n{}```\n", "{ print $1 }\n".repeat(2 * LOOKED));
        let found = find(FileId(0), &text, 0, &LazyCell::new(|| Structure::new(&text, 0)));
        assert_eq!(found.count as usize, LOOKED);
    }
}
