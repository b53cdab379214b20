//! Numbers of differing lines, for findings about copies. Bodies are dropped after parsing, so both files are read again, a few
//! pairs at a time.

use std::collections::HashMap;

use bstr::ByteSlice;

use crate::lint::Report;
use crate::rule::Finding;
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::snapshot::File;

/// Maximum number of pairs that are read at once.
const PAIRS: usize = 32;

/// Maximum number of files that a note names.
const NAMED: usize = 8;

/// Adds the number of differing lines to each finding about copies. `read` returns the texts of the files, in their order.
///
/// # Errors
///
/// Returns the errors of `read`.
pub fn add<E>(report: &mut Report, mut read: impl FnMut(&[File]) -> Result<Vec<Vec<u8>>, E>) -> Result<(), E> {
    let Report { catalog, findings, .. } = report;
    for finding in findings.iter_mut().filter(|finding| !finding.compared.is_empty()) {
        let mut lines = Vec::with_capacity(finding.compared.len());
        for pairs in finding.compared.chunks(PAIRS) {
            let files: Vec<File> = pairs.iter().flatten().map(|&file| catalog.file(file).clone()).collect();
            lines.extend(read(&files)?.chunks_exact(2).map(|pair| differing(&pair[0], &pair[1])));
        }
        add_to(finding, catalog, &lines);
    }
    Ok(())
}

/// Adds the numbers of lines to a finding.
fn add_to(finding: &mut Finding, catalog: &Catalog, lines: &[usize]) {
    let note = match *lines {
        [] => return,
        [0] => "they differ only in whitespace or in the order of lines".to_owned(),
        [1] => "they differ in 1 line".to_owned(),
        [lines] => format!("they differ in {} lines", text::grouped(lines)),
        _ => {
            let directory = |file| text::file_name(text::parent(catalog.file(file).path.as_bstr()));
            let shown =
                finding.compared.iter().zip(lines).take(NAMED).map(|(&[_, file], lines)| {
                    format!("`{}` {}", text::lossless(directory(file)), text::grouped(*lines))
                });
            let mut shown: Vec<String> = shown.collect();
            if lines.len() > NAMED {
                shown.push(format!("{} more", text::grouped(lines.len() - NAMED)));
            }
            format!("lines that differ: {}", text::joined(&shown))
        }
    };
    finding.notes.insert(0, note);
}

/// Returns the number of lines that one text has and the other lacks: the larger of the two numbers.
fn differing(one: &[u8], other: &[u8]) -> usize {
    let mut counts: HashMap<&[u8], isize> = HashMap::new();
    one.lines().for_each(|line| *counts.entry(line.trim_ascii_end()).or_default() += 1);
    other.lines().for_each(|line| *counts.entry(line.trim_ascii_end()).or_default() -= 1);
    let more: usize = counts.values().map(|&count| count.max(0).unsigned_abs()).sum();
    let fewer: usize = counts.values().map(|&count| count.min(0).unsigned_abs()).sum();
    more.max(fewer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_lines_that_one_text_lacks() {
        for (one, other, expected) in [
            ("a\nb\n", "a\nb\n", 0),
            ("a\nb\n", "a\nc\n", 1),
            ("a\nb\n", "a\n", 1),
            ("a\n", "a\nb\nc\n", 2),
            ("a\na\n", "a\n", 1),
            ("a\r\nb \r\n", "a\nb\n", 0),
            ("a\nb\n", "b\na\n", 0),
            ("", "a\n", 1),
        ] {
            assert_eq!(differing(one.as_bytes(), other.as_bytes()), expected, "{one:?} {other:?}");
        }
    }
}
