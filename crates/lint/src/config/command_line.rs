//! Options of the command line that override the files. An invalid option fails the run.

use std::collections::BTreeMap;

use super::faults::{level_help, rule_help};
use super::profiles::{faulty, help};
use super::roots::{self, RequestedRoot};
use super::{Config, Error, paths};
use crate::rule::{Level, RuleRef};
use skilltree_runtimes::profile::Profiles;

/// Configuration options of the command line, as typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandLine {
    /// `--root GLOB[=PROFILE]`, in order: these roots follow all others.
    pub roots: Vec<String>,
    /// Directories that contain the paths to check, in addition to the skills directories: normalized paths.
    pub found: Vec<String>,
    /// `prompt --profile PROFILE`: adds the roots of that profile's artifact to the defaults. Without targets, this runtime is the
    /// target.
    pub profile: Option<String>,
    /// `--rule ID=LEVEL`; the last level of a rule wins.
    pub rules: Vec<String>,
    /// `--target PROFILE`: replaces the targets of the file.
    pub targets: Vec<String>,
    /// `--all`: findings name the affected runtimes outside the scope too.
    pub all_runtimes: bool,
    /// `--preview`: also runs the rules outside the edition.
    pub preview: bool,
}

impl CommandLine {
    /// Applies the options on top of the files.
    pub(super) fn apply(&self, config: &mut Config) -> Result<(), Error> {
        for target in &self.targets {
            check_profile(target, &config.profiles)?;
        }
        if !self.targets.is_empty() {
            config.targets.clone_from(&self.targets);
        }
        let rendered = self.profile.as_deref().filter(|id| config.profiles.contains(id));
        config.block = rendered.map(str::to_owned);
        if config.targets.is_empty() {
            // The block is for one runtime: what this runtime loads is accepted.
            config.targets.extend(config.block.clone());
        }
        // A root given together with `prompt --profile` uses that profile.
        let read = |word: &String| {
            let asked = read_root(word, &config.profiles)?;
            Ok(RequestedRoot { profile: asked.profile.or_else(|| rendered.map(str::to_owned)), ..asked })
        };
        let asked = self.roots.iter().map(read).collect::<Result<Vec<_>, Error>>()?;
        config.root_option = !asked.is_empty();
        roots::add(&mut config.roots.patterns, asked, &config.profiles);
        config.all_runtimes = self.all_runtimes;
        config.levels.defaults.preview = self.preview;
        config.levels.forced =
            self.rules.iter().map(|word| read_level(word, config)).collect::<Result<BTreeMap<_, _>, _>>()?;
        Ok(())
    }
}

fn read_root(word: &str, profiles: &Profiles) -> Result<RequestedRoot, Error> {
    let (pattern, profile) = match word.rsplit_once('=') {
        Some((pattern, profile)) => (pattern, Some(profile)),
        None => (word, None),
    };
    let glob = paths::root(pattern)
        .map_err(|bad| Error::usage(format!("--root {word}: {}", bad.message), bad.help.into_owned()))?;
    if let Some(profile) = profile {
        check_profile(profile, profiles)?;
    }
    Ok(RequestedRoot { glob, profile: profile.map(str::to_owned) })
}

fn read_level(word: &str, config: &Config) -> Result<(RuleRef, Level), Error> {
    let Some((id, level)) = word.split_once('=') else {
        let help = "write it as ID=LEVEL, such as empty-body=warning".to_owned();
        return Err(Error::usage(format!("--rule {word}: the severity is missing"), help));
    };
    let rule = config.rule(id).ok_or_else(|| Error::usage(format!("there is no rule `{id}`"), rule_help(id)))?;
    let unknown = || Error::usage(format!("there is no severity `{level}`"), level_help(level));
    let level = Level::parse(level).ok_or_else(unknown)?;
    Ok((rule, level))
}

fn check_profile(id: &str, profiles: &Profiles) -> Result<(), Error> {
    if profiles.contains(id) {
        return Ok(());
    }
    Err(faulty(profiles, id).unwrap_or_else(|| Error::usage(format!("there is no profile `{id}`"), help(profiles, id))))
}
