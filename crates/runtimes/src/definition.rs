//! Definitions of agents that programs other than Claude Code read: what keeps each from being loaded.

use bstr::{BStr, ByteSlice};
use toml::Spanned;
use toml::de::DeTable;

use skilltree_front_matter::text::{self, FileId, Place};
use skilltree_front_matter::{FaultKind, Field, Node, NodeKind, ScalarKind, Style};
use skilltree_skills::agents::{CODEX_CONFIG, Owner};
use skilltree_skills::keys;
use skilltree_skills::skill::Skill;

mod codex;
mod commands;
mod programs;

pub use commands::flaws as command_flaws;
pub(crate) use programs::{CODEX, COPILOT_CLI, GEMINI_CLI, OPENCODE, OPENCODE_COMMANDS, QWEN_CODE};

/// Why a program does not load a definition whose front matter it cannot parse.
const NOT_YAML: &str = "the YAML of its front matter does not parse";

/// Number of flaws of one file that are reported (ours: 8).
const FLAWS: usize = 8;

/// What a program makes of definitions.
#[derive(Debug, PartialEq, Eq)]
pub struct Definitions {
    /// What one is: `agent` or `command`.
    pub noun: &'static str,
    /// Their directories.
    pub directories: &'static [&'static str],
    /// Whether those in directories below are read.
    nested: bool,
    /// Whether a file is read whose name begins with `_`.
    underscore: bool,
    /// Whether they are TOML.
    is_toml: bool,
    /// Whether each needs front matter that parses.
    needs_front_matter: bool,
    /// Keys that each needs.
    required: &'static [&'static str],
    /// Keys that each may have; any if there are none.
    known: &'static [&'static str],
    /// Keys of other programs, or of skills, with a value that it does not accept, or at all.
    forms: &'static [(&'static str, Form)],
    /// Whether an empty value counts as absent.
    skips_null: bool,
    /// Names of tools; any if there are none.
    tools: &'static [&'static str],
    /// Whether a mistake keeps the program from starting.
    pub stops: bool,
    /// Whether it reads those of Claude Code, and those of plugins: there without directories below.
    shared: bool,
    /// Whether a key may be there twice, and a required value empty.
    is_lenient: bool,
}

/// The form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Text,
    /// Lowercase letters, digits, `-` and `_`.
    Slug,
    /// Letters, digits, `-` and `_`.
    Word,
    Number,
    Boolean,
    List,
    /// A list with an item per line.
    Lines,
    Mapping,
    /// A list, or a string.
    Names,
    /// A mapping of `true` and `false`.
    Switches,
    Words(&'static [&'static str]),
    /// `#` and six hexadecimal digits, or a word.
    Color(&'static [&'static str]),
    /// One of the words, or a mapping.
    Rules(&'static [&'static str]),
}

/// A key of a project's settings that costs skills, or the servers that they need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AboutSkills {
    /// `skills.config`, which is applied for a user only.
    WithoutEffect(Place),
    /// `skills.include_instructions`, with which no skill is listed.
    Unlisted(Place),
    /// The key of servers of other programs, with which none starts.
    Servers(Place),
}

/// A mistake in a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// Where it is.
    pub place: Place,
    /// What is wrong.
    pub what: String,
    /// The edit that corrects it.
    pub help: String,
    /// Whether the YAML does not parse.
    pub is_syntax: bool,
}

impl Flaw {
    /// Returns the flaw of front matter whose YAML does not parse.
    #[must_use]
    pub fn of_syntax(place: Place) -> Self {
        let help = "quote the value, or write it as a block after `|` with each line indented";
        Self { is_syntax: true, ..flaw(place, NOT_YAML, help) }
    }
}

impl Definitions {
    /// Returns whether the program reads a file.
    #[must_use]
    pub fn reads(&self, path: &BStr) -> bool {
        let name = text::file_name(path);
        let inside = |directory: &&str| path.strip_prefix(directory.as_bytes())?.strip_prefix(b"/");
        let is_read = |inside: &[u8]| self.nested || !inside.contains(&b'/');
        self.directories.iter().filter_map(inside).any(is_read) && (self.underscore || !name.starts_with(b"_"))
    }

    /// Returns whether the program reads a file among the agents of Claude Code, or those of a plugin.
    #[must_use]
    pub fn reads_of(&self, owner: Owner, path: &BStr) -> bool {
        let is_direct = || path.rsplit(|byte| *byte == b'/').nth(1).is_some_and(|name| name == b"agents");
        self.shared
            && match owner {
                Owner::Project => true,
                Owner::Plugin | Owner::OtherPlugin => is_direct() || !path.split_str("/").any(|name| name == b"agents"),
                Owner::Command | Owner::MarkdownCommand | Owner::Other(_) => false,
            }
    }

    /// Returns the keys of a project's settings for it that cost skills.
    #[must_use]
    pub fn about_skills(&self, path: &str, file: FileId, bytes: &[u8]) -> Vec<AboutSkills> {
        if self.is_toml && path == CODEX_CONFIG { codex::about_skills(file, bytes) } else { Vec::new() }
    }

    /// Returns why the program does not load a definition. `bytes` are the text of the file.
    #[must_use]
    pub fn flaws(&self, skill: &Skill, bytes: &[u8]) -> Vec<Flaw> {
        if self.is_toml {
            return codex::flaws(skill.file, bytes);
        }
        let mut flaws = Vec::new();
        let Some(front_matter) = &skill.front_matter else {
            if self.needs_front_matter {
                let help = "add `name` and `description` between lines of `---`, or move the file out of the directory";
                flaws.push(flaw(skill.opener(), "it has no front matter", help));
            }
            return flaws;
        };
        let Some(fields) = &front_matter.fields else {
            let fault = skill.faults.iter().find(|fault| matches!(fault.kind(), FaultKind::Yaml(_)));
            if let Some(fault) = fault.filter(|_| self.needs_front_matter) {
                flaws.push(Flaw::of_syntax(fault.place));
            }
            return flaws;
        };
        for key in self.required {
            let is_absent = |node: &Node| if self.is_lenient { node.is_blank() } else { is_null(node) };
            if !fields.iter().any(|field| field.key.value == *key && !is_absent(&field.value)) {
                flaws.push(missing(skill, fields, key));
            }
        }
        let repeated = skill.faults.iter().find(|fault| fault.kind() == FaultKind::DuplicateKey);
        if let Some(fault) = repeated.filter(|_| !self.is_lenient) {
            flaws.push(flaw(fault.place, "a key is there twice", "remove one of them"));
        }
        fields.iter().for_each(|field| self.field(field, bytes, &mut flaws));
        flaws.truncate(FLAWS);
        flaws
    }

    /// Returns whether front matter is that of an agent: other Markdown has some, too.
    #[must_use]
    pub fn is_agent(fields: &[Field]) -> bool {
        fields.iter().any(|field| AGENT_KEYS.iter().any(|key| field.key.value.eq_ignore_ascii_case(key)))
    }

    /// Returns why Claude Code does not load the agent of a project, by the fields as it reads them.
    #[must_use]
    pub fn of_claude_code(skill: &Skill, fields: &[Field]) -> Vec<Flaw> {
        let texts = ["name", "description"].into_iter().filter_map(|key| Self::without_text(skill, fields, key));
        let mut flaws: Vec<Flaw> = texts.collect();
        let name = fields.iter().find(|field| field.key.value == "name").map(|field| &field.value);
        if let Some(node) = name.filter(|node| node.scalar().is_some_and(|name| name.contains(':'))) {
            flaws.push(flaw(node.place, "its name has a colon", "write the name without a colon"));
        }
        flaws
    }

    /// Returns what is wrong with a key that Claude Code needs as a text.
    #[must_use]
    pub fn without_text(skill: &Skill, fields: &[Field], key: &str) -> Option<Flaw> {
        match fields.iter().find(|field| field.key.value == key).map(|field| &field.value) {
            Some(node) if text_of(node).is_some_and(|text| !text.is_empty()) => None,
            Some(node) if !is_null(node) && text_of(node) != Some("") => Some(untyped(key, Form::Text, node)),
            _ => Some(missing(skill, fields, key)),
        }
    }

    fn field(&self, field: &Field, bytes: &[u8], flaws: &mut Vec<Flaw>) {
        let (key, place) = (field.key.value.as_str(), field.key.place);
        if !self.known.is_empty() && !self.known.contains(&key) {
            let shown = text::shortened(key, 64);
            let near = self.known.iter().find(|known| keys::is_slip(key, known));
            let help = near.map_or_else(|| "remove it".to_owned(), |near| format!("rename it to `{near}`"));
            flaws.push(flaw(place, format!("`{shown}` is not a key of its agents"), help));
            return;
        }
        let Some((_, form)) = self.forms.iter().find(|(known, _)| *known == key) else { return };
        // An empty value of a required key is reported as absent.
        let is_reported = if self.is_lenient { field.value.is_blank() } else { is_null(&field.value) };
        if field.value.is_blank() && self.skips_null || is_reported && self.required.contains(&key) {
            return;
        }
        if !form.is_met(&field.value, bytes) {
            let what = format!("`{key}` is not {}", form.noun());
            flaws.push(flaw(field.value.place, what, self.help(key, *form, &field.value)));
        } else if key == "tools"
            && let NodeKind::List(items) = &field.value.kind
        {
            let unknown = items.iter().find(|item| item.scalar().is_some_and(|name| !self.is_tool(name)));
            if let Some(name) = unknown.and_then(Node::scalar) {
                let what = format!("`{}` is not a name of a tool", text::shortened(name, 64));
                flaws.push(flaw(field.value.place, what, self.help(key, *form, &field.value)));
            }
        }
    }

    fn is_tool(&self, name: &str) -> bool {
        self.tools.is_empty()
            || self.tools.contains(&name)
            || ["mcp_", "discovered_tool_"].iter().any(|start| name.starts_with(start))
    }

    /// Returns the value to write.
    fn help(&self, key: &str, form: Form, value: &Node) -> String {
        let words = value.words();
        let is_word = |word: &&str| {
            !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        };
        if form == Form::Names {
            return "write a list: `[NAME, NAME]`".to_owned();
        }
        if key != "tools"
            && form == Form::List
            && !words.is_empty()
            && words.len() <= FLAWS
            && words.iter().all(is_word)
        {
            return format!("write `[{}]`", words.join(", "));
        }
        if key == "tools" {
            let named: Vec<&str> = value.words().into_iter().map(|name| self.tool(name)).take(FLAWS).collect();
            let is_plain =
                |name: &&str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            let is_complete =
                !named.is_empty() && named.iter().all(is_plain) && named.iter().all(|name| self.is_tool(name));
            return match form {
                Form::List if is_complete => format!("write `[{}]`", named.join(", ")),
                Form::List if self.tools.is_empty() => "write a list of names: `[NAME, NAME]`".to_owned(),
                Form::List => format!("write a list of its tools, such as `[{}]`", programs::GEMINI_SAMPLE),
                Form::Lines => "write each tool on a line of its own, after `- `".to_owned(),
                _ => {
                    "write each tool on a line below it, such as `bash: false`; a tool without a line stays".to_owned()
                }
            };
        }
        let hexadecimal = value.scalar().and_then(|name| {
            programs::COLORS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, color)| color)
        });
        let words = |words: &[&str]| words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
        match form {
            Form::Color(_) if hexadecimal.is_some() => format!("write `\"{}\"`", hexadecimal.unwrap_or(&"")),
            Form::Color(known) => {
                format!("write six hexadecimal digits in quotes, such as `\"#0000ff\"`, or one of {}", words(known))
            }
            Form::Words(known) => {
                let near = value.scalar().and_then(|word| text::nearest(word, known.iter().copied()));
                near.map_or_else(|| format!("write one of {}", words(known)), |near| format!("write `{near}`"))
            }
            Form::Rules(known) => format!("write one of {}, or one of them for each tool", words(known)),
            _ => format!("write {}, or remove `{key}`", form.noun()),
        }
    }

    /// Returns the program's name of a tool of Claude Code.
    fn tool<'a>(&self, name: &'a str) -> &'a str {
        let same = programs::GEMINI_TOOLS.iter().find(|(known, _)| *known == name).map(|(_, same)| *same);
        same.filter(|same| self.tools.contains(same)).unwrap_or(name)
    }
}

impl Form {
    fn noun(self) -> String {
        let noun = match self {
            Self::Text => "a string",
            Self::Slug => "a word of lowercase letters, digits, `-` and `_`",
            Self::Word => "a word of letters, digits, `-` and `_`",
            Self::Number => "a number",
            Self::Boolean => "`true` or `false`",
            Self::List => "a list",
            Self::Names => "a list or a string",
            Self::Lines => "a list with an item per line",
            Self::Mapping => "a mapping",
            Self::Switches => "a mapping of `true` and `false`",
            Self::Words(_) => "a known value",
            Self::Color(_) => "a hexadecimal color",
            Self::Rules(_) => "a known rule",
        };
        noun.to_owned()
    }

    fn is_met(self, node: &Node, bytes: &[u8]) -> bool {
        let text = text_of(node);
        match self {
            Self::Text => text.is_some(),
            Self::Slug => text.is_some_and(|text| {
                text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte))
            }),
            Self::Word => {
                let is_word = |text: &str| text.trim().chars().all(|one| one.is_alphanumeric() || "-_".contains(one));
                node.scalar().is_none_or(is_word)
            }
            Self::Number => is_plain(node, |text| text.parse::<f64>().is_ok_and(f64::is_finite)),
            Self::Boolean => is_plain(node, is_boolean),
            Self::List => matches!(node.kind, NodeKind::List(_)),
            Self::Names => matches!(node.kind, NodeKind::List(_)) || text.is_some(),
            Self::Lines => {
                matches!(node.kind, NodeKind::List(_)) && bytes.get(node.place.start as usize) != Some(&b'[')
            }
            Self::Mapping => matches!(node.kind, NodeKind::Map(_)) || is_null(node),
            Self::Switches => match &node.kind {
                NodeKind::Map(fields) => fields.iter().all(|field| is_plain(&field.value, is_boolean)),
                _ => false,
            },
            Self::Words(words) => text.is_some_and(|text| words.contains(&text)),
            Self::Color(words) => text.is_some_and(|text| {
                let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
                words.contains(&text)
                    || digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
            }),
            Self::Rules(words) => match &node.kind {
                NodeKind::Map(fields) => fields.iter().all(|field| {
                    matches!(field.value.kind, NodeKind::Map(_))
                        || text_of(&field.value).is_some_and(|text| words.contains(&text))
                }),
                _ => text.is_some_and(|text| words.contains(&text)),
            },
        }
    }
}

/// Returns the text of a value that every parser reads as a string, or that may be one: the YAML versions differ.
fn text_of(node: &Node) -> Option<&str> {
    let NodeKind::Scalar { text, style, kind } = &node.kind else { return None };
    let is_other = *style == Style::Plain
        && match kind {
            ScalarKind::Null => true,
            ScalarKind::Boolean => is_boolean(text),
            ScalarKind::Number => text.bytes().all(|byte| byte.is_ascii_digit()),
            ScalarKind::Text | ScalarKind::Timestamp => false,
        };
    (!is_other).then_some(text)
}

fn is_plain(node: &Node, is_met: impl Fn(&str) -> bool) -> bool {
    matches!(&node.kind, NodeKind::Scalar { text, style: Style::Plain, .. } if is_met(text))
}

fn is_boolean(text: &str) -> bool {
    ["true", "True", "TRUE", "false", "False", "FALSE"].contains(&text)
}

/// Keys that show that front matter is that of an agent.
const AGENT_KEYS: [&str; 6] = ["color", "description", "disallowedTools", "model", "name", "tools"];

/// Returns the flaw of front matter without a key. A key that differs in the case of its letters is in its place.
fn missing(skill: &Skill, fields: &[Field], key: &str) -> Flaw {
    let what = format!("it has no `{key}`");
    match fields.iter().find(|field| field.key.value != key && field.key.value.eq_ignore_ascii_case(key)) {
        Some(field) => flaw(field.key.place, what, format!("rename `{}` to `{key}`", field.key.value)),
        None => flaw(skill.opener(), what, format!("add `{key}:`")),
    }
}

fn is_null(node: &Node) -> bool {
    matches!(node.kind, NodeKind::Scalar { kind: ScalarKind::Null, .. })
}

fn untyped(key: &str, form: Form, node: &Node) -> Flaw {
    let help = match (&node.kind, form) {
        (NodeKind::Scalar { .. }, Form::Text) => "put the value in quotes".to_owned(),
        _ => format!("write {}, or remove `{key}`", form.noun()),
    };
    flaw(node.place, format!("`{key}` is not {}", form.noun()), help)
}

fn flaw(place: Place, what: impl Into<String>, help: impl Into<String>) -> Flaw {
    Flaw { place, what: what.into(), help: help.into(), is_syntax: false }
}

/// Parses a file in TOML.
fn table(file: FileId, bytes: &[u8]) -> Result<Spanned<DeTable<'_>>, Flaw> {
    let whole = Place::whole(file);
    let text = bytes.to_str().map_err(|_| flaw(whole, "it is not UTF-8", "save it as UTF-8"))?;
    DeTable::parse(text).map_err(|error| {
        let place = error.span().map_or(whole, |range| Place::new(file, range));
        flaw(place, "it is not valid TOML", "correct the TOML here")
    })
}
