//! Hints: positions in a text that need a closer look. Each pass searches for a few words at memory speed; one pass for
//! all words would be several times slower (measured: 10 GB/s for five words, 0.7 GB/s for sixty).

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use crate::secret;

/// Kinds of hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The target of a link or an image.
    Link,
    /// The target of a link reference definition.
    Definition,
    /// The first or the last line of a code fence.
    Fence,
    /// An HTML comment.
    Comment,
    /// An HTML element whose content is folded away.
    Details,
    /// A style or an attribute that hides an HTML element.
    Concealed,
    /// A program that downloads or decodes, or one that runs a text.
    Fetcher,
    /// A pipe into an interpreter.
    Pipe,
    /// The output of a download, as a file or as command text.
    Substitution,
    /// PowerShell's command that evaluates a text.
    Expression,
    /// A token or a private key.
    Secret,
    /// A mark of text that is to be written.
    Unfinished,
}

/// A position at which something may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hint {
    pub kind: Kind,
    /// Where it begins.
    pub start: usize,
    /// Where the matched word ends.
    pub end: usize,
}

/// Words that are searched together. None is a prefix of another.
pub(super) struct Words {
    search: AhoCorasick,
    kinds: Vec<Kind>,
}

impl Words {
    pub(super) fn new(words: impl IntoIterator<Item = (&'static str, Kind)>) -> Self {
        let (words, kinds): (Vec<&str>, Vec<Kind>) = words.into_iter().unzip();
        // This match kind alone uses the vectorized prefilter. The automaton itself never runs, so the fastest one to
        // build is enough.
        let search = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostFirst)
            .kind(Some(AhoCorasickKind::NoncontiguousNFA))
            .build(words);
        Self { search: search.expect("a few short words make a small automaton"), kinds }
    }

    /// Finds the words after an offset of a text: in order, not overlapping.
    pub(super) fn find<'t>(&'t self, text: &'t str, start: usize) -> impl Iterator<Item = Hint> + 't {
        self.search.find_iter(&text[start.min(text.len())..]).map(move |found| Hint {
            kind: self.kinds[found.pattern().as_usize()],
            start: start + found.start(),
            end: start + found.end(),
        })
    }

    /// Finds the offsets of the words in a range of a text.
    pub(super) fn starts(&self, text: &[u8], range: Range<usize>) -> impl Iterator<Item = usize> {
        let start = range.start;
        self.search.find_iter(&text[range]).map(move |found| start + found.start())
    }
}

/// Markdown marks.
pub(super) static MARKS: LazyLock<Words> = LazyLock::new(|| {
    Words::new([("](", Kind::Link), ("]:", Kind::Definition), ("```", Kind::Fence), ("~~~", Kind::Fence)])
});

/// Constructs that hide text from a reader.
pub(super) static HIDING: LazyLock<Words> = LazyLock::new(|| {
    Words::new([
        ("<!--", Kind::Comment),
        ("<details", Kind::Details),
        (" hidden>", Kind::Concealed),
        ("display:none", Kind::Concealed),
        ("display: none", Kind::Concealed),
        ("visibility:hidden", Kind::Concealed),
        ("visibility: hidden", Kind::Concealed),
        ("font-size:0", Kind::Concealed),
        ("font-size: 0", Kind::Concealed),
    ])
});

/// Download and decoding programs. Without one of these nothing is downloaded and run.
pub(super) static FETCHERS: LazyLock<Words> = LazyLock::new(|| {
    Words::new(["curl", "wget", "base64", "iex", "IEX", "Invoke-Expression"].map(|word| (word, Kind::Fetcher)))
});

/// Constructs that run a download.
pub(super) static RUNNING: LazyLock<Words> = LazyLock::new(|| {
    let pipes = [
        "| sh",
        "|sh",
        "| bash",
        "|bash",
        "| zsh",
        "|zsh",
        "| dash",
        "| ksh",
        "| python",
        "|python",
        "| node",
        "|node",
        "| perl",
        "|perl",
        "| ruby",
        "| php",
        "| pwsh",
        "| powershell",
        "| /bin/",
        "|/bin/",
        "| /usr/bin/",
        "|/usr/bin/",
        "| sudo ",
        "|sudo ",
    ];
    let pipes = pipes.map(|pipe| (pipe, Kind::Pipe));
    let substitutions = ["$(curl ", "$(wget ", "<(curl ", "<(wget "].map(|word| (word, Kind::Substitution));
    let expressions = ["iex", "IEX", "Invoke-Expression"].map(|word| (word, Kind::Expression));
    Words::new(pipes.into_iter().chain(substitutions).chain(expressions))
});

/// Words of secrets, in several searches: more words in one are much slower.
pub(super) static SECRETS: LazyLock<Vec<Words>> = LazyLock::new(|| {
    secret::words().chunks(SEARCHED).map(|words| Words::new(words.iter().map(|&word| (word, Kind::Secret)))).collect()
});

/// Maximum number of words in a search.
const SEARCHED: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_hints_in_order_after_an_offset() {
        fn found<'t>(words: &'t Words, text: &'t str) -> Vec<(Kind, &'t str)> {
            words.find(text, 3).map(|hint| (hint.kind, &text[hint.start..hint.end])).collect()
        }
        let text = "](  [a](b)\n```sh\ncurl x | sudo sh ghp_ <!--";
        assert_eq!(found(&MARKS, text), [(Kind::Link, "]("), (Kind::Fence, "```")]);
        assert_eq!(found(&FETCHERS, text), [(Kind::Fetcher, "curl")]);
        assert_eq!(found(&RUNNING, text), [(Kind::Pipe, "| sudo ")]);
        assert_eq!(found(&HIDING, text), [(Kind::Comment, "<!--")]);
        assert!(SECRETS.iter().any(|words| found(words, text) == [(Kind::Secret, "ghp_")]));
    }
}
