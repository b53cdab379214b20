//! Stamps the version of Cargo.toml, and whether it is released, into every text that names a version: until the first release,
//! these name a commit, and the commands of package registries say that they do not work yet.

use std::fs;
use std::path::Path;

use crate::common::snapshot;
use regex::{Captures, Regex};

/// The files that name a version, a revision or a published package.
const FILES: [&str; 14] = [
    "Cargo.toml",
    "README.md",
    "docs/action.md",
    "docs/attestation.md",
    "docs/hooks.md",
    "docs/index.md",
    "docs/install.md",
    "editors/vscode/package.json",
    "npm/README.md",
    "npm/package.json",
    "pyproject.toml",
    "python/README.md",
    "src/cli/templates/pre-commit.yaml",
    "src/cli/templates/workflow.yml",
];

/// What follows a command that needs a published package.
const UNPUBLISHED: &str = "# not published yet";

/// Sentences that hold until the first release, and what replaces them. In each file of `FILES`.
const SENTENCES: [(&str, &str); 4] = [
    ("skilltree is not released yet: build it from source. On PyPI, install", "On PyPI, install"),
    ("the program from PyPI, in seconds; after the first release", "the program from PyPI, in seconds"),
    (
        "Replace `COMMIT` with a commit of that repository. Then run `pre-commit install`.",
        "Then run `pre-commit install`.",
    ),
    ("**There is no release yet**, so every first run builds.", "A tag needs no build."),
];

/// The version of the workspace.
pub(crate) struct Version {
    number: String,
    is_published: bool,
}

impl Version {
    fn of_workspace() -> Self {
        let manifest: toml::Table = read("Cargo.toml").parse().expect("Cargo.toml is TOML");
        let workspace = &manifest["workspace"];
        Self {
            number: workspace["package"]["version"].as_str().expect("a version").to_owned(),
            is_published: workspace["metadata"]["release"]["published"].as_bool().expect("a boolean"),
        }
    }

    /// Returns the text with this version.
    fn stamp(&self, text: &str) -> String {
        let Self { number, is_published } = self;
        let revision = if *is_published { format!("v{number}") } else { "COMMIT".to_owned() };
        let hook = if *is_published { "skilltree" } else { "skilltree-rust" };
        let mut text = text.to_owned();
        for (pattern, value) in [
            (r"(?m)(^ +rev: )(?:COMMIT|v[0-9.]+)", revision.as_str()),
            (r"(skilltree-dev/skilltree@)(?:COMMIT|v[0-9.]+)", &revision),
            (r"(?m)(^ +- id: )skilltree(?:-rust)?$", hook),
            (r"(skilltree-lint==)[0-9.]+", number),
            (r#"(?m)(^skilltree(?:-[a-z-]+)? = \{ path = "[^"]+", version = ")[0-9.]+"#, number),
            (r#"(?m)(^(?:version = |  "version": )")[0-9.]+"#, number),
        ] {
            let replaced = Regex::new(pattern).expect("a pattern");
            text = replaced.replace_all(&text, |found: &Captures<'_>| format!("{}{value}", &found[1])).into_owned();
        }
        self.mark_commands(&self.choose_sentences(text))
    }

    fn choose_sentences(&self, mut text: String) -> String {
        for (unpublished, published) in SENTENCES {
            if self.is_published {
                text = text.replace(unpublished, published);
            } else if !text.contains(unpublished) {
                text = text.replace(published, unpublished);
            }
        }
        text
    }

    /// Marks the commands that need a published package, in blocks of commands.
    fn mark_commands(&self, text: &str) -> String {
        let pattern = r"(?m)^((?:pip install|pipx install|pipx run|uvx --from|uv tool install|npm install|npx|cargo install --locked|cargo binstall) (?:[^\n#`]* )?(?:skilltree|skilltree-lint)(?: [a-z]+)?)( +#[^\n]*)?$";
        let commands = Regex::new(pattern).expect("a pattern");
        let marked = commands.replace_all(text, |found: &Captures<'_>| {
            let comment = found.get(2).map_or("", |comment| comment.as_str());
            let bare = comment.replace(&format!("{UNPUBLISHED}; "), "# ").replace(UNPUBLISHED, "");
            let said = bare.trim().trim_start_matches("# ");
            let column = " ".repeat(comment.find('#').unwrap_or(4));
            match (self.is_published, said.is_empty()) {
                (false, true) => format!("{}{column}{UNPUBLISHED}", &found[1]),
                (false, false) => format!("{}{column}{UNPUBLISHED}; {said}", &found[1]),
                (true, true) => found[1].to_owned(),
                (true, false) => format!("{}{column}# {said}", &found[1]),
            }
        });
        marked.into_owned()
    }
}

fn path(file: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(file)
}

fn read(file: &str) -> String {
    fs::read_to_string(path(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[test]
fn versions_are_those_of_the_manifest() {
    let version = Version::of_workspace();
    for file in FILES {
        let text = read(file);
        let stamped = version.stamp(&text);
        snapshot(&path(file), stamped.as_bytes()).unwrap_or_else(|difference| panic!("{difference}"));
    }
}

#[test]
fn stamps_a_release_and_takes_it_back() {
    let first = Version { number: "0.1.0".to_owned(), is_published: false };
    let next = Version { number: "1.2.3".to_owned(), is_published: true };
    let text = "    rev: COMMIT\n      - id: skilltree-rust\n      - uses: skilltree-dev/skilltree@COMMIT\n\
                dependencies = [\"skilltree-lint==0.1.0\"]\nskilltree-lint = { path = \"crates/lint\", version = \"0.1.0\" }\n\
                pip install skilltree-lint    # not published yet\nnpx skilltree    # not published yet; runs it\n\
                uses: actions/attest@COMMIT\n  \"version\": \"0.1.0\"\n\
                **There is no release yet**, so every first run builds.\n";
    let released = "    rev: v1.2.3\n      - id: skilltree\n      - uses: skilltree-dev/skilltree@v1.2.3\n\
                dependencies = [\"skilltree-lint==1.2.3\"]\nskilltree-lint = { path = \"crates/lint\", version = \"1.2.3\" }\n\
                pip install skilltree-lint\nnpx skilltree    # runs it\n\
                uses: actions/attest@COMMIT\n  \"version\": \"1.2.3\"\n\
                A tag needs no build.\n";
    assert_eq!(first.stamp(text), text);
    assert_eq!(next.stamp(text), released);
    assert_eq!(first.stamp(released), text);
}

/// A sentence that no file has is out of date.
#[test]
fn sentences_about_the_first_release_exist() {
    let version = Version::of_workspace();
    let texts: Vec<String> = FILES.iter().map(|file| read(file)).collect();
    for (unpublished, published) in SENTENCES {
        let sentence = if version.is_published { published } else { unpublished };
        assert!(texts.iter().any(|text| text.contains(sentence)), "no file contains: {sentence}");
    }
}

/// No text names a tag before it exists.
#[test]
fn unreleased_version_is_named_nowhere_as_a_tag() {
    let version = Version::of_workspace();
    let tag = format!("v{}", version.number);
    for file in FILES {
        assert!(version.is_published || !read(file).contains(&tag), "{file} names {tag}, which does not exist");
    }
}
