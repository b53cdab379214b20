//! Shapes of values in manifests: which values a program accepts, and where one that it refuses is wrong.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::Wrong;
use crate::formats::Form;
use skilltree_skills::manifest::json::{Json, Value};

/// Which values are accepted.
pub(super) enum Shape {
    /// Any string.
    Text,
    /// A string with a character.
    Filled,
    /// `true` or `false`.
    Boolean,
    /// A number.
    Number,
    /// A number above 0.
    Positive,
    /// A path that begins with `./` and ends like one of these.
    Path(&'static [&'static str]),
    /// An address, and how it ends.
    Url(&'static [&'static str]),
    /// One of these words.
    Word(&'static [&'static str]),
    /// A string of this form; with the words for it.
    Matches(&'static LazyLock<Regex>, &'static str),
    /// A list.
    List(&'static Shape),
    /// An object with keys of this form.
    Map(Keys, &'static Shape),
    /// An object with these keys.
    Object(&'static [Key], Rest),
    /// One of these.
    Either(&'static [Shape]),
    /// One of these that is not empty.
    Some(&'static Shape),
    /// If it is an object, one with these keys.
    IfObject(&'static Shape),
    /// Any value.
    Any,
}

/// A known key of an object: its name, whether it is required, and its value.
pub(super) type Key = (&'static str, bool, Shape);

/// Keys of an object that a user chooses.
pub(super) enum Keys {
    /// Any.
    Any,
    /// Keys that begin with a dot.
    Dotted,
    /// Letters, digits and underscores, not beginning with a digit.
    Identifier,
}

/// What applies to an object besides its known keys.
#[derive(PartialEq)]
pub(super) enum Rest {
    /// It may have other keys.
    Open,
    /// It has no other keys.
    Closed,
    /// It has exactly one of these two keys.
    OneOf(&'static str, &'static str),
}

use Shape::{Any, Boolean, Either, Filled, List, Map, Matches, Number, Object, Path, Positive, Text, Url, Word};

/// Endings of MCPB files.
const BUNDLES: &[&str] = &[".mcpb", ".dxt"];
const JSON: &[&str] = &[".json"];

static DEPENDENCY: LazyLock<Regex> = LazyLock::new(|| {
    let name = "[A-Za-z0-9][-A-Za-z0-9._]*";
    Regex::new(&format!(r"\A{name}(@{name})?(@\^[^@]*)?\z")).expect("a valid pattern")
});
static NAME: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\A[A-Za-z0-9][-A-Za-z0-9._]*\z").expect("a valid pattern"));
/// A program: with a space, it is an absolute path.
static PROGRAM: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\A(/.*|[^ ]+)\z").expect("a valid pattern"));
static WHEN: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\A(always|on-skill-invoke:.+)\z").expect("a valid pattern"));

/// A command of a plugin.
const COMMAND: Shape = Object(
    &[
        ("source", false, Path(&[])),
        ("content", false, Text),
        ("description", false, Text),
        ("argumentHint", false, Text),
        ("model", false, Text),
        ("allowedTools", false, List(&Text)),
    ],
    Rest::OneOf("source", "content"),
);

const LANGUAGE_SERVER: Shape = Object(
    &[
        ("command", true, Matches(&PROGRAM, "a program without arguments, which belong into `args`")),
        ("args", false, List(&Filled)),
        ("extensionToLanguage", true, Shape::Some(&Map(Keys::Dotted, &Filled))),
        ("transport", false, Word(&["stdio", "socket"])),
        ("env", false, Map(Keys::Any, &Text)),
        ("workspaceFolder", false, Text),
        ("startupTimeout", false, Positive),
        ("shutdownTimeout", false, Positive),
        ("requestTimeout", false, Positive),
        ("restartOnCrash", false, Boolean),
        ("maxRestarts", false, Number),
        ("diagnostics", false, Boolean),
        ("initializationOptions", false, Any),
        ("settings", false, Any),
    ],
    Rest::Closed,
);

const MONITOR: Shape = Object(
    &[
        ("name", true, Filled),
        ("command", true, Filled),
        ("description", true, Filled),
        ("when", false, Matches(&WHEN, "`always` or `on-skill-invoke:` with the name of a skill")),
    ],
    Rest::Closed,
);

const DEPENDENCY_SHAPE: Shape = Either(&[
    Matches(&DEPENDENCY, "the name of a plugin, as `formatter` or `formatter@marketplace`"),
    Object(
        &[
            ("name", true, Matches(&NAME, "the name of a plugin")),
            ("marketplace", false, Matches(&NAME, "the name of a marketplace")),
        ],
        Rest::Open,
    ),
]);

const OPTION: Shape = Object(
    &[
        ("type", true, Word(&["string", "number", "boolean", "directory", "file"])),
        ("title", true, Text),
        ("description", true, Text),
        ("required", false, Boolean),
        ("default", false, Either(&[Text, Number, Boolean, List(&Text)])),
        ("multiple", false, Boolean),
        ("sensitive", false, Boolean),
        ("min", false, Number),
        ("max", false, Number),
        ("options", false, Shape::Some(&List(&Filled))),
    ],
    Rest::Closed,
);

const CHANNEL: Shape = Object(
    &[("server", true, Filled), ("displayName", false, Text), ("userConfig", false, Map(Keys::Any, &OPTION))],
    Rest::Closed,
);

const EXPERIMENTAL: Shape = Object(
    &[
        ("themes", false, Either(&[Path(&[]), List(&Path(&[]))])),
        ("outputStyles", false, Either(&[Path(&[]), List(&Path(&[]))])),
        ("monitors", false, Either(&[Path(JSON), List(&MONITOR)])),
        ("evals", false, Either(&[Text, List(&Text)])),
        ("syntaxHighlighting", false, Object(&[("hljsLanguages", true, List(&Any))], Rest::Closed)),
    ],
    Rest::Open,
);

static REPOSITORY: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\A[a-zA-Z0-9_.-]+/[a-zA-Z0-9_.-]+\z").expect("a valid pattern"));
static COMMIT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\A[a-f0-9]{40}\z").expect("a valid pattern"));
static DIGEST: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\A[a-fA-F0-9]{64}\z").expect("a valid pattern"));
static GIT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\A(?:(?:https?|ssh|git\+ssh|ssh\+git)://[^/]|file:///|[^/@ ]+@[^/: ]+:.)").expect("a valid pattern")
});
static GIT_OR_REPOSITORY: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&format!("{}|{}", GIT.as_str(), REPOSITORY.as_str())).expect("a valid pattern"));
static HTTP: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?i)\Ahttps?://[^/]").expect("a valid pattern"));
static HTTPS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?i)\Ahttps://[^/]").expect("a valid pattern"));
static PACKAGE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\A(?:@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*(?:@[^ ]+)?\z|\A[a-z+]+:").expect("a valid pattern")
});

const SHA: Shape = Matches(&COMMIT, "the 40 lowercase digits of a commit");
const GIT_URL: Shape = Matches(&GIT, "the address of a Git repository, as `https://example.org/mail.git`");

/// The shapes of sources, by kind.
const SOURCES: &[(&str, Shape)] = &[
    (
        "github",
        Object(
            &[
                ("repo", true, Matches(&REPOSITORY, "a repository as `owner/name`")),
                ("ref", false, Text),
                ("sha", false, SHA),
            ],
            Rest::Open,
        ),
    ),
    ("url", Object(&[("url", true, GIT_URL), ("ref", false, Text), ("sha", false, SHA)], Rest::Open)),
    (
        "git-subdir",
        Object(
            &[
                ("url", true, Matches(&GIT_OR_REPOSITORY, "the address of a Git repository, or `owner/name`")),
                ("path", true, Filled),
                ("ref", false, Text),
                ("sha", false, SHA),
            ],
            Rest::Open,
        ),
    ),
    (
        "npm",
        Object(
            &[
                ("package", true, Matches(&PACKAGE, "the name of a package")),
                ("version", false, Text),
                ("registry", false, Matches(&HTTP, "an address such as `https://registry.example.org`")),
            ],
            Rest::Open,
        ),
    ),
    (
        "archive",
        Object(
            &[
                ("url", true, Matches(&HTTPS, "an address that starts with `https://`")),
                ("sha256", false, Matches(&DIGEST, "the 64 digits of a SHA-256 digest")),
            ],
            Rest::Open,
        ),
    ),
    ("command", Object(&[("command", true, Filled), ("timeout", false, Positive)], Rest::Open)),
];

/// Returns what is wrong with the source of an entry that is an object, and where.
pub(super) fn wrong_source(value: &Json, kinds: &[String]) -> Option<(Range<usize>, Wrong)> {
    let Some(kind) = value.get("source") else {
        return Some((value.range.clone(), Wrong::Missing("source.source".to_owned())));
    };
    let written = kind.text().unwrap_or_default();
    let is_known = kinds.iter().any(|known| known == written);
    match SOURCES.iter().find(|(kind, _)| is_known && *kind == written) {
        Some((_, shape)) => flaw(value, "source", shape),
        None => Some((kind.range.clone(), Wrong::Kind(written.to_owned(), kinds.to_vec()))),
    }
}

const POLICY: Shape = Object(
    &[
        ("installation", false, Word(&["AVAILABLE", "INSTALLED_BY_DEFAULT", "NOT_AVAILABLE"])),
        ("authentication", false, Word(&["ON_INSTALL", "ON_USE"])),
        ("products", false, List(&Word(&["CHATGPT", "chatgpt", "CODEX", "codex", "ATLAS", "atlas"]))),
    ],
    Rest::Open,
);

const MONITORS: Shape = Either(&[Path(JSON), List(&MONITOR)]);

const SERVERS: Shape = Either(&[Path(JSON), Path(BUNDLES), Url(BUNDLES), Map(Keys::Any, &Any)]);

const LANGUAGE_SERVERS: Shape = Either(&[Path(JSON), Map(Keys::Any, &LANGUAGE_SERVER)]);

const HOOKS: Shape = Either(&[Path(JSON), Map(Keys::Any, &Any)]);

impl Form {
    /// Returns what a value with the form is.
    pub(super) fn words(self) -> String {
        match self {
            Self::Strings => "a list of strings".to_owned(),
            Self::Paths => "a list of paths that start with `./`".to_owned(),
            Self::Person => "an object with a `name`".to_owned(),
            Self::Dependencies => "a list of plugins".to_owned(),
            Self::Policy | Self::Interface => Self::Object.words(),
            form => form.shape().words(),
        }
    }

    /// Returns the values of the form.
    fn shape(self) -> &'static Shape {
        match self {
            Self::String => &Text,
            Self::Boolean => &Boolean,
            Self::Object => &Map(Keys::Any, &Any),
            Self::List => &List(&Any),
            Self::Strings => &List(&Text),
            Self::Path => &Path(&[]),
            Self::Paths => &List(&Path(&[])),
            Self::Markdown => &Either(&[Path(&[".md"]), List(&Path(&[".md"]))]),
            Self::Commands => &Map(Keys::Any, &COMMAND),
            Self::Dependencies => &List(&DEPENDENCY_SHAPE),
            Self::Options => &Map(Keys::Identifier, &OPTION),
            Self::Channels => &List(&CHANNEL),
            Self::Monitors => &MONITORS,
            Self::Experimental => &Shape::IfObject(&EXPERIMENTAL),
            Self::Declarations => &Path(&[".d.ts"]),
            Self::LanguageServers => &Either(&[Path(JSON), Map(Keys::Any, &LANGUAGE_SERVER), List(&LANGUAGE_SERVERS)]),
            Self::Servers => &Either(&[Path(JSON), Path(BUNDLES), Url(BUNDLES), Map(Keys::Any, &Any), List(&SERVERS)]),
            Self::Hooks => &Either(&[Path(JSON), Map(Keys::Any, &Any), List(&HOOKS)]),
            Self::Person => {
                &Object(&[("name", true, Filled), ("email", false, Text), ("url", false, Text)], Rest::Open)
            }
            Self::Policy => &POLICY,
            Self::Interface => &Object(&[("displayName", false, Text)], Rest::Open),
            Self::Url => &Url(&[]),
        }
    }
}

/// Returns whether a value has one of some forms.
pub(super) fn is_one_of(value: &Json, forms: &[Form]) -> bool {
    forms.iter().any(|form| flaw(value, "", form.shape()).is_none())
}

/// Returns what is wrong with the value of a key, and where, if it has none of some forms.
pub(super) fn wrong(value: &Json, key: &str, forms: &[Form]) -> Option<(Range<usize>, Wrong)> {
    let flaws: Vec<_> = forms.iter().map_while(|form| flaw(value, key, form.shape())).collect();
    if flaws.len() < forms.len() {
        return None;
    }
    // Only one form has such values, or all of them say the same.
    let mut meant = forms.iter().zip(flaws).filter(|(form, _)| form.shape().is_of_kind(value)).map(|(_, flaw)| flaw);
    let whole = || (value.range.clone(), Wrong::Type(key.to_owned(), forms.to_vec()));
    Some(meant.next().filter(|(_, what)| !matches!(what, Wrong::Type(..))).unwrap_or_else(whole))
}

impl Shape {
    /// Returns whether a value has the JSON type of some value of the shape.
    fn is_of_kind(&self, value: &Json) -> bool {
        match self {
            Any | Shape::IfObject(_) => true,
            Shape::Some(shape) => shape.is_of_kind(value),
            Either(shapes) => shapes.iter().any(|shape| shape.is_of_kind(value)),
            Boolean => matches!(value.value, Value::Boolean(_)),
            Number | Positive => matches!(value.value, Value::Number(_)),
            List(_) => matches!(value.value, Value::List(_)),
            Map(..) | Object(..) => matches!(value.value, Value::Object(_)),
            Text | Filled | Path(_) | Url(_) | Word(_) | Matches(..) => value.text().is_some(),
        }
    }

    /// Returns what a value of the shape is.
    fn words(&self) -> String {
        match self {
            Text => "a string".to_owned(),
            Filled => "a string with a character".to_owned(),
            Boolean => "`true` or `false`".to_owned(),
            Number => "a number".to_owned(),
            Positive => "a number above 0".to_owned(),
            Path([]) => "a path that starts with `./`".to_owned(),
            Path(endings) => format!("a path that starts with `./` and ends with `{}`", endings.join("` or `")),
            Url([]) => "an address such as `https://example.org`".to_owned(),
            Url(endings) => format!("an address that ends with `{}`", endings.join("` or `")),
            Word(words) => {
                format!("`{}`", words.join("`, `")).replacen("`, `", "` or `", usize::from(words.len() == 2))
            }
            Matches(_, words) => (*words).to_owned(),
            List(_) => "a list".to_owned(),
            Map(..) | Object(..) => "an object".to_owned(),
            Either(shapes) => shapes.iter().map(Self::words).collect::<Vec<_>>().join(", or "),
            Shape::Some(shape) => format!("{} that is not empty", shape.words()),
            Any | Shape::IfObject(_) => "a value".to_owned(),
        }
    }
}

/// Returns the first place where a value has not a shape.
fn flaw(value: &Json, path: &str, shape: &Shape) -> Option<(Range<usize>, Wrong)> {
    if value.value == Value::Deep {
        return None;
    }
    let whole = || Some((value.range.clone(), Wrong::Shape(path.to_owned(), shape.words())));
    if !shape.is_of_kind(value) {
        return whole();
    }
    let text = value.text().unwrap_or_default();
    let is = |is_right| if is_right { None } else { whole() };
    let inside = |path: &str, key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match shape {
        Any | Text | Boolean | Number => None,
        Shape::IfObject(shape) => shape.is_of_kind(value).then(|| flaw(value, path, shape)).flatten(),
        Shape::Some(_) if value.items().is_empty() && value.members().is_empty() => whole(),
        Shape::Some(shape) => flaw(value, path, shape),
        Filled => is(!text.is_empty()),
        Positive => is(value.value == Value::Number(true)),
        Path(endings) => match text.starts_with("./") {
            true => is(ends(text, endings)),
            false if text.starts_with('/') || text.starts_with("..") || text.is_empty() => whole(),
            false if is_url(text) || !ends(text, endings) => whole(),
            false => Some((value.range.clone(), Wrong::NotRelative(text.to_owned()))),
        },
        Url(endings) => is(is_url(text) && ends(text, endings)),
        Word(words) => is(words.contains(&text)),
        Matches(regex, _) => is(regex.is_match(text)),
        List(item) => {
            let items = value.items().iter().enumerate();
            items.map(|(at, one)| flaw(one, &format!("{path}[{at}]"), item)).find_map(|found| found)
        }
        Map(keys, of) => value.members().iter().find_map(|member| {
            keys.flaw(&member.key)
                .map(|words| (member.range.clone(), Wrong::Shape(member.key.clone(), words.to_owned())))
                .or_else(|| flaw(&member.value, &inside(path, &member.key), of))
        }),
        Object(keys, rest) => {
            let missing = keys.iter().find(|(key, is_required, _)| *is_required && value.get(key).is_none());
            if let Some((key, ..)) = missing {
                return Some((value.range.clone(), Wrong::Missing(inside(path, key))));
            }
            let known = |name: &str| keys.iter().find(|(key, ..)| *key == name);
            let wrong = value.members().iter().find_map(|member| match known(&member.key) {
                Some((.., shape)) => flaw(&member.value, &inside(path, &member.key), shape),
                None if *rest == Rest::Closed => {
                    Some((member.range.clone(), Wrong::Unknown(inside(path, &member.key))))
                }
                None => None,
            });
            wrong.or_else(|| rest.flaw(value, path))
        }
        Either(shapes) => {
            let flaws: Vec<_> = shapes.iter().map_while(|shape| flaw(value, path, shape)).collect();
            if flaws.len() < shapes.len() {
                return None;
            }
            let of_kind = shapes.iter().zip(flaws).filter(|(shape, _)| shape.is_of_kind(value)).map(|(_, flaw)| flaw);
            of_kind.min_by_key(|(_, what)| !matches!(what, Wrong::NotRelative(_)))
        }
    }
}

impl Keys {
    /// Returns what a key has to be, if it is not.
    fn flaw(&self, key: &str) -> Option<&'static str> {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        match self {
            Self::Any => None,
            Self::Dotted => {
                (!key.starts_with('.') || key.len() < 2).then_some("a file extension that starts with a dot")
            }
            Self::Identifier => {
                let is_right = key.bytes().all(is_word) && !key.is_empty() && !key.as_bytes()[0].is_ascii_digit();
                (!is_right).then_some("a name of letters, digits and underscores")
            }
        }
    }
}

impl Rest {
    fn flaw(&self, value: &Json, path: &str) -> Option<(Range<usize>, Wrong)> {
        let Self::OneOf(one, other) = self else { return None };
        let has = |key| value.get(key).and_then(Json::text).is_some_and(|text| !text.is_empty());
        let words = || format!("an object with either `{one}` or `{other}`");
        (has(one) == has(other)).then(|| (value.range.clone(), Wrong::Shape(path.to_owned(), words())))
    }
}

fn ends(text: &str, endings: &[&str]) -> bool {
    endings.is_empty() || endings.iter().any(|ending| text.ends_with(ending))
}

/// Returns whether a text is an address, as far as runtimes check it: a scheme and more.
fn is_url(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, rest)| {
        let is_scheme = scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
        is_scheme && scheme.starts_with(|first: char| first.is_ascii_alphabetic()) && !rest.trim_matches('/').is_empty()
    })
}
