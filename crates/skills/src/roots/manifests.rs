//! Names of the files that make a directory a package of skills, or list packages.

use bstr::{BStr, ByteSlice};

use skilltree_front_matter::text;

/// The manifest of skills that `npx skills` installed.
pub const LOCK: &str = "skills-lock.json";

/// Settings of Claude Code: which plugins are enabled, and what a model is shown of a skill.
pub const CLAUDE_SETTINGS: &str = ".claude/settings.json";

/// Settings of one user for a project, which count before those of the project. In a repository they are those of each clone.
pub const LOCAL_SETTINGS: &str = ".claude/settings.local.json";

/// The manifest of a plugin of Claude Code.
pub const CLAUDE_PLUGIN: &str = ".claude-plugin/plugin.json";

/// The file with the hooks of a plugin. It counts as a manifest, because with one that is wrong nothing of the plugin may load.
pub const HOOKS: &str = "hooks/hooks.json";

/// The file with the MCP servers of a plugin.
pub const SERVERS: &str = ".mcp.json";

/// The manifest of a package of npm.
pub const NPM_PACKAGE: &str = "package.json";

/// The hooks of a project for Codex.
pub const CODEX_HOOKS: &str = ".codex/hooks.json";

/// Settings of Gemini CLI.
pub const GEMINI_SETTINGS: &str = ".gemini/settings.json";

/// Settings of Qwen Code.
pub const QWEN_SETTINGS: &str = ".qwen/settings.json";

/// Directory of the hooks of a project for Copilot CLI, each file with a name of its own.
pub const GITHUB_HOOKS: &str = ".github/hooks";

/// Settings of other programs at the top: the file, the key that names skills directories, and the directory at which its paths start.
const SETTINGS: [(&str, &str, &str); 7] = [
    (".pi/settings.json", "skills", ".pi"),
    (".vscode/settings.json", "chat.agentSkillsLocations", ""),
    ("opencode.json", "skills.paths", ""),
    ("opencode.jsonc", "skills.paths", ""),
    (CODEX_HOOKS, "", ""),
    (GEMINI_SETTINGS, "", ""),
    (QWEN_SETTINGS, "", ""),
];

/// Files and directories at the top that show which programs a repository is used with. They are looked up by name.
pub const SIGNS: [&str; 7] = [
    ".claude/agents",
    ".claude/commands",
    CLAUDE_SETTINGS,
    ".codex/config.toml",
    GEMINI_SETTINGS,
    "CLAUDE.md",
    "GEMINI.md",
];

/// Paths of manifests, from the directory of the package or of the marketplace.
const PATHS: [&str; 30] = [
    ".agents/plugins/marketplace.json",
    ".claude-plugin/marketplace.json",
    CLAUDE_PLUGIN,
    CLAUDE_SETTINGS,
    LOCAL_SETTINGS,
    ".codex-plugin/plugin.json",
    CODEX_HOOKS,
    ".cursor-plugin/marketplace.json",
    ".cursor-plugin/plugin.json",
    GEMINI_SETTINGS,
    ".github/plugin/marketplace.json",
    ".github/plugin/plugin.json",
    ".kimi-plugin/plugin.json",
    SETTINGS[0].0,
    ".plugin/marketplace.json",
    ".plugin/plugin.json",
    QWEN_SETTINGS,
    SETTINGS[1].0,
    "gemini-extension.json",
    HOOKS,
    "kimi.plugin.json",
    "marketplace.json",
    "openclaw.plugin.json",
    SETTINGS[2].0,
    SETTINGS[3].0,
    NPM_PACKAGE,
    "plugin.json",
    "qwen-extension.json",
    LOCK,
    SERVERS,
];

/// Places of a manifest that no program reads, next to the settings of a program, and the place that its program reads.
const SLIPS: [(&str, &str); 13] = [
    (".agents/marketplace.json", ".agents/plugins/marketplace.json"),
    (".agents/plugin/marketplace.json", ".agents/plugins/marketplace.json"),
    (".claude/marketplace.json", ".claude-plugin/marketplace.json"),
    (".claude/plugin.json", CLAUDE_PLUGIN),
    (".claude-plugins/marketplace.json", ".claude-plugin/marketplace.json"),
    (".claude-plugins/plugin.json", CLAUDE_PLUGIN),
    (".codex/plugin.json", ".codex-plugin/plugin.json"),
    (".cursor/marketplace.json", ".cursor-plugin/marketplace.json"),
    (".cursor/plugin.json", ".cursor-plugin/plugin.json"),
    (".github/marketplace.json", ".github/plugin/marketplace.json"),
    (".github/plugin.json", ".github/plugin/plugin.json"),
    (".github/plugins/marketplace.json", ".github/plugin/marketplace.json"),
    (".kimi/plugin.json", ".kimi-plugin/plugin.json"),
];

/// Returns the place that the program of a manifest reads, if the manifest is in another one.
pub fn belongs(name: &str) -> Option<&'static str> {
    SLIPS.iter().find(|(slip, _)| *slip == name).map(|(_, meant)| *meant)
}

/// Returns the key of a file of settings that names skills directories, if it has one, and the directory at which its paths start;
/// `None` for another file.
pub fn settings(name: &str) -> Option<(&'static str, &'static str)> {
    SETTINGS.iter().find(|(known, ..)| *known == name).map(|(_, key, base)| (*key, *base))
}

/// Returns whether a file is the settings of another program than Claude Code.
pub fn is_settings(name: &str) -> bool {
    settings(name).is_some() || super::is_within(name.into(), GITHUB_HOOKS.into())
}

/// Returns whether a file is settings of Claude Code.
pub fn is_claude_settings(name: &str) -> bool {
    matches!(name, CLAUDE_SETTINGS | LOCAL_SETTINGS)
}

/// Returns the paths of manifests, from the directory of the package or of the marketplace.
pub fn manifest_paths() -> impl Iterator<Item = &'static str> {
    PATHS.into_iter()
}

/// Returns the directory that a manifest describes, and the manifest's path from there; `None` for another file.
pub fn manifest(path: &BStr) -> Option<(&BStr, &'static str)> {
    let name = text::file_name(path);
    if !is_manifest_file(name) {
        return None;
    }
    let found = known().filter_map(|known| {
        let above = path.strip_suffix(known.as_bytes())?;
        let is_whole = above.is_empty() || above.ends_with(b"/");
        is_whole.then(|| (above.strip_suffix(b"/").unwrap_or(above).as_bstr(), known))
    });
    found.max_by_key(|(_, known)| known.len())
}

/// Returns the paths of manifests, in the right and in the wrong places.
fn known() -> impl Iterator<Item = &'static str> {
    PATHS.into_iter().chain(SLIPS.into_iter().map(|(slip, _)| slip))
}

/// Returns whether a file has the name of a manifest.
pub fn is_manifest_file(name: &BStr) -> bool {
    name.contains_str(".json") && PATHS.iter().any(|known| text::file_name((*known).into()) == name)
}

/// Returns whether manifests are looked for in a directory with this name, wherever it is. Other manifests matter only above a
/// SKILL.md.
pub(crate) fn is_manifest_directory(name: &BStr) -> bool {
    has_manifest(name) || is_directory_of(name, SLIPS.into_iter().map(|(slip, _)| slip))
}

/// Returns whether a program reads a manifest in a directory with this name.
pub(crate) fn has_manifest(name: &BStr) -> bool {
    is_directory_of(name, PATHS.into_iter())
}

fn is_directory_of(name: &BStr, mut manifests: impl Iterator<Item = &'static str>) -> bool {
    (name.contains_str("plugin") || name == "hooks" || name.starts_with(b"."))
        && manifests.any(|known| text::file_name(text::parent(known.into())) == name)
}

/// Returns whether a manifest matters only above a SKILL.md: its name is common.
pub(crate) fn is_common(known: &str) -> bool {
    belongs(known).is_some() || !known.contains("plugin/") && !known.contains("plugins/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_directory_of_a_manifest() {
        let of = |path: &'static str| manifest(path.into()).map(|(base, known)| (base.to_string(), known));
        let found = |base: &str, known| Some((base.to_owned(), known));
        assert_eq!(of("x/.claude-plugin/plugin.json"), found("x", ".claude-plugin/plugin.json"));
        assert_eq!(of(".github/plugin/marketplace.json"), found("", ".github/plugin/marketplace.json"));
        assert_eq!(of("a/b/plugin.json"), found("a/b", "plugin.json"));
        assert_eq!(of("package.json"), found("", "package.json"));
        assert_eq!(of("a/.claude/settings.json"), found("a", ".claude/settings.json"));
        assert_eq!(of("a/.cursor/plugin.json"), found("a", ".cursor/plugin.json"));
        assert_eq!((of("a/settings.json"), of("a/tsconfig.json")), (None, None));
        assert!(is_manifest_directory(".codex-plugin".into()) && !is_manifest_directory("a".into()));
        assert!(
            is_manifest_directory(".github".into())
                && !has_manifest(".github".into())
                && has_manifest(".claude".into())
        );
        assert!(is_common(".github/plugins/marketplace.json"));
        assert!(is_common("plugin.json") && is_common(".claude/settings.json") && !is_common(".plugin/plugin.json"));
    }
}
