//! `explain`: explain one rule or all rules.

use std::io::{self, Write};

use skilltree_lint::config::Config;
use skilltree_lint::rule::{Level, RuleRef, is_own_id};
use skilltree_lint::rules;
use skilltree_report::explain::{Explanation, Extent, chapters, explain, markdown, write_json};

use super::Status;
use super::args::{Common, Explain, ReadFormat};
use super::request::explicit;
use super::{output, session};
use crate::failure::{Failure, did_you_mean};
use crate::options::Overrides;

pub(super) fn run(common: &Common, arguments: &Explain) -> Result<Status, Failure> {
    let config = configuration(common, arguments)?;
    // The definition of a rule sets its severity, and names it.
    let set = |rule: &RuleRef| config.as_ref().filter(|_| rule.definer().is_none())?.levels.least(rule);
    let own = || config.iter().flat_map(|config| &config.requirements).map(|requirement| requirement.rule.clone());
    let rules: Vec<RuleRef> = match &arguments.rule {
        Some(id) => vec![find(id, own())?],
        None if arguments.all || arguments.format == ReadFormat::Json => built_in().chain(own()).collect(),
        None => {
            let level = |rule: &RuleRef| set(rule).unwrap_or_else(|| rule.usual_level());
            output::stdout(common, |out| list(&own().collect::<Vec<_>>(), level, out))?;
            return Ok(Status::Clean);
        }
    };
    let explained = |rule| Explanation { set: set(rule), ..explain(rule) };
    match arguments.format {
        ReadFormat::Json => {
            let explanations: Vec<Explanation<'_>> = rules.iter().map(explained).collect();
            output::stdout(common, |out| write_json(&explanations, out))?;
        }
        ReadFormat::Text => output::stdout(common, |out| {
            rules.iter().enumerate().try_for_each(|(number, rule)| {
                let gap = if number == 0 { "" } else { "\n" };
                write!(out, "{gap}{}", markdown(&explained(rule), Extent::Brief))
            })
        })?,
    }
    Ok(Status::Clean)
}

fn built_in() -> impl Iterator<Item = RuleRef> {
    rules::ALL.iter().copied().map(RuleRef::from)
}

/// Finds a built-in rule, or one that the repository in the current directory or its policy defines.
fn find(id: &str, own: impl Iterator<Item = RuleRef>) -> Result<RuleRef, Failure> {
    let known: Vec<RuleRef> = built_in().chain(own).collect();
    known.iter().find(|rule| rule.id() == id).cloned().ok_or_else(|| {
        let near = did_you_mean(id, known.iter().map(|rule| rule.id()));
        Failure::new(format!("there is no rule `{id}`{near}")).help("run `skilltree explain` to list the rules")
    })
}

/// Returns the configuration. The built-in rules need none: if it cannot be read, they are shown without it, unless an argument
/// names it.
fn configuration(common: &Common, arguments: &Explain) -> Result<Option<Config>, Failure> {
    let Overrides { policy, config, config_from, .. } = &arguments.source.overrides;
    let is_named = policy.is_some() || config.is_some() || config_from.is_some();
    let is_own = arguments.rule.as_deref().is_some_and(is_own_id);
    match session::configuration(common, &arguments.source, &[]) {
        Ok((config, _)) => Ok(Some(config)),
        Err(failure) if is_named || is_own || explicit(&arguments.source).is_some() => Err(failure),
        Err(_) => Ok(None),
    }
}

/// Lists the rules by chapter; those of the repository are the last one.
fn list(own: &[RuleRef], level: impl Fn(&RuleRef) -> Level, out: &mut dyn Write) -> io::Result<()> {
    let width = built_in().chain(own.iter().cloned()).map(|rule| rule.id().len()).max().unwrap_or(0);
    let own = (!own.is_empty()).then(|| ("Rules of the repository", own.to_vec()));
    for (number, (title, rules)) in chapters().chain(own).enumerate() {
        writeln!(out, "{}\x1b[1m{title}\x1b[0m", if number == 0 { "" } else { "\n" })?;
        for rule in rules {
            let level = level(&rule);
            let color = match level {
                Level::Error => "\x1b[31m",
                Level::Warning => "\x1b[33m",
                Level::Note | Level::Off => "\x1b[32m",
            };
            let preview = if rule.is_preview() { " (preview)" } else { "" };
            writeln!(out, "  {:width$}  {color}{:7}\x1b[0m  {}{preview}", rule.id(), level.name(), rule.summary())?;
        }
    }
    writeln!(
        out,
        "\nRun `skilltree explain RULE` to see why a rule exists, which runtimes it affects and how to fix it."
    )
}
