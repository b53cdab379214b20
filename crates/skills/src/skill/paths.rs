//! What the path of a file says about it.

use bstr::{BStr, BString, ByteSlice};

/// Returns whether a path has the extension of a Markdown file.
pub fn is_markdown(path: &BStr) -> bool {
    let ends = |extension: &str| {
        let start = path.len().saturating_sub(extension.len());
        path[start..].eq_ignore_ascii_case(extension.as_bytes())
    };
    ends(".md") || ends(".markdown")
}

/// Extensions of scripts. A file without an extension may be one, too.
const SCRIPTS: [&str; 7] = ["bash", "js", "mjs", "pl", "py", "rb", "sh"];

/// Returns whether a path has the extension of a script.
pub(crate) fn is_script_file(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, extension)| SCRIPTS.contains(&extension))
}

/// Names that stand for the name of a user.
const USERS: [&str; 6] = ["me", "user", "username", "you", "your-name", "yourname"];

/// Returns the path from the home directory of a named user of Linux or macOS.
pub fn below_home(path: &str) -> Option<&str> {
    let below = path.strip_prefix("/home/").or_else(|| path.strip_prefix("/Users/"));
    let is_named = |user: &str| {
        !user.is_empty() && !user.contains(['<', '>', '{', '}', '$', '*']) && !USERS.contains(&&*user.to_lowercase())
    };
    let (user, rest) = below?.split_once('/')?;
    (is_named(user) && !rest.is_empty()).then_some(rest)
}

/// Words in the names of files and directories from which an agent makes other files, or which show what these look like.
const TEMPLATES: [&str; 6] = ["assets", "example", "expected", "fixture", "sample", "template"];

/// Returns whether a file is a template or an example, by its path from the skill directory.
pub(crate) fn is_template(path: &BStr) -> bool {
    let path = path.to_ascii_lowercase();
    TEMPLATES.iter().any(|word| path.contains_str(word))
}

/// Names of files that programs find by themselves, in lowercase.
const TOOLS: [&str; 10] = [
    "__init__.py",
    "_meta.json",
    "dockerfile",
    "makefile",
    "package.json",
    "pyproject.toml",
    "requirements.txt",
    "setup.py",
    "skill.md",
    "tsconfig.json",
];

/// Starts of the names of files about a skill, in lowercase.
const PAGES: [&str; 7] = ["changelog", "contributing", "copying", "license", "licence", "notice", "readme"];

/// Ends of the names of lock files and signatures, in lowercase.
const GENERATED: [&str; 7] = [".lock", "-lock.json", "-lock.yaml", ".sig", ".asc", ".sigstore", ".minisig"];

/// Returns whether a file of a skill is used although no text names it, by its path from the skill directory.
pub(crate) fn needs_no_reference(path: &BStr) -> bool {
    let path = path.to_ascii_lowercase();
    let name = path.rsplit_str("/").next().unwrap_or_default();
    let is_hidden = path.split_str("/").any(|part| part.starts_with(b"."));
    let is_test = path.split_str("/").any(|part| matches!(part, b"test" | b"tests" | b"evals" | b"__tests__"))
        || name.starts_with(b"test_")
        || name.contains_str("_test.")
        || name.contains_str(".test.");
    let is_agent = path.starts_with(b"agents/") && (name.ends_with(b".yaml") || name.ends_with(b".yml"));
    is_hidden
        || is_test
        || is_translation(&path)
        || is_agent
        || TOOLS.iter().any(|tool| tool.as_bytes() == name)
        || PAGES.iter().any(|page| name.starts_with(page.as_bytes()))
        || GENERATED.iter().any(|end| name.ends_with(end.as_bytes()))
}

/// Returns whether a file is a translation of the SKILL.md next to it, such as `skill.de.md` or `skill.zh-cn.md`, by its path in lowercase.
fn is_translation(path: &[u8]) -> bool {
    let language = path.strip_prefix(b"skill.").and_then(|rest| rest.strip_suffix(b".md")).unwrap_or_default();
    let (code, region) = language.split_at(language.len().min(2));
    let is_region = |region: &[u8]| (2..=4).contains(&region.len()) && region.iter().all(u8::is_ascii_alphanumeric);
    code.len() == 2
        && code.iter().all(u8::is_ascii_lowercase)
        && (region.is_empty() || region.strip_prefix(b"-").or(region.strip_prefix(b"_")).is_some_and(is_region))
}

/// Resolves a path against a directory of the repository; `None` if it leaves the repository.
pub fn resolve(directory: &BStr, path: &BStr) -> Option<BString> {
    let mut components: Vec<&[u8]> = directory.split_str("/").filter(|component| !component.is_empty()).collect();
    for component in path.split_str("/") {
        match component {
            b"" | b"." => {}
            b".." => drop(components.pop()?),
            _ => components.push(component),
        }
    }
    Some(bstr::join("/", components).into())
}
