//! `explain`: a rule's page, or the list of rules.

use std::io::{self, Write};

use skilltree::rule::{Group, Rule};
use skilltree::rules;

use super::Status;
use super::args::{Common, Explain};
use super::failure::{Failure, did_you_mean};
use super::output;

pub(super) fn run(common: &Common, explain: &Explain) -> Result<Status, Failure> {
    match &explain.rule {
        Some(id) => {
            let rule = find(id)?;
            output::stdout(common, |out| page(out, rule))?;
        }
        None => output::stdout(common, list)?,
    }
    Ok(Status::Clean)
}

fn find(id: &str) -> Result<&'static Rule, Failure> {
    rules::find(id).ok_or_else(|| {
        let near = did_you_mean(id, rules::ALL.iter().map(|rule| rule.id));
        Failure::new(format!("there is no rule `{id}`{near}")).help("`skilltree explain` lists the rules")
    })
}

fn page(out: &mut dyn Write, rule: &Rule) -> io::Result<()> {
    out.write_all(rule.explanation.as_bytes())?;
    writeln!(out, "\nLevel: {}. Since edition {}.", rule.level.name(), rule.since.0)
}

fn list(out: &mut dyn Write) -> io::Result<()> {
    let width = rules::ALL.iter().map(|rule| rule.id.len()).max().unwrap_or(0);
    for (number, (group, title)) in Group::TITLES.iter().enumerate() {
        let rules: Vec<_> = rules::ALL.iter().filter(|rule| rule.group == *group).collect();
        if rules.is_empty() {
            continue;
        }
        writeln!(out, "{}{title}", if number == 0 { "" } else { "\n" })?;
        for rule in rules {
            writeln!(out, "  {:width$}  {:7}  {}", rule.id, rule.level.name(), rule.summary)?;
        }
    }
    Ok(())
}
