//! `check --test-rules`: runs the rules of the repository on their examples.

use skilltree_lint::config::{self, Config};
use skilltree_lint::lint::{Trial, Verdict, try_examples};
use skilltree_report::render::count;

use super::Status;
use super::args::{Check, Common};
use super::{output, session};
use crate::failure::Failure;

pub(super) fn run(common: &Common, check: &Check) -> Result<Status, Failure> {
    let (config, _) = session::configuration(common, &check.source, &check.rules)?;
    refuse_faults(&config)?;
    let trials = try_examples(&config);
    let disagree = trials.iter().filter(|trial| has(trial, Verdict::Disagrees)).count();
    let untested = trials.iter().filter(|trial| has(trial, Verdict::Missing)).count();
    output::stdout(common, |out| {
        for trial in &trials {
            lines(trial).iter().try_for_each(|line| writeln!(out, "{line}"))?;
        }
        let tested = count(trials.len(), "rule");
        writeln!(out, "{tested} tested: {disagree} with a wrong result, {untested} without an example")
    })?;
    Ok(if disagree + untested > 0 { Status::Found } else { Status::Clean })
}

/// Fails if a setting of the file is not in force: what it asks for would not be tested.
pub(super) fn refuse_faults(config: &Config) -> Result<(), Failure> {
    let Some(fault) = config.faults.first() else { return Ok(()) };
    let message = format!("the configuration has a fault: {}", fault.message);
    let place = (config.files[fault.file].clone(), fault.range.clone());
    Err(config::Error { place: Some(Box::new(place)), message, help: fault.help.clone() }.into())
}

fn has(trial: &Trial, verdict: Verdict) -> bool {
    trial.fires == verdict || trial.quiet == verdict
}

fn lines(trial: &Trial) -> Vec<String> {
    let id = trial.rule.id();
    let sides = [("fires", trial.fires, "the rule does not report"), ("quiet", trial.quiet, "the rule reports")];
    let problems: Vec<String> = sides
        .iter()
        .filter_map(|(side, verdict, fact)| match verdict {
            Verdict::Agrees => None,
            Verdict::Disagrees => Some(format!("wrong: {id}: {fact} the example `{side}`")),
            Verdict::Missing => Some(format!("missing: {id}: the example `{side}`")),
        })
        .collect();
    if problems.is_empty() { vec![format!("ok: {id}")] } else { problems }
}
