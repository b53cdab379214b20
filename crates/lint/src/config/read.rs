//! Reading of the configuration from files and options.

use bstr::ByteSlice;
use toml::de::DeTable;

use super::faults::Faults;
use super::policy::{self, Layer};
use super::settings::Settings;
use super::workflow::{self, Workflow};
use super::{Config, ConfigFault, Error, Inputs, WORKFLOW, profiles, roots, rows};
use crate::rule::{Dispatch, Level};
use crate::rules::invalid_configuration;
use skilltree_front_matter::text;
use skilltree_skills::characters;
use skilltree_skills::queries::Queries;
use skilltree_skills::roots::{Exclude, RootSet};
use skilltree_skills::snapshot::{Body, File};
use skilltree_skills::source::CONFIG_BYTES;

/// Reads the configuration.
///
/// # Errors
///
/// Fails if skilltree.toml is not valid TOML or has a value of a wrong type, or if the command line has an unknown
/// name.
pub fn read(inputs: Inputs) -> Result<Config, Error> {
    let Inputs { policies, settings, workflow, overrides } = inputs;
    let mut faults = Faults::default();
    let Layer { mut config, settings } = read_layers(policies, settings, &mut faults)?;
    let most = config.levels.floor.as_ref().and(config.limits.prompt_skills);
    let workflow = workflow.and_then(|file| read_workflow(file, &mut config, &mut faults));
    let has_workflow = workflow.is_some();
    let workflow = workflow.unwrap_or_default();
    if let (Some((range, asked)), Some(cap)) = (settings.cap, workflow.cap)
        && asked != cap
    {
        faults.conflicting_caps(range, asked, cap);
    }
    config.faults = faults.finish(&config.files)?;
    let cap = workflow.cap.or(config.limits.prompt_skills);
    let cap = cap.map(|cap| most.map_or(cap, |most| cap.min(most)));
    config.dispatch = Dispatch { enabled: workflow.enabled, cap, workflow: has_workflow };
    config.roots = RootSet::within(&config.limits);
    config.roots.queries =
        Queries::new(config.requirements.iter().map(|one| one.conditions.query.clone()).collect(), settings.lists);
    config.roots.exclude = settings.exclude;
    config.default_roots = settings.default_roots;
    config.workflow_path.clone_from(&workflow.path);
    if settings.default_roots {
        config.roots.patterns = roots::defaults(&workflow, &config.profiles, overrides.profile.as_deref());
    }
    roots::add(&mut config.roots.patterns, settings.roots, &config.profiles);
    overrides.apply(&mut config)?;
    if settings.default_roots && !settings.names_roots && overrides.roots.is_empty() {
        roots::discover(&mut config.roots, &config.profiles);
    }
    if !overrides.found.is_empty() {
        // A path that the caller names is checked in any case.
        config.roots.exclude = Exclude::default();
        roots::add_found(&mut config.roots.patterns, &overrides.found, &config.profiles);
    }
    config.roots.near = roots::near(&config.roots.patterns, &config.targets, &config.profiles);
    Ok(config)
}

/// Reads the policies and skilltree.toml, each over the files before it.
fn read_layers(policies: Vec<File>, settings: Option<File>, faults: &mut Faults) -> Result<Layer, Error> {
    let mut below: Option<Layer> = None;
    let has_settings = settings.is_some();
    let policies = policies.into_iter().map(|file| (file, true));
    for (file, is_policy) in policies.chain(settings.map(|file| (file, false))) {
        let mut config = Config::empty();
        if let Some(below) = &mut below {
            config.files = std::mem::take(&mut below.config.files);
            config.profiles = below.config.profiles.clone();
        }
        (faults.file, faults.in_policy) = (config.files.len(), is_policy);
        let settings = read_settings(file, &mut config, faults)?;
        let own = Layer { config, settings };
        below = Some(match below {
            Some(below) => policy::lay(own, below, faults),
            None => own,
        });
    }
    faults.in_policy = false;
    if !has_settings && let Some(mut policy) = below.take() {
        let files = std::mem::take(&mut policy.config.files);
        let config = Config { files, profiles: policy.config.profiles.clone(), ..Config::empty() };
        below = Some(policy::lay(Layer { config, settings: Settings::default() }, policy, faults));
    }
    Ok(below.unwrap_or_else(|| Layer { config: Config::empty(), settings: Settings::default() }))
}

/// Reads skilltree.toml. Invalid TOML fails the run: checks under a partly read configuration would be misleading.
fn read_settings(file: File, config: &mut Config, faults: &mut Faults) -> Result<Settings, Error> {
    let Body::Text(bytes) = &file.body else {
        let (problem, edit) = problem(&file.body);
        let kind = if matches!(file.body, Body::TooLarge { .. }) { "" } else { ", not a file" };
        let message = format!("{} {problem}{kind}", text::lossless(file.path.as_bstr()));
        return Err(Error::at(file, 0..0, message, Some(format!("{edit}, or run with --no-config"))));
    };
    let text = match bytes.to_str() {
        Ok(text) => text,
        Err(error) => {
            let start = error.valid_up_to();
            let range = start..(start + error.error_len().unwrap_or(1)).min(bytes.len());
            let help = "save the file as UTF-8".to_owned();
            return Err(Error::at(file, range, "the file is not UTF-8".to_owned(), Some(help)));
        }
    };
    let settings = match DeTable::parse(text) {
        Ok(table) => {
            let inherited = std::mem::take(&mut config.profiles);
            config.profiles = profiles::read(&file, text, table.get_ref(), faults);
            config.profiles.own.extend(inherited.own);
            config.profiles.invalid.extend(inherited.invalid);
            rows::read(table.get_ref(), config, faults)
        }
        Err(error) => {
            let range = error.span().unwrap_or_default();
            let message = format!("the file is not valid TOML: {}", error.message().replace('\n', ", "));
            let help = "fix the TOML here".to_owned();
            return Err(Error::at(file, range, message, Some(help)));
        }
    };
    config.files.push(file);
    Ok(settings)
}

/// Reads the few lines of WORKFLOW.md that concern skills. A file that a dispatcher may read but skilltree cannot is a
/// fault. A directory of that name is ignored. A file without the block is not listed among the configuration files:
/// its other content must not affect the output.
fn read_workflow(file: File, config: &mut Config, faults: &mut Faults) -> Option<Workflow> {
    faults.file = config.files.len();
    let workflow = match &file.body {
        Body::Text(bytes) => workflow::read(bytes, faults),
        body => {
            if !matches!(body, Body::Directory | Body::Submodule | Body::Absent) {
                let (problem, edit) = problem(body);
                faults.invalid(0..0, format!("{WORKFLOW} {problem}, so `agent.skills` is not read"), edit);
            }
            None
        }
    };
    if workflow.is_some() || faults.has_faults_in_file() {
        config.files.push(file);
    }
    workflow
}

impl Config {
    /// Adds the template that skilltree.toml names. A file that cannot be read is a fault of the setting, and hidden characters are
    /// faults as in a skill. Whether it renders the skills is known when they are linted.
    pub fn add_template(&mut self, file: Option<File>) {
        let Some(file) = file else { return self.add_template_fault("does not exist") };
        let Body::Text(bytes) = &file.body else {
            return self.add_template_fault("is not a regular file of at most 1 MiB");
        };
        let Ok(text) = bytes.to_str() else { return self.add_template_fault("is not UTF-8") };
        let Some((at, character)) = characters::first_hidden(text) else {
            self.template_text = Some(text.to_owned());
            return;
        };
        let code = u32::from(character);
        self.faults.push(ConfigFault {
            rule: (&invalid_configuration::RULE).into(),
            file: self.files.len(),
            range: at..at + character.len_utf8(),
            ceiling: Level::Error,
            message: format!("the template contains the hidden or control character U+{code:04X}"),
            help: Some("delete it; a prompt block never contains it".to_owned()),
        });
        self.files.push(file);
    }

    /// Adds a fault of the setting that names the template. A policy outside the repository has no place in it.
    fn add_template_fault(&mut self, problem: &str) {
        let path = text::shortened(self.template.as_deref().unwrap_or_default(), 80);
        let message = format!("the template `{path}` {problem}, so no prompt block can be built");
        self.faults.extend(self.template_fault(message, "name a file in the repository".to_owned()));
    }

    /// Returns a fault of the setting that names the template; `None` if no file has the setting.
    pub(crate) fn template_fault(&self, message: String, help: String) -> Option<ConfigFault> {
        let path = self.template.clone().unwrap_or_default();
        let named = |file: &File| match &file.body {
            Body::Text(bytes) => bytes.find(&path),
            _ => None,
        };
        let (file, at) = self.files.iter().enumerate().find_map(|(number, file)| Some((number, named(file)?)))?;
        let (rule, range) = ((&invalid_configuration::RULE).into(), at..at + path.len());
        Some(ConfigFault { rule, file, range, ceiling: Level::Error, message, help: Some(help) })
    }
}

/// Returns why a file has no text, and the edit.
fn problem(body: &Body) -> (String, &'static str) {
    let what = match body {
        Body::TooLarge { bytes } => {
            let (bytes, limit) = (text::grouped(*bytes), text::grouped(CONFIG_BYTES));
            return (format!("has {bytes} bytes, over the limit of {limit}"), "shorten it");
        }
        Body::Text(_) | Body::NotRead | Body::NotFetched => "a file that was not read",
        Body::Symlink { .. } => "a symbolic link",
        Body::Submodule => "a submodule",
        Body::Directory => "a directory",
        Body::Special => "a pipe, a socket or a device",
        Body::Absent => "nothing",
        Body::Unmerged => "unmerged in the index",
    };
    (format!("is {what}"), "make it a regular file")
}
