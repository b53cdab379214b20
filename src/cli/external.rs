//! Skills outside the repository: the user's, the system's, and those of `--external`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use bstr::ByteSlice;
use skilltree_dispatch::accept::Accepted;
use skilltree_dispatch::prompt::{self, Contents, Recipe};
use skilltree_dispatch::select::{Caps, Shadowed};
use skilltree_report::render::escape;
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::profile::Profiles;
use skilltree_skills::roots::{Owner, RootId};
use skilltree_skills::skill::SkillId;
use skilltree_skills::source::Unread;

use super::args::external::External;
use super::environment;
use super::output::Stderr;
use crate::options::Home;

/// Warns that `--user` has no home directory to read. The message contains no path of the machine.
pub(super) fn warn_home(stderr: &Stderr, external: &External, profile: Option<&str>) {
    let profiles = Profiles::default();
    let mut wanted = profiles.ids().filter(|id| profile.is_none_or(|profile| profile == *id));
    let is_wanted = wanted.any(|id| profiles.find(id).is_some_and(|profile| profile.outside().any(is_user)));
    if let (true, true, Err(fact)) = (external.user, is_wanted, home()) {
        let variable = environment::HOME;
        let help = format!("set {variable} to an existing directory, or remove `--user`");
        stderr.warn(&format!("user skills are not read: {variable} {fact}"), Some(&help));
    }
}

fn is_user((_, owner): (&str, Owner)) -> bool {
    owner == Owner::User
}

/// Returns the home directory for the options.
pub(super) fn home_directory() -> Home {
    home().map_or(Home::Unknown, Home::Directory)
}

/// Returns the home directory, or why it cannot be used. A relative path would depend on the current directory.
fn home() -> Result<PathBuf, &'static str> {
    let home = environment::home().ok_or("is not set")?;
    match (home.is_absolute(), home.is_dir()) {
        (false, _) => Err("is not an absolute path"),
        (true, false) => Err("is not a directory"),
        (true, true) => Ok(home),
    }
}

/// Returns the owner of the skills directory that contains a skill.
pub(super) fn owner(catalog: &Catalog, skill: SkillId) -> Owner {
    catalog.root(catalog.skill(skill).root).owner
}

/// Returns the skills that can go into a prompt, and the skills outside the repository that one with the same name shadows. The
/// first list omits the second.
///
/// With a recipe, the skills are those that it chooses from, in the order of its block.
pub(super) fn visible(accepted: &Accepted<'_>, recipe: Option<&Recipe>) -> (Vec<SkillId>, Vec<Shadowed>) {
    let catalog = accepted.catalog;
    if let Some(recipe) = recipe {
        let all = Recipe { limits: Caps::default(), budget: Caps::default(), each: Caps::default(), ..recipe.clone() };
        let chosen = prompt::choose_listed(accepted, &all);
        return (chosen.skills, chosen.shadowed);
    }
    // A skill of the repository has precedence, wherever it was found.
    let roots = (0u32..).map(RootId).zip(&catalog.parsed.roots).map(|(id, _)| id).collect();
    let everything = Recipe { limits: Caps::default(), roots, ..Recipe::everywhere(&[]) };
    let shadowed = prompt::choose(accepted, &everything, &Contents::new()).shadowed;
    let shadowed: Vec<Shadowed> = shadowed.into_iter().filter(|shadowed| is_outside(catalog, shadowed)).collect();
    let hidden: BTreeSet<u32> = shadowed.iter().map(|shadowed| shadowed.skill.0).collect();
    (accepted.skills.iter().copied().filter(|skill| !hidden.contains(&skill.0)).collect(), shadowed)
}

fn is_outside(catalog: &Catalog, shadowed: &Shadowed) -> bool {
    owner(catalog, shadowed.skill) != Owner::Repository
}

/// Reports skills that another one shadows, and files that could not be read. System files are
/// reported only if `verbose` is set.
pub(super) fn report(stderr: &Stderr, catalog: &Catalog, shadowed: &[Shadowed], unread: &[Unread], verbose: bool) {
    let path = |skill| escape::path(catalog.path(skill));
    // A copy loses nothing.
    let is_loss = |one: &&Shadowed| is_outside(catalog, one) || !catalog.are_copies(one.skill, one.by);
    for shadowed in shadowed.iter().filter(is_loss) {
        let name = escape::text(&catalog.skill(shadowed.skill).shown_name());
        stderr.info(&format!("shadowed {name} ({}): {} has precedence", path(shadowed.skill), path(shadowed.by)));
    }
    for unread in unread.iter().filter(|unread| verbose || unread.owner != Owner::System) {
        stderr.info(&format!("skipped {}: {}", escape::path(unread.path.as_bstr()), escape::text(&unread.message)));
    }
}
