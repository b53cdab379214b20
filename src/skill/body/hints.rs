//! Where in a text something may be that is looked at closely. A few words at a time are looked for at the speed of
//! memory; all of them at once would take several times as long (measured: 10 GB/s for five, 0.7 GB/s for sixty).

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use crate::secret;

/// What may begin at a place.
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
    /// What a download prints, as a file or as text of a command.
    Substitution,
    /// PowerShell's command that runs a text.
    Expression,
    /// A token or a private key.
    Secret,
}

/// A place at which something may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hint {
    pub kind: Kind,
    /// Where it begins.
    pub start: usize,
    /// Where what was found of it ends.
    pub end: usize,
}

/// Words that are looked for together. None of them begins another.
pub(super) struct Words {
    search: AhoCorasick,
    kinds: Vec<Kind>,
}

impl Words {
    fn new(words: impl IntoIterator<Item = (&'static str, Kind)>) -> Self {
        let (words, kinds): (Vec<&str>, Vec<Kind>) = words.into_iter().unzip();
        // This kind of match alone is searched by whole vectors. The automaton behind them never gets its turn, so the one
        // that is built soonest will do.
        let search = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostFirst)
            .kind(Some(AhoCorasickKind::NoncontiguousNFA))
            .build(words);
        Self { search: search.expect("a few short words make a small automaton"), kinds }
    }

    /// Where the words stand behind an offset of a text: in their order, apart from each other.
    pub(super) fn find<'t>(&'t self, text: &'t str, start: usize) -> impl Iterator<Item = Hint> + 't {
        self.search.find_iter(&text[start.min(text.len())..]).map(move |found| Hint {
            kind: self.kinds[found.pattern().as_usize()],
            start: start + found.start(),
            end: start + found.end(),
        })
    }
}

/// What Markdown is made of.
pub(super) static MARKS: LazyLock<Words> = LazyLock::new(|| {
    Words::new([("](", Kind::Link), ("]:", Kind::Definition), ("```", Kind::Fence), ("~~~", Kind::Fence)])
});

/// What hides text from a reader.
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

/// Without one of these nothing is downloaded and run.
pub(super) static FETCHERS: LazyLock<Words> = LazyLock::new(|| {
    Words::new(["curl", "wget", "base64", "iex", "IEX", "Invoke-Expression"].map(|word| (word, Kind::Fetcher)))
});

/// How a download comes to be run.
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

/// What secrets begin with.
pub(super) static SECRETS: LazyLock<Words> =
    LazyLock::new(|| Words::new(secret::prefixes().map(|prefix| (prefix, Kind::Secret))));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_come_in_their_order_behind_an_offset() {
        fn found<'t>(words: &'t Words, text: &'t str) -> Vec<(Kind, &'t str)> {
            words.find(text, 3).map(|hint| (hint.kind, &text[hint.start..hint.end])).collect()
        }
        let text = "](  [a](b)\n```sh\ncurl x | sudo sh ghp_ <!--";
        assert_eq!(found(&MARKS, text), [(Kind::Link, "]("), (Kind::Fence, "```")]);
        assert_eq!(found(&FETCHERS, text), [(Kind::Fetcher, "curl")]);
        assert_eq!(found(&RUNNING, text), [(Kind::Pipe, "| sudo ")]);
        assert_eq!(found(&HIDING, text), [(Kind::Comment, "<!--")]);
        assert_eq!(found(&SECRETS, text), [(Kind::Secret, "ghp_")]);
    }
}
