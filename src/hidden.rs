//! What a change hides: the findings that its looser settings and new ignores remove or lower.

use std::collections::BTreeSet;

use skilltree_front_matter::text::{self, Place};
use skilltree_lint::Report;
use skilltree_lint::compare::{Hidden, hidden};
use skilltree_lint::excerpt::Excerpts;
use skilltree_lint::rule::Severity;
use skilltree_report::render;
use skilltree_skills::markdown;
use skilltree_skills::snapshot::Origin;
use skilltree_skills::source::{Progress, Source};

use crate::failure::Failure;
use crate::options::{Observer, Options, Overrides};
use crate::purpose::Purpose;
use crate::session::{self, Session};

/// Maximum number of rules with a warning each; the findings of others are one warning.
const RULES: usize = 8;

/// Maximum number of places that are named per rule.
const PLACES: usize = 3;

/// Warns of the findings that the settings and the ignores of the base would report.
pub(crate) fn warn(session: &mut Session, base: &Source, options: &Options, observer: &dyn Observer) {
    // With the settings of another revision, the change hides nothing yet.
    if options.overrides.config_from.is_some() {
        return;
    }
    let help = "`loosened-policy` names the setting or the ignore; undo it, or say in the review why it is needed";
    match messages(session, base, options, &Quiet(observer)) {
        Ok(messages) => {
            for message in messages {
                session::warn(&mut session.report, observer, message, Some(help.to_owned()));
            }
        }
        Err(failure) => {
            let message = format!("which findings this change hides is not known: {}", failure.message);
            session::warn(&mut session.report, observer, message, failure.help);
        }
    }
}

/// Warns of them in a comparison that ran no rule: the head is checked first.
pub(crate) fn warn_unchecked(
    head: &Session,
    base: &Source,
    options: &Options,
    observer: &dyn Observer,
) -> Result<(), Failure> {
    let quiet = Quiet(observer);
    let place = &head.place;
    let mut checked = Session::new(place.clone(), place.clone(), head.source.clone(), options, Purpose::Check, &quiet)?;
    warn(&mut checked, base, options, observer);
    Ok(())
}

/// Drops warnings, which the check itself gave.
struct Quiet<'a>(&'a dyn Observer);

impl Observer for Quiet<'_> {
    fn progress(&self) -> &Progress {
        self.0.progress()
    }

    fn warn(&self, _: &str, _: Option<&str>) {}
}

fn messages(
    session: &Session,
    base: &Source,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Vec<String>, Failure> {
    let Origin::Tree { revision, commit } = base.origin() else { return Ok(Vec::new()) };
    let revision = commit.map_or_else(|| revision.clone(), |commit| commit.to_string());
    let overrides = Overrides { config_from: Some(revision), ..options.overrides.clone() };
    let by_base = Options { overrides, ..options.clone() };
    let config = session::configure(&session.place, &session.source, &by_base)?;
    let report = session::checked(&session.place, &session.source, &by_base, observer)?;
    let least = |severity: Option<Severity>| severity.unwrap_or(Severity::Note);
    let found = hidden((&session.report, least(session.config.min_severity)), (&report, least(config.min_severity)));
    let (shown, others) = found.split_at(found.len().min(RULES));
    let named = shown.iter().flat_map(|hidden| hidden.places.iter().take(PLACES)).map(|(_, finding)| *finding);
    let excerpts = Excerpts::of_findings(&report, named, |files| session.source.bodies(files))?;
    let mut messages: Vec<String> = shown.iter().map(|hidden| message(&report, hidden, &excerpts)).collect();
    if !others.is_empty() {
        let findings = others.iter().map(|hidden| hidden.places.len()).sum();
        let rules: BTreeSet<&str> = others.iter().map(|hidden| hidden.rule).collect();
        let counts =
            [(findings, "finding"), (rules.len(), "more rule")].map(|(number, word)| render::count(number, word));
        messages.push(format!("this change hides or lowers {} of {}", counts[0], counts[1]));
    }
    Ok(messages)
}

fn message(report: &Report, hidden: &Hidden<'_>, excerpts: &Excerpts) -> String {
    let (shown, more) = hidden.places.split_at(hidden.places.len().min(PLACES));
    let place = |&(place, _): &(Place, _)| {
        let path = text::lossless(report.catalog.file(place.file).reported_path().as_ref());
        markdown::code(&format!("{path}:{}", excerpts.get(place).start.line))
    };
    let mut places: Vec<String> = shown.iter().map(place).collect();
    if !more.is_empty() {
        places.push(format!("{} more", text::grouped(more.len())));
    }
    let count = render::count(hidden.places.len(), hidden.severity.name());
    let (verb, to) = match hidden.now {
        None => ("hides", String::new()),
        Some(now) => ("lowers", format!(" to {}", now.name())),
    };
    format!("this change {verb} {count} of `{}`{to}: {}", hidden.rule, text::joined(&places))
}
