//! Settings of programs at the top of a repository: the skills directories that they name, and what the model may use.

use bstr::{BStr, BString};

use super::json::{Json, Value};
use super::{Manifest, Unread, Written, below, written};
use crate::roots;

/// Key of the permissions.
pub(crate) const PERMISSION: &str = "permission";

/// Key of the rules about tools in the settings of Claude Code.
pub const PERMISSIONS: &str = "permissions";

/// Key of the rules against tools.
pub const DENIED: &str = RULES[0];

/// Key of the names of skills that Gemini CLI does not list.
pub const DISABLED: &str = "skills.disabled";

/// Keys of lists of tools that a program does not have.
pub const EXCLUDED: [&str; 2] = ["tools.exclude", "excludeTools"];

/// Keys of lists of rules about tools.
pub const RULES: [&str; 3] = ["permissions.deny", "permissions.ask", "permissions.allow"];

/// Key of the marketplaces that the settings of Claude Code declare.
pub const MARKETPLACES: &str = "extraKnownMarketplaces";

/// Key of the plugins that the settings of Claude Code switch on and off.
pub const ENABLED: &str = "enabledPlugins";

impl Manifest {
    /// Returns whether it is the settings of a program.
    pub fn is_settings(&self) -> bool {
        roots::is_settings(&self.name)
    }

    /// Returns whether settings name skills directories, have permissions, or decide about hooks, tools or the start.
    pub(crate) fn is_about_skills(&self) -> bool {
        let is_acted_on =
            [roots::CODEX_HOOKS, roots::GEMINI_SETTINGS, roots::QWEN_SETTINGS, "opencode.json", "opencode.jsonc"]
                .contains(&self.name.as_ref());
        // Of those that are too large, nothing is known.
        let is_unknown = matches!(self.content, Err(Unread::TooLarge(_)));
        self.named().is_some() || self.permission().is_some() || is_acted_on || is_unknown
    }

    /// Returns the directory at which the paths of settings start; empty for the top.
    pub fn paths_start(&self) -> &'static str {
        roots::settings(&self.name).map_or("", |(_, base)| base)
    }

    /// Returns the skills directories that settings name, each as written, and as a path from the top; `None` if it is not in the tree.
    /// Patterns name none.
    pub fn places(&self) -> impl Iterator<Item = (Written<'_>, Option<BString>)> {
        let base = self.paths_start();
        let paths = self.named().into_iter().flat_map(|value| {
            let on = value.members().iter().filter(|member| member.value.value == Value::Boolean(true));
            let switched = on.map(|member| Written { text: &member.key, range: member.range.clone(), index: None });
            written(value).chain(switched)
        });
        let is_pattern = |path: &str| path.starts_with(['!', '+', '-', '~']) || path.contains(['*', '?', '{']);
        paths.filter(move |written| !is_pattern(written.text)).map(move |written| {
            let path = if base.is_empty() { written.text.to_owned() } else { format!("{base}/{}", written.text) };
            let path = below(BStr::new(""), &path).filter(|_| !written.text.starts_with('/'));
            (written, path)
        })
    }

    /// Returns the permissions for skills in the order of the file, each with its pattern: `{ "skill": { PATTERN: WORD } }`, or one word
    /// for all.
    pub fn permissions(&self) -> impl Iterator<Item = (&str, &Json)> {
        let keys = self.permission().map(Json::members).unwrap_or_default();
        let for_skills = keys.iter().filter(|member| matches!(member.key.as_str(), "*" | "skill"));
        let each = for_skills.flat_map(|member| {
            let inside = member.value.members().iter().map(|one| (one.key.as_str(), &one.value));
            std::iter::once(("*", &member.value)).chain(inside)
        });
        each.filter(|(_, value)| value.text().is_some())
    }

    /// Returns the rules against tools in the settings of Claude Code.
    pub fn denied_tools(&self) -> &[Json] {
        let json = self.content.as_ref().ok().filter(|_| roots::is_claude_settings(&self.name));
        json.and_then(|json| json.at(DENIED)).map_or(&[], Json::items)
    }

    /// Returns the value of the key that names skills directories. The key may have dots in its name.
    fn named(&self) -> Option<&Json> {
        let (key, _) = roots::settings(&self.name)?;
        let json = self.content.as_ref().ok()?;
        json.get(key).or_else(|| json.at(key))
    }

    fn permission(&self) -> Option<&Json> {
        self.content.as_ref().ok().filter(|_| self.is_settings())?.get(PERMISSION)
    }
}
