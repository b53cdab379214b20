//! JUnit XML as Jenkins, GitLab and Azure DevOps read it: one test case per skill, and one per other file with findings.
//!
//! A case has at most one failure, because readers show only the first. The failure lists every finding that fails the run;
//! the other findings are the output of the case.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

use super::{Omitted, Options, Reason, concise, escape, forecast, sources, summary};
use skilltree_front_matter::text::FileId;
use skilltree_lint::excerpt::Excerpts;
use skilltree_lint::lint::{Report, Warning};
use skilltree_lint::rule::{Finding, Subject};
use skilltree_skills::markup;
use skilltree_skills::skill::SkillId;

/// Maximum number of findings in the output of a case.
const OUTPUT: usize = 100;
/// Class of the cases that are about no skill.
const OTHER: &str = "skilltree";

/// Subject of a test case. The skills come first, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum About {
    Skill(SkillId),
    File(FileId),
}

/// Cases with their findings, in the order of the first finding of each. Cases without findings are last.
type Cases<'r> = Vec<(About, Vec<&'r Finding>)>;

/// Writes all cases as one suite.
pub(super) fn write(report: &Report, excerpts: &Excerpts, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let cases = cases(report);
    let fails = |finding: &&Finding| options.fail_on.is_some_and(|least| finding.severity >= least);
    let failures = cases.iter().filter(|(_, findings)| findings.iter().any(fails)).count();
    let about_run: Vec<&Warning> = report.warnings.iter().filter(|warning| warning.fails).collect();
    write_head(cases.len() + about_run.len(), failures + about_run.len(), 0, out)?;
    for warning in about_run {
        writeln!(out, "<testcase classname=\"{OTHER}\" name=\"run\" time=\"0\">")?;
        let message = markup::escape(&escape::text(&warning.message));
        writeln!(out, "<failure type=\"failed\" message=\"{message}\">{message}</failure>\n</testcase>")?;
    }
    for (about, findings) in &cases {
        let (failing, other): (Vec<&Finding>, Vec<&Finding>) = findings.iter().partition(|finding| fails(finding));
        write_case(report, excerpts, *about, &failing, &other, out)?;
    }
    if !report.warnings.is_empty() {
        let lines: Vec<String> = report.warnings.iter().map(|warning| escape::text(&warning.message)).collect();
        writeln!(out, "<system-err>{}</system-err>", markup::escape(&lines.join("\n")))?;
    }
    writeln!(out, "</testsuite>\n</testsuites>")
}

/// Writes the report of a run that failed: one case with the reason.
pub(super) fn write_failed(reason: &Reason, out: &mut dyn Write) -> io::Result<()> {
    write_head(1, 0, 1, out)?;
    writeln!(out, "<testcase classname=\"{OTHER}\" name=\"run\" time=\"0\">")?;
    let lines: Vec<String> = reason.lines().collect();
    writeln!(
        out,
        "<error type=\"failed\" message=\"{}\">{}</error>",
        markup::escape(&reason.fact()),
        markup::escape(&lines.join("\n"))
    )?;
    writeln!(out, "</testcase>\n</testsuite>\n</testsuites>")
}

fn write_head(tests: usize, failures: usize, errors: usize, out: &mut dyn Write) -> io::Result<()> {
    let counts = format!("name=\"skilltree\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\"");
    writeln!(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {counts}>\n<testsuite {counts} skipped=\"0\">"
    )
}

/// Returns the findings of each skill, of skills without findings too, and those of other files.
fn cases(report: &Report) -> Cases<'_> {
    let skills: HashMap<FileId, SkillId> = report.catalog.skills().map(|(id, skill)| (skill.file, id)).collect();
    let mut cases: BTreeMap<About, (usize, Vec<&Finding>)> =
        skills.values().map(|id| (About::Skill(*id), (usize::MAX, Vec::new()))).collect();
    for (number, finding) in report.active().enumerate() {
        let about = match finding.subject {
            Subject::Skill(skill) => About::Skill(skill),
            _ => skills.get(&finding.place.file).map_or(About::File(finding.place.file), |skill| About::Skill(*skill)),
        };
        let (first, findings) = cases.entry(about).or_insert_with(|| (number, Vec::new()));
        *first = number.min(*first);
        findings.push(finding);
    }
    let mut cases: Vec<_> = cases.into_iter().collect();
    cases.sort_by_key(|(_, (first, _))| *first);
    cases.into_iter().map(|(about, (_, findings))| (about, findings)).collect()
}

fn write_case(
    report: &Report,
    excerpts: &Excerpts,
    about: About,
    failing: &[&Finding],
    other: &[&Finding],
    out: &mut dyn Write,
) -> io::Result<()> {
    let (class, name) = names(report, about);
    let [class, name, file] = [class, name, path(report, about)].map(|text| markup::escape(&text));
    write!(out, "<testcase classname=\"{class}\" name=\"{name}\" file=\"{file}\" time=\"0\"")?;
    if failing.is_empty() && other.is_empty() {
        return writeln!(out, "/>");
    }
    writeln!(out, ">")?;
    if let Some(first) = failing.first() {
        let more = match failing.len() - 1 {
            0 => String::new(),
            more => format!("; {}", summary::count(more, "more finding")),
        };
        let message = format!("{}{more}", escape::text(&first.message));
        let text = text(report, excerpts, failing);
        writeln!(
            out,
            "<failure type=\"{}\" message=\"{}\">{}</failure>",
            first.rule.id(),
            markup::escape(&message),
            markup::escape(&text)
        )?;
    }
    if !other.is_empty() {
        let shown = &other[..other.len().min(OUTPUT)];
        let mut text = text(report, excerpts, shown);
        let omitted = Omitted::of(other[shown.len()..].iter().copied());
        omitted.words().iter().for_each(|words| text.push_str(&format!("{words}\n")));
        writeln!(out, "<system-out>{}</system-out>", markup::escape(&text))?;
    }
    writeln!(out, "</testcase>")
}

/// Returns the path of the file that a case is about.
fn path(report: &Report, about: About) -> String {
    let file = match about {
        About::File(file) => file,
        About::Skill(id) => report.catalog.skill(id).file,
    };
    escape::path(report.catalog.file(file).reported_path().as_ref())
}

/// Returns the skills directory and the path in it, which together name a case.
fn names(report: &Report, about: About) -> (String, String) {
    match about {
        About::File(_) => (OTHER.into(), path(report, about)),
        About::Skill(id) => {
            let root = report.catalog.root(report.catalog.skill(id).root);
            (escape::path(root.shown_path()), forecast::skill_path(&report.catalog, root, id))
        }
    }
}

/// Returns one paragraph per finding: the line of the format `concise`, the help, and how the runtimes are known.
fn text(report: &Report, excerpts: &Excerpts, findings: &[&Finding]) -> String {
    let mut text = String::new();
    for finding in findings {
        text.push_str(&concise::line(report, excerpts, finding));
        if let Some(help) = &finding.help {
            text.push_str(&format!("  help: {}\n", escape::text(help)));
        }
        if let Some(runtimes) = sources::of_finding(finding) {
            text.push_str(&format!("  {runtimes}\n"));
        }
    }
    text
}
