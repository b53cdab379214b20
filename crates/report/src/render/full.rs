//! Frames: each finding with its source lines, its notes, and its edit.

mod frame;

use std::collections::HashMap;
use std::io::{self, Write};

use annotate_snippets::Renderer;
use annotate_snippets::renderer::DecorStyle;
use bstr::ByteSlice;

use super::{Budget, Look, Omitted, Options, concise, escape, summary};
use frame::{Frames, ShownNotes};
use skilltree_lint::excerpt::Excerpts;
use skilltree_lint::lint::Report;
use skilltree_lint::rule::{Finding, Severity};

/// Disables the cropping of annotate-snippets, which splits wide characters. [`window`](super::window) crops instead.
const UNLIMITED_WIDTH: usize = 1 << 20;

/// Maximum number of fixed findings that are named.
const SHOWN_FIXED: usize = 100;

/// Writes the active findings, the most severe first, then the fixed ones.
pub(super) fn write(report: &Report, excerpts: &Excerpts, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let frames =
        Frames { report, excerpts, look: options.look, evidence: options.evidence, renderer: renderer(options.look) };
    summary::write_failing(report, out)?;
    let mut budget = Budget::new(options.shown_findings, options.text_bytes);
    let findings: Vec<&Finding> = report.active().collect();
    let mut shown_notes = ShownNotes::new(&findings);
    let mut omitted = Omitted::default();
    for alike in findings.chunk_by(|one, next| one.severity == next.severity) {
        let (mut framed, mut lines): (HashMap<&str, usize>, Vec<String>) = (HashMap::new(), Vec::new());
        for &finding in alike {
            if !budget.has_room(finding) {
                omitted.add(finding);
                continue;
            }
            let count = framed.entry(finding.rule.id()).or_default();
            *count += 1;
            let is_framed = *count <= options.framed || finding.severity == Severity::Error;
            let text = match is_framed {
                true => frames.render(finding, &mut shown_notes),
                false => concise::line(report, excerpts, finding),
            };
            match budget.take(finding, text.len()) {
                true if is_framed => out.write_all(text.as_bytes())?,
                true => lines.push(text),
                false => omitted.add(finding),
            }
        }
        write_lines(&lines, options, out)?;
    }
    omitted.write(options, out)?;
    write_fixed(report, out)
}

/// Writes the findings that have no frame, and how to see them whole.
fn write_lines(lines: &[String], options: &Options, out: &mut dyn Write) -> io::Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    out.write_all(lines.concat().as_bytes())?;
    writeln!(
        out,
        "{} of rules with more than {}: `--verbose` shows each whole\n",
        summary::count(lines.len(), "finding"),
        options.framed
    )
}

/// Names the fixed findings: a count alone does not show that the right ones are gone.
fn write_fixed(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let fixed = report.base.as_ref().map(|base| base.fixed.as_slice()).unwrap_or_default();
    for finding in fixed.iter().take(SHOWN_FIXED) {
        let (path, message) = (escape::path(finding.path.as_bstr()), escape::text(&finding.message));
        writeln!(out, "fixed[{}]: {path}: {message}", finding.rule.id())?;
    }
    match fixed.len().saturating_sub(SHOWN_FIXED) {
        0 => Ok(()),
        more => writeln!(out, "and {} (`--format json` lists them)", summary::count(more, "more fixed finding")),
    }
}

fn renderer(look: Look) -> Renderer {
    let renderer = if look.color { Renderer::styled() } else { Renderer::plain() };
    let decor = if look.unicode { DecorStyle::Unicode } else { DecorStyle::Ascii };
    renderer.decor_style(decor).hyperlink(look.color && look.hyperlinks).term_width(UNLIMITED_WIDTH)
}
