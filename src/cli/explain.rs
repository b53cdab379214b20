//! `explain`: explain one rule or all rules.

use std::io::{self, Write};

use skilltree_lint::rule::{Level, RuleRef, is_own_id};
use skilltree_lint::rules;
use skilltree_report::explain::{Explanation, Extent, chapters, explain, markdown, write_json};

use super::Status;
use super::args::{Common, Explain, ReadFormat, Source};
use super::{output, session};
use crate::failure::{Failure, did_you_mean};

pub(super) fn run(common: &Common, arguments: &Explain) -> Result<Status, Failure> {
    let rules: Vec<RuleRef> = match &arguments.rule {
        Some(id) => vec![find(common, &arguments.source, id)?],
        None if arguments.all || arguments.format == ReadFormat::Json => {
            built_in().chain(listed(common, &arguments.source)?).collect()
        }
        None => {
            let own = listed(common, &arguments.source)?;
            output::stdout(common, |out| list(&own, out))?;
            return Ok(Status::Clean);
        }
    };
    match arguments.format {
        ReadFormat::Json => {
            let explanations: Vec<Explanation<'_>> = rules.iter().map(explain).collect();
            output::stdout(common, |out| write_json(&explanations, out))?;
        }
        ReadFormat::Text => output::stdout(common, |out| {
            rules.iter().enumerate().try_for_each(|(number, rule)| {
                let gap = if number == 0 { "" } else { "\n" };
                write!(out, "{gap}{}", markdown(&explain(rule), Extent::Brief))
            })
        })?,
    }
    Ok(Status::Clean)
}

fn built_in() -> impl Iterator<Item = RuleRef> {
    rules::ALL.iter().copied().map(RuleRef::from)
}

/// Finds a built-in rule, or one that the repository in the current directory or its policy defines.
fn find(common: &Common, source: &Source, id: &str) -> Result<RuleRef, Failure> {
    // A file that the options name must be there, whatever the rule is.
    let own = if is_own_id(id) || is_named(source) { own(common, source)? } else { vec![] };
    if let Some(rule) = rules::find(id) {
        return Ok(rule.into());
    }
    own.iter().find(|rule| rule.id() == id).cloned().ok_or_else(|| {
        let known: Vec<RuleRef> = built_in().chain(own).collect();
        let near = did_you_mean(id, known.iter().map(|rule| rule.id()));
        Failure::new(format!("there is no rule `{id}`{near}")).help("run `skilltree explain` to list the rules")
    })
}

/// Returns the rules that the repository in the current directory and its policy define.
fn own(common: &Common, source: &Source) -> Result<Vec<RuleRef>, Failure> {
    let requirements = session::configuration(common, source, &[])?.0.requirements;
    Ok(requirements.into_iter().map(|requirement| requirement.rule).collect())
}

/// Returns the rules for a list, which shows the built-in ones even if the configuration of the repository cannot be read.
fn listed(common: &Common, source: &Source) -> Result<Vec<RuleRef>, Failure> {
    own(common, source).or_else(|failure| if is_named(source) { Err(failure) } else { Ok(Vec::new()) })
}

/// Returns whether options name a policy or a configuration.
fn is_named(source: &Source) -> bool {
    source.overrides.policy.is_some() || source.overrides.config.is_some()
}

/// Lists the rules by chapter; those of the repository are the last one.
fn list(own: &[RuleRef], out: &mut dyn Write) -> io::Result<()> {
    let width = built_in().chain(own.iter().cloned()).map(|rule| rule.id().len()).max().unwrap_or(0);
    let own = (!own.is_empty()).then(|| ("Rules of the repository", own.to_vec()));
    for (number, (title, rules)) in chapters().chain(own).enumerate() {
        writeln!(out, "{}\x1b[1m{title}\x1b[0m", if number == 0 { "" } else { "\n" })?;
        for rule in rules {
            let level = rule.usual_level();
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
