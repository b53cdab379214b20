//! What hooks and servers of a plugin have in common: files of their own, values with types, and scripts.

use std::fmt;
use std::ops::Range;

use bstr::{BStr, ByteSlice};

use super::view::View;
use skilltree_front_matter::text::{self, shortened};
use skilltree_skills::manifest::json::{Json, Member, Value};
use skilltree_skills::manifest::{self, Manifest, Unread};
use skilltree_skills::skill::paths;
use skilltree_skills::snapshot::Resolution;

/// Shells that run a command.
const SHELLS: [&str; 2] = ["bash", "powershell"];

/// Maximum length of a word of the file in a message, in code points.
pub(super) const SHOWN: usize = 64;

/// What a value has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// An object.
    Object,
    /// A list.
    List,
    /// A string.
    Text,
    /// `true` or `false`.
    Boolean,
    /// A number above 0.
    Number,
    /// One of [`SHELLS`].
    Shell,
}

impl Need {
    pub(super) fn is_met(self, value: &Json) -> bool {
        match (self, &value.value) {
            (_, Value::Deep)
            | (Self::Object, Value::Object(_))
            | (Self::List, Value::List(_))
            | (Self::Text, Value::Text(_))
            | (Self::Boolean, Value::Boolean(_))
            | (Self::Number, Value::Number(true)) => true,
            (Self::Shell, Value::Text(text)) => SHELLS.contains(&text.as_str()),
            _ => false,
        }
    }

    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Object => "an object",
            Self::List => "a list",
            Self::Text => "a string",
            Self::Boolean => "`true` or `false`",
            Self::Number => "a number above 0",
            Self::Shell => "`bash` or `powershell`",
        }
    }
}

/// The directory of a plugin, for its hooks and servers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Directory<'a> {
    /// The path from the top.
    pub(super) path: &'a BStr,
    /// Whether its files of hooks and servers were made for the runtime.
    pub(super) is_own: bool,
    /// Whether a marketplace lists it, so that it is installed as a copy.
    pub(super) is_listed: bool,
}

/// Why a script of a plugin does not run, with its path as written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Script {
    /// It does not exist.
    Gone(String),
    /// It has no executable bit; with its path from the top.
    NotExecutable(String, String),
    /// The line that names its interpreter ends in CR.
    CarriageReturn(String, String),
    /// Its path is relative to the working directory.
    Relative(String),
    /// It, or another file that the command names, is not in the plugin, and not in an installed copy.
    Outside(String),
    /// Its path has a variable of another program.
    Foreign(&'static str),
    /// Its path has the variable in a form that nothing replaces; with what the text becomes.
    Unreplaced(String, String),
}

/// Variables that are the directory of a plugin in other programs.
const FOREIGN: [&str; 3] = ["${PLUGIN_ROOT}", "${CURSOR_PLUGIN_ROOT}", "${extensionPath}"];

/// The variable for the directory of a plugin, and how it begins in braces.
const OWN_BARE: &str = "$CLAUDE_PLUGIN_ROOT";
const OWN_OPEN: &str = "${CLAUDE_PLUGIN_ROOT";

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gone(path) => write!(f, "`{}` does not exist", shortened(path, SHOWN)),
            Self::NotExecutable(path, _) => write!(f, "`{}` is not executable", shortened(path, SHOWN)),
            Self::CarriageReturn(path, _) => write!(f, "`{}` has CRLF line endings", shortened(path, SHOWN)),
            Self::Relative(path) => write!(f, "`{}` is relative to the working directory", shortened(path, SHOWN)),
            Self::Outside(path) => write!(f, "`{}` is outside the plugin", shortened(path, SHOWN)),
            Self::Foreign(variable) => write!(f, "`{variable}` is not set"),
            Self::Unreplaced(written, text) if written == text => {
                write!(f, "`{}` stays text", shortened(written, SHOWN))
            }
            Self::Unreplaced(written, text) => {
                write!(f, "`{}` becomes `{}`", shortened(written, SHOWN), shortened(text, SHOWN))
            }
        }
    }
}

impl Script {
    /// Returns the variable of another program in a text. With the own one as well, one is in place of the other.
    pub(super) fn foreign(text: &str) -> Option<Self> {
        let found = FOREIGN.into_iter().find(|variable| text.contains(variable));
        found.filter(|_| !text.contains("CLAUDE_PLUGIN_ROOT")).map(Self::Foreign)
    }

    /// Returns the variable at the start of a text of a server, in a form that is not replaced: without braces, or with an operator.
    /// With `:-` the text after it takes its place, as if the variable were not set.
    pub(super) fn unreplaced(text: &str) -> Option<Self> {
        let written = match text.strip_prefix(OWN_OPEN) {
            Some(rest) if !rest.starts_with('}') => {
                let end = rest.find('}')?;
                // A variable in the default has braces of its own.
                let end = if rest[..end].contains("${") && rest[end + 1..].starts_with('}') { end + 1 } else { end };
                &text[..=OWN_OPEN.len() + end]
            }
            Some(_) => return None,
            None => text.strip_prefix(OWN_BARE).filter(|rest| rest.starts_with('/')).map(|_| OWN_BARE)?,
        };
        let operator = written.strip_prefix(OWN_OPEN).unwrap_or_default();
        if operator.starts_with(|character: char| character.is_ascii_alphanumeric() || character == '_') {
            return None;
        }
        let default = operator.strip_prefix(":-").and_then(|rest| rest.strip_suffix('}'));
        Some(Self::Unreplaced(written.to_owned(), default.unwrap_or(written).to_owned()))
    }

    /// Checks a script: by its path from the plugin, and whether it is started without an interpreter, or else by its relative path.
    pub(super) fn check(
        search: &View<'_>,
        directory: &BStr,
        own: Option<(&str, bool)>,
        relative: Option<&str>,
    ) -> Option<Self> {
        let Some((path, is_direct)) = own else {
            let path = relative?;
            let target = manifest::below(directory, path)?;
            return search.manifests.is_file(target.as_bstr()).then(|| Self::Relative(path.to_owned()));
        };
        let target = manifest::below(directory, path)?;
        if search.manifests.resolve(target.as_bstr()) == Some(&Resolution::Dangling) {
            return Some(Self::Gone(path.to_owned()));
        }
        let is_refused = is_direct && search.manifests.not_executable.contains(&target);
        let has_return = is_direct && search.manifests.carriage_returns.contains(&target);
        let whole = text::lossless(target.as_bstr());
        match is_refused {
            true => Some(Self::NotExecutable(path.to_owned(), whole)),
            false => has_return.then(|| Self::CarriageReturn(path.to_owned(), whole)),
        }
    }

    /// Checks the paths in a text that climb out of the plugin. In a plugin that a marketplace lists, and in one that is the repository, nothing
    /// is there after an installation.
    pub(super) fn climbing(directory: &BStr, text: &str, is_listed: bool) -> Option<Self> {
        let path = manifest::climbing(text)?;
        let is_gone = is_listed || paths::resolve(directory, path.into()).is_none();
        is_gone.then(|| Self::Outside(format!("${{CLAUDE_PLUGIN_ROOT}}/{path}")))
    }

    /// Returns the edit that corrects it.
    pub(super) fn help(&self) -> String {
        match self {
            Self::Outside(_) => "copy the file into the plugin, and write the path of the copy".to_owned(),
            Self::Gone(_) => "add the script, or correct its path; it starts at the plugin".to_owned(),
            Self::NotExecutable(_, whole) => format!("run `git update-index --chmod=+x {}`", shortened(whole, SHOWN)),
            Self::Foreign(_) | Self::Unreplaced(..) => "write `${CLAUDE_PLUGIN_ROOT}`".to_owned(),
            Self::CarriageReturn(_, whole) => {
                format!("write LF line endings in `{}`", shortened(whole, SHOWN))
            }
            Self::Relative(path) => {
                format!("write `${{CLAUDE_PLUGIN_ROOT}}/{}`", shortened(path.trim_start_matches("./"), SHOWN))
            }
        }
    }
}

/// Returns why a file is not read as a whole, and where that shows. Conflict markers have their own finding, and whether a link is followed
/// is unknown.
pub(super) fn unread(file: &Manifest) -> Option<(Range<usize>, String)> {
    match &file.content {
        Ok(_) if file.has_bom => Some((0..3, "the file starts with a byte order mark (BOM)".to_owned())),
        Err(Unread::Malformed(reason, at)) => Some((*at..at + 1, format!("it is not valid JSON: {reason}"))),
        Err(Unread::NotAnObject) => Some((0..0, "the file is not an object".to_owned())),
        Err(Unread::TooLarge(bytes)) => {
            Some((0..0, format!("the file has {} bytes, so it was not checked", text::grouped(*bytes))))
        }
        Ok(_) | Err(Unread::Link | Unread::Unmerged) => None,
    }
}

/// Returns the key of an object that is similar to one that is missing.
pub(super) fn similar<'a>(object: &'a Json, key: &str) -> Option<&'a Member> {
    object.members().iter().find(|member| text::nearest(&member.key, [key]).is_some())
}

/// Returns the place of a key or of a text without its quotes, which stay where it is replaced.
pub(super) fn unquoted(range: &Range<usize>) -> Range<usize> {
    range.start + 1..range.end - 1
}
