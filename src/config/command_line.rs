//! What the command line says over the files. Whoever typed it is there to be told, so a wrong word ends the run.

use std::collections::BTreeMap;

use super::faults::{rule_help, word_help};
use super::profiles::faulty;
use super::roots::{self, Asked};
use super::{Config, Error, paths};
use crate::profile::Profiles;
use crate::rule::Level;
use crate::rules;

/// The words of the command line that belong to the configuration, as they were typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandLine {
    /// `--root GLOB[=PROFILE]`, in their order: these roots come after all others.
    pub roots: Vec<String>,
    /// `prompt --profile PROFILE`: the roots of that profile's artifact are read beside the default ones.
    pub profile: Option<String>,
    /// `--rule ID=LEVEL`; of one rule the last level counts.
    pub rules: Vec<String>,
    /// `--target PROFILE`: where there is one, the file's targets do not count.
    pub targets: Vec<String>,
    /// `--preview`: the rules that the edition does not have are judged too.
    pub preview: bool,
}

impl CommandLine {
    /// Puts the words over what the files say.
    pub(super) fn apply(&self, config: &mut Config) -> Result<(), Error> {
        for target in &self.targets {
            check_profile(target, &config.profiles)?;
        }
        if !self.targets.is_empty() {
            config.targets.clone_from(&self.targets);
        }
        // A root that is asked for together with a prompt is one for that prompt.
        let rendered = self.profile.as_deref().filter(|id| config.profiles.contains(id));
        let read = |word: &String| {
            let asked = read_root(word, &config.profiles)?;
            Ok(Asked { profile: asked.profile.or_else(|| rendered.map(str::to_owned)), ..asked })
        };
        let asked = self.roots.iter().map(read).collect::<Result<Vec<_>, Error>>()?;
        roots::add(&mut config.roots.patterns, asked, &config.profiles);
        config.levels.defaults.preview = self.preview;
        config.levels.forced = self.rules.iter().map(|word| read_level(word)).collect::<Result<BTreeMap<_, _>, _>>()?;
        Ok(())
    }
}

fn read_root(word: &str, profiles: &Profiles) -> Result<Asked, Error> {
    let (pattern, profile) = match word.rsplit_once('=') {
        Some((pattern, profile)) => (pattern, Some(profile)),
        None => (word, None),
    };
    let glob = paths::root(pattern)
        .map_err(|bad| Error::usage(format!("--root {word}: {}", bad.message), bad.help.to_owned()))?;
    if let Some(profile) = profile {
        check_profile(profile, profiles)?;
    }
    Ok(Asked { glob, profile: profile.map(str::to_owned) })
}

fn read_level(word: &str) -> Result<(&'static str, Level), Error> {
    let Some((id, level)) = word.split_once('=') else {
        let help = "write it as ID=LEVEL, such as empty-body=warning".to_owned();
        return Err(Error::usage(format!("--rule {word}: no level"), help));
    };
    let rule = rules::find(id).ok_or_else(|| Error::usage(format!("there is no rule `{id}`"), rule_help(id)))?;
    let unknown = || {
        let help = word_help(level, Level::NAMES.map(|(name, _)| name));
        Error::usage(format!("there is no level `{level}`"), help)
    };
    Ok((rule.id, Level::parse(level).ok_or_else(unknown)?))
}

fn check_profile(id: &str, profiles: &Profiles) -> Result<(), Error> {
    if profiles.contains(id) {
        return Ok(());
    }
    Err(faulty(profiles, id)
        .unwrap_or_else(|| Error::usage(format!("there is no profile `{id}`"), word_help(id, profiles.ids()))))
}
