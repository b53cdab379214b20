//! Output of rewrites as a patch for `git apply`.

use std::io::{self, Write};
use std::ops::Range;

use bstr::{BStr, ByteSlice};
use imara_diff::{Algorithm, Diff, InternedInput, sources};

use super::Rewrite;

/// Context lines around a change (Git's default).
const CONTEXT: u32 = 3;

/// Writes rewrites as a unified diff with Git headers.
///
/// # Errors
///
/// Returns the errors of the writer.
pub fn patch(rewrites: &[Rewrite], out: &mut dyn Write) -> io::Result<()> {
    rewrites.iter().try_for_each(|rewrite| file(rewrite, out))
}

fn file(rewrite: &Rewrite, out: &mut dyn Write) -> io::Result<()> {
    let (a, b) = (quoted("a/", rewrite.path.as_bstr()), quoted("b/", rewrite.path.as_bstr()));
    // Git ends a name that contains spaces with a tab, to separate it from text that may follow.
    let end = if rewrite.path.contains(&b' ') { "\t" } else { "" };
    for line in [["diff --git ", &a, " ", &b], ["--- ", &a, end, ""], ["+++ ", &b, end, ""]] {
        writeln!(out, "{}", line.concat())?;
    }
    let input = InternedInput::new(sources::byte_lines(&rewrite.before), sources::byte_lines(&rewrite.after));
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_no_heuristic(&input);
    let changes: Vec<(Range<u32>, Range<u32>)> = diff.hunks().map(|hunk| (hunk.before, hunk.after)).collect();
    let lines = |tokens: &[imara_diff::Token], range: Range<u32>| -> Vec<&[u8]> {
        tokens[range.start as usize..range.end as usize].iter().map(|&token| input.interner[token]).collect()
    };
    let length = input.before.len() as u32;
    for near in changes.chunk_by(|(one, _), (next, _)| next.start - one.end <= 2 * CONTEXT) {
        let (first, last) = (&near[0], &near[near.len() - 1]);
        let before = first.0.start.saturating_sub(CONTEXT)..(last.0.end + CONTEXT).min(length);
        let lead = first.0.start - before.start;
        let after = first.1.start - lead..last.1.end + (before.end - last.0.end);
        writeln!(out, "@@ -{} +{} @@", shown(&before), shown(&after))?;
        let mut shared = before.start;
        for (removed, added) in near {
            each(b' ', &lines(&input.before, shared..removed.start), out)?;
            each(b'-', &lines(&input.before, removed.clone()), out)?;
            each(b'+', &lines(&input.after, added.clone()), out)?;
            shared = removed.end;
        }
        each(b' ', &lines(&input.before, shared..before.end), out)?;
    }
    Ok(())
}

/// Formats a range as its first line and its length. An empty range has the number of the line before it.
fn shown(range: &Range<u32>) -> String {
    let count = range.end - range.start;
    format!("{},{count}", if count == 0 { range.start } else { range.start + 1 })
}

fn each(mark: u8, lines: &[&[u8]], out: &mut dyn Write) -> io::Result<()> {
    for line in lines {
        out.write_all(&[mark])?;
        out.write_all(line)?;
        if !line.ends_with(b"\n") {
            out.write_all(b"\n\\ No newline at end of file\n")?;
        }
    }
    Ok(())
}

/// Formats a path as Git does in a patch: double-quoted with octal escapes if it has control, non-ASCII or quoting
/// characters.
fn quoted(side: &str, path: &BStr) -> String {
    if !path.iter().any(|byte| byte.is_ascii_control() || matches!(byte, b'"' | b'\\') || !byte.is_ascii()) {
        return format!("{side}{path}");
    }
    let mut quoted = format!("\"{side}");
    for &byte in path.iter() {
        match byte {
            b'"' | b'\\' => quoted.extend(['\\', char::from(byte)]),
            b' '..=b'~' => quoted.push(char::from(byte)),
            _ => quoted.push_str(&format!("\\{byte:03o}")),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patched(path: &str, before: &str, after: &str) -> String {
        let rewrite = Rewrite { path: path.into(), before: before.into(), after: after.into() };
        let mut out = Vec::new();
        patch(&[rewrite], &mut out).expect("a vector takes every byte");
        String::from_utf8(out).expect("the patch is UTF-8")
    }

    #[test]
    fn hunk_has_three_lines_of_context() {
        let before: String = (1..=20).map(|number| format!("{number}\n")).collect();
        let after = before.replace("10\n", "x\n");
        let hunk = "@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+x\n 11\n 12\n 13\n";
        assert_eq!(patched("a", &before, &after), format!("diff --git a/a b/a\n--- a/a\n+++ b/a\n{hunk}"));
        let near = patched("a", &before, &after.replace("17\n", "y\n"));
        assert!(near.contains("@@ -7,14 +7,14 @@\n"), "{near}");
        let far = patched("a", &before, &after.replace("18\n", "y\n"));
        assert!(far.contains("@@ -7,7 +7,7 @@\n") && far.contains("@@ -15,6 +15,6 @@\n"), "{far}");
    }

    #[test]
    fn quotes_paths_like_git() {
        for (path, expected) in
            [("x y", "a/x y"), ("é", "\"a/\\303\\251\""), ("a\"b", "\"a/a\\\"b\""), ("a\nb", "\"a/a\\012b\"")]
        {
            assert_eq!(quoted("a/", path.into()), expected);
        }
    }
}
