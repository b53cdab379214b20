//! Runs the page of every rule: each heading that begins with `Fires` or `Quiet` is a test, and the fences below it are
//! the files of a repository in memory. `Fires` must report this rule only, `Quiet` nothing. Each edit of a finding must
//! remove the finding and add no other.

use bstr::{BStr, BString, ByteSlice};
use libtest_mimic::{Arguments, Failed, Trial};
use skilltree_front_matter::text;
use skilltree_lint::Report;
use skilltree_lint::config::{self, CommandLine, Inputs};
use skilltree_lint::fix::Offers;
use skilltree_lint::lint::{rejections, roots, roots_of_prompt};
use skilltree_lint::rule::{Finding, Reads, Rule, Subject};
use skilltree_lint::rules;
use skilltree_report::explain::{Example, Section, sections};
use skilltree_skills::skill::Parsed;
use skilltree_skills::snapshot::Origin;
use skilltree_skills::source;

fn main() {
    let mut trials = vec![
        Trial::test("the catalog is sorted", is_sorted),
        Trial::test("every file has a rule of the same name", has_its_files),
    ];
    for &rule in rules::ALL {
        trials.push(Trial::test(format!("{}: the page is complete", rule.id()), || is_complete(rule)));
        trials.push(Trial::test(format!("{}: the page says what fixes it", rule.id()), || names_fix(rule)));
        for section in sections(rule.explanation()) {
            let name = format!("{}: {}", rule.id(), section.heading);
            let kind = section.heading.split(':').next();
            if matches!(kind, Some("Fires" | "Quiet")) {
                let name = format!("{name}: a prompt rejects the same skills as a check");
                trials.push(Trial::test(name, move || rejects_in_a_prompt(rule, section)));
            }
            match kind {
                Some("Fires") => trials.push(Trial::test(name, move || fires(rule, section))),
                Some("Quiet") => trials.push(Trial::test(name, move || quiet(rule, section))),
                _ => {}
            }
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// A prompt reads less than a check, and must accept the same skills if the rule is an error.
fn rejects_in_a_prompt(rule: &Rule, section: Section<'_>) -> Result<(), Failed> {
    let example = Example::new(&section);
    if !example.before.is_empty() {
        return Ok(());
    }
    let source = source::memory(Origin::Memory, example.files.clone());
    let settings = source.file(config::SETTINGS.into())?;
    let policy = match settings.as_ref().and_then(config::extended) {
        Some((path, _)) => source.file(path.as_str().into())?,
        None => None,
    };
    let inputs = Inputs {
        policies: policy.into_iter().collect(),
        settings,
        workflow: source.file(config::WORKFLOW.into())?,
        overrides: CommandLine { rules: vec![format!("{}=error", rule.id())], ..CommandLine::default() },
    };
    let config = config::read(inputs).map_err(|error| error.message)?;
    let bounds = config.limits.bounds();
    let day = |parsed: Parsed| Parsed { time: example.today.map(|day| day * 86_400), ..parsed };
    let check = skilltree_lint::lint(day(source.read(&roots(&config), bounds)?), &config);
    let prompt = source.read(&roots_of_prompt(&config), bounds)?;
    let prompt = rejections(day(prompt), &config);
    let accepted = |report: &Report| -> Vec<String> {
        report.accepted().skills.iter().map(|&id| report.catalog.path(id).to_string()).collect()
    };
    let (expected, found) = (accepted(&check), accepted(&prompt));
    if expected == found { Ok(()) } else { Err(format!("a check accepts {expected:?}, a prompt {found:?}").into()) }
}

fn is_sorted() -> Result<(), Failed> {
    let ids: Vec<&str> = rules::ALL.iter().map(|rule| rule.id()).collect();
    let unsorted = ids.windows(2).find(|pair| pair[0] >= pair[1]);
    unsorted.map_or(Ok(()), |pair| Err(format!("`{}` is before `{}` in rules::ALL", pair[0], pair[1]).into()))
}

#[allow(clippy::disallowed_methods, reason = "the test reads the sources of the package")]
fn has_its_files() -> Result<(), Failed> {
    let directory = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/crates/lint/src/rules"))?;
    let mut pages: Vec<String> = Vec::new();
    for entry in directory {
        let name = entry?.file_name().into_string().map_err(|_| "a file name that is not UTF-8")?;
        pages.extend(name.strip_suffix(".md").map(|stem| stem.replace('_', "-")));
    }
    pages.sort();
    let ids: Vec<&str> = rules::ALL.iter().map(|rule| rule.id()).collect();
    if pages == ids { Ok(()) } else { Err(format!("pages {pages:?}\nrules {ids:?}").into()) }
}

fn is_complete(rule: &Rule) -> Result<(), Failed> {
    let sections = sections(rule.explanation());
    let title = sections.first().ok_or("the page is empty")?;
    if title.heading != rule.id() {
        return Err(format!("the title is `{}`", title.heading).into());
    }
    let lead = title.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let states = lead.get(..rule.summary().len()).is_some_and(|start| start.eq_ignore_ascii_case(rule.summary()));
    if !states || !lead[rule.summary().len()..].starts_with('.') {
        return Err(format!("the first sentence is not the summary, `{}`", rule.summary()).into());
    }
    for heading in ["Why it matters", "Evidence", "Fires", "Quiet"] {
        let found = sections.iter().find(|section| section.heading.split(':').next() == Some(heading));
        if found.is_none_or(|section| section.text.is_empty()) {
            return Err(format!("nothing below `## {heading}`").into());
        }
    }
    Ok(())
}

/// The first paragraph of a page names the fix if the rule has an edit.
fn names_fix(rule: &Rule) -> Result<(), Failed> {
    let sections = sections(rule.explanation());
    let mut offers = Offers::default();
    for section in sections.iter().filter(|section| section.heading.split(':').next() == Some("Fires")) {
        let Offers { safe, unsafe_edits } = skilltree_lint::fix::offers(&lint(&example(*section)?, rule)?);
        offers.safe += safe;
        offers.unsafe_edits += unsafe_edits;
    }
    let expected = match (offers.safe, offers.unsafe_edits) {
        (0, 0) => None,
        (_, 0) => Some("`skilltree fix` fixes it."),
        (0, _) => Some("`skilltree fix --unsafe` fixes it."),
        (_, _) => Some("`skilltree fix` fixes it, or `skilltree fix --unsafe` where the meaning may change."),
    };
    let lead = sections.first().map(|title| title.text).unwrap_or_default();
    match expected {
        None if rule.explanation().contains("`skilltree fix") => {
            Err("the page names a fix, but no case has an edit".into())
        }
        Some(words) if !lead.split('\n').any(|line| line == words) => {
            Err(format!("add below the first sentence of the page:\n{words}").into())
        }
        _ => Ok(()),
    }
}

fn quiet(rule: &Rule, section: Section<'_>) -> Result<(), Failed> {
    let case = example(section)?;
    let shown = shown(&case, &lint(&case, rule)?);
    if shown.is_empty() { Ok(()) } else { Err(format!("not quiet:\n{}", shown.join("\n")).into()) }
}

fn fires(rule: &Rule, section: Section<'_>) -> Result<(), Failed> {
    let case = example(section)?;
    let report = lint(&case, rule)?;
    let shown = shown(&case, &report);
    if shown.is_empty() {
        return Err("nothing was found".into());
    }
    let is_about_skill = |finding: &Finding| matches!(finding.subject, Subject::Skill(_));
    if matches!(rule.reads, Reads::Surroundings | Reads::Settings) && report.active().any(is_about_skill) {
        return Err("a rule whose findings are about no skill reports one: `reads` is wrong".into());
    }
    if report.active().any(|finding| finding.rule.id() != rule.id()) {
        return Err(format!("another rule fires too:\n{}", shown.join("\n")).into());
    }
    if let Some(expected) = case.findings {
        let found: Vec<String> = report.active().map(|finding| placed(&case, &report, finding)).collect();
        if found.join("\n") != expected.trim_end() {
            return Err(format!("found:\n{}\nexpected:\n{expected}", found.join("\n")).into());
        }
    }
    report.active().try_for_each(|finding| is_in_file(&case, &report, finding))?;
    report.active().try_for_each(|finding| fixes(rule, section, &report, finding))?;
    report.active().try_for_each(|finding| helps(rule, section, &report, finding))
}

/// Every place of a finding is in its file, and none ends before it begins.
fn is_in_file(case: &Example<'_>, report: &Report, finding: &Finding) -> Result<(), Failed> {
    let related = finding.related.iter().map(|(place, _)| *place);
    for place in [finding.place].into_iter().chain(related).chain(finding.edits.iter().map(|edit| edit.place)) {
        let path = report.catalog.file(place.file).shown_path().as_bstr();
        let (start, end) = (place.range().start, place.range().end);
        if start > end || case.bytes(path).is_some_and(|bytes| end > bytes.len()) {
            return Err(format!("{}: `{path}` has no bytes {start} to {end}", finding.message).into());
        }
    }
    Ok(())
}

/// Applies the edits of a finding and checks again: the finding is gone, and all others existed before.
fn fixes(rule: &Rule, section: Section<'_>, before: &Report, finding: &Finding) -> Result<(), Failed> {
    if finding.edits.is_empty() {
        return Ok(());
    }
    let mut case = example(section)?;
    let mut left: Vec<_> = before.active().filter(|other| !std::ptr::eq(*other, finding)).map(key).collect();
    let mut edits: Vec<_> = finding.edits.iter().collect();
    edits.sort_by_key(|edit| (edit.place.file, edit.place.start));
    for edit in edits.into_iter().rev() {
        let path = before.catalog.file(edit.place.file).shown_path().as_bstr();
        let bytes = case.bytes_mut(path).ok_or_else(|| format!("an edit of `{path}`, which has no text"))?;
        bytes.splice(edit.place.range(), edit.text.bytes());
    }
    let after = lint(&case, rule)?;
    for finding in after.active() {
        match left.iter().position(|&other| other == key(finding)) {
            Some(known) => drop(left.remove(known)),
            None => {
                let found = placed(&case, &after, finding);
                return Err(format!("the edit adds or keeps {found}\n{}", texts(&case)).into());
            }
        }
    }
    Ok(())
}

/// Follows the help of a finding as a reader does, if it quotes the new text: the finding is gone, and no other of its severity
/// appears.
fn helps(rule: &Rule, section: Section<'_>, before: &Report, finding: &Finding) -> Result<(), Failed> {
    let Some(help) = finding.help.as_deref() else { return Ok(()) };
    let mut case = example(section)?;
    let path = before.catalog.file(finding.place.file).shown_path().as_bstr();
    if !follow(&mut case, path, finding, help) {
        return Ok(());
    }
    let after = lint(&case, rule)?;
    let known: Vec<_> = before.active().map(key).collect();
    let is_same = |other: &&Finding| key(other) == key(finding);
    if after.active().filter(is_same).count() >= before.active().filter(is_same).count() {
        return Err(format!("the help `{help}` does not remove {}\n{}", finding.message, texts(&case)).into());
    }
    let is_new = |other: &&Finding| other.severity >= finding.severity && !known.contains(&key(other));
    match after.active().find(is_new) {
        Some(new) => Err(format!("the help `{help}` adds {}\n{}", placed(&case, &after, new), texts(&case)).into()),
        None => Ok(()),
    }
}

/// Makes the edit that a help quotes. Returns `false` if it quotes none that is made in place.
fn follow(case: &mut Example<'_>, path: &BStr, finding: &Finding, help: &str) -> bool {
    let quoted: Vec<&str> = help.split('`').skip(1).step_by(2).collect();
    let (Some(&first), range) = (quoted.first(), finding.place.range()) else { return false };
    // An ellipsis stands for words of the author.
    if first.contains('…') {
        return false;
    }
    if let (Some(&to), true) = (quoted.get(1), help.starts_with("rename `") && help.contains("` to `")) {
        return rename(case, first, to);
    }
    let Some(bytes) = case.bytes_mut(path) else { return false };
    let is_in_text = !range.is_empty() && range.end <= bytes.len();
    let start = bytes[..range.start.min(bytes.len())].rfind_byte(b'\n').map_or(0, |newline| newline + 1);
    let end = bytes[start..].find_byte(b'\n').map_or(bytes.len(), |newline| start + newline);
    let line = bytes[start..end].to_str_lossy().into_owned();
    let indent = line.len() - line.trim_start().len();
    if help.starts_with("rename it to `") && is_in_text && !bytes[range.clone()].contains(&b'\n') {
        bytes.splice(range, first.bytes());
        return true;
    }
    let Some((key, _)) = first.split_once(": ").filter(|_| help.starts_with("write `")) else { return false };
    if is_in_text && line.trim_start().starts_with(&format!("{key}:")) {
        bytes.splice(start + indent..end, first.bytes());
        return true;
    }
    false
}

/// Renames a directory, also in the configuration.
fn rename(case: &mut Example<'_>, from: &str, to: &str) -> bool {
    let mut is_there = false;
    for entry in &mut case.files {
        let below = entry.path.strip_prefix(from.as_bytes()).filter(|below| below.starts_with(b"/"));
        if let Some(path) = below.map(|below| BString::from([to.as_bytes(), below].concat())) {
            entry.path = path;
            is_there = true;
        }
    }
    if let Some(settings) = case.bytes_mut("skilltree.toml".into()) {
        *settings = settings.replace(from, to);
    }
    is_there
}

fn key(finding: &Finding) -> (&str, &str) {
    (finding.rule.id(), &finding.message)
}

/// The example of a section, or its mistakes.
fn example(section: Section<'_>) -> Result<Example<'_>, Failed> {
    let example = Example::new(&section);
    if example.mistakes.is_empty() { Ok(example) } else { Err(example.mistakes.join("\n").into()) }
}

fn lint(case: &Example<'_>, rule: &Rule) -> Result<Report, Failed> {
    Ok(case.lint(rule).ok_or("its configuration is invalid")?.report)
}

fn shown(case: &Example<'_>, report: &Report) -> Vec<String> {
    let line = |finding: &Finding| format!("{} [{}]", placed(case, report, finding), finding.rule.id());
    report.active().map(line).collect()
}

/// A finding as `PATH:LINE:COLUMN: MESSAGE`, the column in code points.
fn placed(case: &Example<'_>, report: &Report, finding: &Finding) -> String {
    let path = report.catalog.file(finding.place.file).shown_path().as_bstr();
    let text = case.bytes(path).unwrap_or_default();
    let before = &text[..finding.place.range().start.min(text.len())];
    let line_start = before.rfind_byte(b'\n').map_or(0, |newline| newline + 1);
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let column = before[line_start..].chars().count() + 1;
    format!("{}:{line}:{column}: {}", text::lossless(path), finding.message)
}

fn texts(case: &Example<'_>) -> String {
    case.files.iter().map(|entry| format!("{entry:?}\n")).collect()
}
