//! Law: an added file removes no finding that is an error elsewhere, and no skill. Each exception is a rule and a kind of file, with the
//! page that documents it.

use bstr::{BStr, BString, ByteSlice};
use skilltree_skills::roots;

use super::generate::{self, Files, Random};
use super::store::Fault;
use super::{Verdict, in_tree, listed, verdict};

/// Rules whose errors disappear when a file is added, with the reason. No other error may.
const MAY_DISAPPEAR: [(&str, &str); 4] = [
    ("no-skills-checked", "a skill is checked now, and `unchecked-skills` counts the others"),
    ("no-skills-found", "the skills directory has a skill now"),
    ("broken-skill-link", "the file or the directory that the link leads to exists now"),
    ("root-too-large", "its place is the first file over the limit"),
];

/// Rules that count the SKILL.md files that are not checked.
const COUNTING: [&str; 2] = ["no-skills-checked", "unchecked-skills"];

/// The verdicts before and after a file was added.
struct Addition {
    files: Files,
    added: BString,
    before: Verdict,
    after: Verdict,
}

/// Checks the law.
pub(super) fn hide_nothing(files: &Files, random: &mut Random, fault: Fault) -> Result<(), String> {
    let with = generate::with_addition(files, random);
    let Some(added) = with.keys().find(|path| !files.contains_key(*path)).cloned() else { return Ok(()) };
    let (before, after) = (verdict(&in_tree(files, fault)), verdict(&in_tree(&with, fault)));
    Addition { files: with, added, before, after }.hides_nothing()
}

/// Returns whether a path is in a directory.
fn is_inside(path: &str, directory: &str) -> bool {
    path.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'))
}

impl Addition {
    fn hides_nothing(&self) -> Result<(), String> {
        if self.after.failure.is_some() {
            return Ok(());
        }
        let lost: Vec<&String> = self.lost().filter(|path| !self.may_lose(path)).collect();
        if !lost.is_empty() {
            return Err(format!("{} hides the skills {lost:?}", self.added));
        }
        let is_gone = |(rule, path): &&(String, String)| !self.finds(rule, path) && !self.may_hide(rule, path);
        match self.before.errors.iter().find(is_gone) {
            Some(error) => Err(self.hidden(error)),
            None => Ok(()),
        }
    }

    /// Says which error the added file hides.
    fn hidden(&self, error: &(String, String)) -> String {
        let findings = self.before.findings.iter().filter(|(key, _)| key == error);
        let texts: Vec<&String> = findings.map(|(_, text)| text).collect();
        let added = Files::from([(self.added.clone(), self.files[&self.added].clone())]);
        format!("an added file hides {error:?}: {texts:?}, added:\n{}", listed(&added))
    }

    /// Returns the skills that are not checked any more.
    fn lost(&self) -> impl Iterator<Item = &String> {
        self.before.skills.keys().filter(|skill| !self.after.skills.contains_key(*skill))
    }

    fn may_lose(&self, path: &str) -> bool {
        let was_broken = || self.before.errors.contains(&("broken-skill-link".to_owned(), path.to_owned()));
        // A link that led nowhere was a skill of its own; now it leads to a directory.
        self.is_template(path) || was_broken() || self.is_misspelled(path) || self.is_not_searched(path)
    }

    /// docs/check.md: directories whose names end in `skills` are searched only without another skills directory. A finding counts their
    /// skills.
    fn is_not_searched(&self, path: &str) -> bool {
        let around = self.before.roots.iter().filter(|root| root.ends_with("skills") && is_inside(path, root));
        self.adds_skill() && self.is_counted() && around.into_iter().any(|root| !self.after.roots.contains(root))
    }

    fn is_counted(&self) -> bool {
        self.after.findings.iter().any(|((rule, _), _)| COUNTING.contains(&rule.as_str()))
    }

    /// docs/check.md: next to `skills/` or a plugin, a single NAME/SKILL.md at the top is a template. A finding counts it.
    fn is_template(&self, path: &str) -> bool {
        let top = format!("{}/SKILL.md", path.split('/').next().unwrap_or_default());
        self.is_counted() && (path.matches('/').count() <= 1 || self.lost().any(|other| *other == top))
    }

    /// The directory around it became another spelling of a skills directory, and a finding says that it is not checked.
    fn is_misspelled(&self, path: &str) -> bool {
        self.after.findings.iter().any(|((rule, at), _)| rule == "colliding-paths" && is_inside(path, at))
    }

    /// Returns whether a file has a finding now. Its severity depends on who reads the skill, which a file such as a manifest can change.
    fn finds(&self, rule: &str, path: &str) -> bool {
        self.after.findings.iter().any(|((known, at), _)| known == rule && at == path)
    }

    /// Returns whether a finding of the file before has a text.
    fn said(&self, rule: &str, path: &str, part: &str) -> bool {
        self.before.findings.iter().any(|((known, at), text)| known == rule && at == path && text.contains(part))
    }

    fn adds_manifest(&self) -> bool {
        roots::manifest(self.added.as_bstr()).is_some()
    }

    fn adds_skill(&self) -> bool {
        self.added == "SKILL.md" || self.added.ends_with(b"/SKILL.md")
    }

    fn may_hide(&self, rule: &str, path: &str) -> bool {
        self.added == path
            || self.lost().any(|lost| lost == path || is_inside(path, &directory(lost)))
            || self.is_misspelled(path)
            // The name of a SKILL.md directly in a skills directory is not that of a directory.
            || self.finds("skill-file-in-root", path)
            || MAY_DISAPPEAR.iter().any(|(known, _)| *known == rule)
            || match rule {
                "dead-plugin-path" => self.exists_now(rule, path),
                "unusable-plugin-manifest" => self.exists_now(rule, path) || self.has_other_marketplace(path),
                "skill-outside-plugin" => self.is_other_package(path),
                "target-drops-skill" => self.has_other_readers(path) || self.is_nested(path),
                "name-differs-from-directory" => self.is_nested(path),
                "duplicate-name" => self.has_moved_namesake(path),
                "colliding-paths" => self.is_checked_now(path) || self.is_not_searched(path),
                _ => false,
            }
    }

    /// What a manifest names exists now.
    fn exists_now(&self, rule: &str, path: &str) -> bool {
        let mut names = self.added.split_str("/");
        names.any(|name| self.said(rule, path, &format!("{}` does not exist", BStr::new(name))))
    }

    /// The page of the rule: of several marketplaces in a directory, a runtime reads the first one that it knows. One with a common name
    /// counts only above a SKILL.md.
    fn has_other_marketplace(&self, path: &str) -> bool {
        let base =
            |path: &BStr| Some(roots::manifest(path)?.0.to_owned()).filter(|_| path.ends_with(b"marketplace.json"));
        let own = base(path.into());
        let is_other = |other: &&BString| **other != path && base(other.as_bstr()) == own;
        own.is_some() && (self.adds_manifest() || self.adds_skill()) && self.files.keys().any(|other| is_other(&other))
    }

    /// The page of the rule: a plugin that the marketplace around it does not list does not count, nor do skills in the directory of another
    /// package or skill; skills in directories of the project count if the plugin has nothing else.
    fn is_other_package(&self, path: &str) -> bool {
        let package = roots::manifest(path.into()).map(|(base, _)| base);
        let is_around = || package.is_some_and(|base| roots::is_within(self.added.as_bstr(), base));
        self.adds_manifest()
            || self.makes_plugin(path)
            || self.adds_skill() && is_around()
            || self.said("skill-outside-plugin", path, "no skill of this plugin: `.")
    }

    /// docs/check.md: a `plugin.json` that is in no directory of a program counts only next to `skills/`.
    fn makes_plugin(&self, path: &str) -> bool {
        let Some((base, _)) = roots::manifest(path.into()) else { return false };
        let below = |name: &str| if base.is_empty() { name.to_owned() } else { format!("{base}/{name}") };
        self.files.contains_key(BStr::new(&below("plugin.json")))
            && is_inside(&self.added.to_string(), &below("skills"))
    }

    /// docs/check.md: what a manifest names is a skills directory of its own, and so is the top with a SKILL.md. A lock says what is
    /// installed, so that users install the rest.
    fn has_other_readers(&self, path: &str) -> bool {
        (self.adds_manifest() || self.adds_skill()) && self.before.skills.get(path) != self.after.skills.get(path)
    }

    /// A package that has skills now is no skill itself for some runtimes, and no namesake of one. Nor is a skill in another skills
    /// directory.
    fn has_moved_namesake(&self, path: &str) -> bool {
        let is_package = || self.adds_skill() && is_inside(&self.added.to_string(), &directory(path));
        let is_meant = |other: &str| self.said("duplicate-name", path, &format!("`{other}`"));
        let mut others = self.before.skills.keys().filter(|other| self.has_other_readers(other));
        is_package() || others.any(|other| other == path || is_meant(other))
    }

    /// The page of nested-skill: some runtimes look for no skill in the directory of another one.
    fn is_nested(&self, path: &str) -> bool {
        self.adds_skill() && is_inside(path, &directory(&self.added.to_string()))
    }

    /// Another spelling of a skills directory is checked now, because a manifest names it.
    fn is_checked_now(&self, path: &str) -> bool {
        let has_skill = |verdict: &Verdict| verdict.skills.keys().any(|skill| is_inside(skill, path));
        self.adds_manifest() && !has_skill(&self.before) && has_skill(&self.after)
    }
}

/// Returns the directory of a file.
fn directory(path: &str) -> String {
    path.rsplit_once('/').map(|(directory, _)| directory).unwrap_or_default().to_owned()
}
