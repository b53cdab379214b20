//! Cases as data: name of a repository, the steps that create it, and the expected findings.
//!
//! A case begins with `[name]` or `[name] slow`. Its lines are steps (`workshop.rs`), except for the expectations:
//! `=> WHERE STATUS TEXT`, where the output must contain the text, and `reads COUNT`, the number of skills that are read.

/// A repository and its expected output.
pub(crate) struct Case {
    /// The family: the name of the file.
    pub(crate) family: &'static str,
    /// The name.
    pub(crate) name: &'static str,
    /// Whether it takes too long for every run of the tests.
    pub(crate) is_slow: bool,
    /// Steps, one per line.
    pub(crate) steps: Vec<&'static str>,
    /// Whether git's own files lead out of the repository by a link or a path, which git follows, and so do we.
    pub(crate) follows: bool,
    /// Arguments that are added to every run.
    pub(crate) arguments: Vec<&'static str>,
    /// Expected results.
    pub(crate) expected: Vec<Expected>,
}

/// Expected result of one way to read the repository.
pub(crate) struct Expected {
    /// The way.
    pub(crate) place: Place,
    /// The exit status.
    pub(crate) status: i32,
    /// Text that the findings or the messages must contain.
    pub(crate) words: Vec<&'static str>,
}

/// A way to read a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// `--staged`.
    Index,
    /// `--rev HEAD`.
    Head,
    /// `--rev` with the id of the commit.
    Commit,
    /// The id of the commit, in a hook of an empty repository, with the objects in quarantine.
    Quarantine,
    /// `--worktree`.
    Disk,
    /// A push to a repository with a hook that runs the program; the status is git's.
    Push,
}

/// The places that a word of a case means.
fn places(word: &str) -> Option<&'static [Place]> {
    Some(match word {
        "index" => &[Place::Index],
        "head" => &[Place::Head],
        "commit" => &[Place::Commit],
        "tree" => &[Place::Commit, Place::Quarantine],
        "both" => &[Place::Index, Place::Commit, Place::Quarantine],
        "quarantine" => &[Place::Quarantine],
        "here" => &[Place::Index, Place::Head],
        "disk" => &[Place::Disk],
        "push" => &[Place::Push],
        _ => return None,
    })
}

impl Case {
    /// The cases of a file.
    pub(crate) fn read(family: &'static str, text: &'static str) -> Vec<Self> {
        let mut cases: Vec<Self> = Vec::new();
        for line in text.lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some((name, slow)) = line.strip_prefix('[').and_then(|line| line.split_once(']')) {
                let (steps, arguments, expected) = (Vec::new(), Vec::new(), Vec::new());
                let is_slow = slow.trim() == "slow";
                cases.push(Self { family, name, is_slow, steps, follows: false, arguments, expected });
                continue;
            }
            let case = cases.last_mut().unwrap_or_else(|| panic!("{family}: `{line}` belongs to no case"));
            if let Some(expected) = line.strip_prefix("=> ") {
                case.expect(expected);
            } else if line == "follows" {
                case.follows = true;
            } else if let Some(arguments) = line.strip_prefix("with ") {
                case.arguments.extend(arguments.split(' '));
            } else {
                case.steps.push(line);
            }
        }
        cases
    }

    fn expect(&mut self, line: &'static str) {
        let mut parts = line.splitn(3, ' ');
        let mut part = || parts.next().unwrap_or_default();
        let (word, status, words) = (part(), part(), part());
        let known = places(word).zip(status.parse().ok());
        let (places, status) = known.unwrap_or_else(|| panic!("{}: `{line}` is not an expectation", self.name));
        let words = Some(words).filter(|words| !words.is_empty());
        for &place in places {
            match self.expected.iter_mut().find(|expected| expected.place == place) {
                Some(expected) => {
                    assert_eq!(expected.status, status, "{}: two statuses of one run", self.name);
                    expected.words.extend(words);
                }
                None => self.expected.push(Expected { place, status, words: words.into_iter().collect() }),
            }
        }
    }
}
