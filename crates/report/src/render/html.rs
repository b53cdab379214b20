//! A report page: one file without references to others, readable without scripts.
//!
//! The template escapes every value, and texts of the tree are escaped for display before. The policy of the page allows
//! only its own style and script, by hash, so nothing from the tree can run or load anything.

mod findings;
mod graphs;
mod lists;
mod matrix;
mod packages;
mod policy;
mod prompt;

use std::io::{self, Write};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value};
use serde::Serialize;

use super::{Options, Reason, escape, summary, verdict};
use skilltree_lint::excerpt::Excerpts;
use skilltree_lint::lint::Report;
use skilltree_lint::rule::Severity;
use skilltree_runtimes::forecast::{self, Forecast, Outcome};
use skilltree_runtimes::profile::{Kind, Profile};
use skilltree_skills::{date, markup};

const TEMPLATE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/script.js");
/// Maximum number of fixed findings that are listed.
const FIXED: usize = 200;

/// Values of the template.
#[derive(Default, Serialize)]
struct Page<'r> {
    title: &'static str,
    source: String,
    subject: String,
    words: String,
    verdict: Vec<Verdict>,
    counts: Vec<Count>,
    warnings: Vec<Note>,
    failure: Option<Note>,
    comparison: Option<String>,
    fixed: Vec<String>,
    more_fixed: Option<String>,
    prompt: Option<prompt::Prompt>,
    findings: findings::Findings,
    matrix: matrix::Matrix<'r>,
    packages: packages::Packages,
    lists: lists::Lists,
    graphs: graphs::Drawn,
}

#[derive(Serialize)]
struct Count {
    number: String,
    word: &'static str,
}

/// What a runtime loads.
#[derive(Serialize)]
struct Verdict {
    label: String,
    text: String,
}

/// A fact about the run, and what to do.
#[derive(Serialize)]
struct Note {
    message: String,
    lines: Vec<String>,
}

/// Writes the page.
pub(super) fn write(report: &Report, excerpts: &Excerpts, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let mut profiles: Vec<&Profile> = options.profiles.ids().filter_map(|id| options.profiles.find(id)).collect();
    profiles.sort_by_key(|profile| (profile.kind != Kind::Runtime, profile.usage_rank));
    let forecasts = forecast::forecasts(&report.catalog, &profiles);
    // A runtime that reads no skill would be a column of dashes.
    let reads = |forecast: &Forecast| forecast.skills.iter().any(|skill| skill.outcome() != Outcome::NotRead);
    let (profiles, forecasts): (Vec<&Profile>, Vec<Forecast>) =
        profiles.into_iter().zip(forecasts).filter(|(_, forecast)| reads(forecast)).unzip();
    let fixed = report.compared().map_or(&[][..], |base| &base.fixed);
    let line = |fixed: &skilltree_lint::lint::Fixed| {
        format!("{}: {} [{}]", escape::path(fixed.path.as_ref()), escape::text(&fixed.message), fixed.rule.id())
    };
    let more = fixed.len().saturating_sub(FIXED);
    let warning = |warning: &skilltree_lint::lint::Warning| Note {
        message: escape::text(&warning.message),
        lines: warning.help.iter().map(|help| format!("help: {}", escape::text(help))).collect(),
    };
    let page = Page {
        title: "skilltree report",
        source: escape::text(&options.source),
        subject: subject(options),
        words: summary::checked(report, options),
        verdict: verdict::lines(report, &options.commands)
            .into_iter()
            .map(|line| Verdict { label: line.label, text: line.text })
            .collect(),
        counts: counts(report),
        warnings: report.warnings.iter().map(warning).collect(),
        failure: None,
        comparison: summary::comparison(report),
        fixed: fixed.iter().take(FIXED).map(line).collect(),
        more_fixed: (more > 0).then(|| format!("{} not shown", summary::count(more, "more fixed finding"))),
        prompt: options.changes.as_ref().map(prompt::new),
        findings: findings::new(report, excerpts, options),
        matrix: matrix::new(report, &profiles, &forecasts),
        packages: packages::new(&report.catalog, &profiles, &forecasts),
        lists: lists::new(&report.catalog, &profiles, &forecasts),
        graphs: graphs::new(&report.catalog, &options.graphs),
    };
    render(&page, out)
}

/// Describes what was checked: `https://example.org/skills · main at 3f2c1ab · committed 2026-11-20`.
fn subject(options: &Options) -> String {
    let day = |seconds: i64| format!("committed {}", date::written(seconds.div_euclid(86_400)));
    let parts = [options.repository.clone(), Some(options.place.clone()), options.time.map(day)];
    escape::text(&parts.into_iter().flatten().collect::<Vec<_>>().join(" · "))
}

/// Writes the page of a run that failed.
pub(super) fn write_failed(reason: &Reason, out: &mut dyn Write) -> io::Result<()> {
    let failure = Note { message: reason.fact(), lines: reason.lines().collect() };
    render(&Page { title: "skilltree report: failed", failure: Some(failure), ..Page::default() }, out)
}

fn counts(report: &Report) -> Vec<Count> {
    let count = |number: usize, one: &'static str, several: &'static str| Count {
        number: skilltree_front_matter::text::grouped(number),
        word: if number == 1 { one } else { several },
    };
    vec![
        count(report.count(Severity::Error), "error", "errors"),
        count(report.count(Severity::Warning), "warning", "warnings"),
        count(report.count(Severity::Note), "note", "notes"),
        count(report.catalog.skill_count(), "skill", "skills"),
    ]
}

fn render(page: &Page<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut environment = Environment::empty();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_formatter(|out, _, value| match value.as_str() {
        Some(text) if !value.is_safe() => Ok(out.write_str(&markup::escape(text))?),
        Some(text) => Ok(out.write_str(text)?),
        None => Ok(write!(out, "{value}")?),
    });
    environment.add_filter("spans", |text: &str| Value::from_safe_string(spans(text)));
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.add_global("policy", policy::of(STYLE, SCRIPT));
    environment.add_global("style", Value::from_safe_string(STYLE.to_owned()));
    environment.add_global("script", Value::from_safe_string(SCRIPT.to_owned()));
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
    environment.set_syntax(syntax.map_err(io::Error::other)?);
    let template = environment.template_from_named_str("page.html", TEMPLATE).map_err(io::Error::other)?;
    template.render_captured_to(Value::from(Serde(page)), out).map(drop).map_err(io_error)
}

/// Returns the error of the output, if there was one: a closed pipe is no failure of the run.
fn io_error(error: minijinja::Error) -> io::Error {
    let cause = std::error::Error::source(&error).and_then(|cause| cause.downcast_ref::<io::Error>());
    io::Error::new(cause.map_or(io::ErrorKind::Other, io::Error::kind), error)
}

/// Escapes a message, with what it quotes in backticks as code. If a quotation may contain a backtick, the message stays as it is.
fn spans(text: &str) -> String {
    let text = markup::escape(text);
    let parts: Vec<&str> = text.split('`').collect();
    let is_clear = parts.len() % 2 == 1 && parts.iter().skip(1).step_by(2).all(|quoted| !quoted.is_empty());
    if !is_clear {
        return text;
    }
    let part = |(number, part): (usize, &str)| {
        if number % 2 == 1 { format!("<code>{part}</code>") } else { part.to_owned() }
    };
    parts.into_iter().enumerate().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_quotations_as_code() {
        let cases = [
            ("the name `a<b` is not `a-b`", "the name <code>a&lt;b</code> is not <code>a-b</code>"),
            ("`<script>`", "<code>&lt;script&gt;</code>"),
            ("no & code", "no &amp; code"),
            ("the name `a`b` is wrong", "the name `a`b` is wrong"),
            ("a `` b", "a `` b"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(spans(text), expected, "{text}");
        }
    }
}
