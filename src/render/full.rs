//! Frames: each finding with the lines that it is about, why it matters, and the edit that mends it.

mod frame;

use std::io::{self, Write};

use annotate_snippets::Renderer;
use annotate_snippets::renderer::DecorStyle;

use super::{Budget, Look, Options, TEXT_BYTES, summary};
use crate::excerpt::Excerpts;
use crate::lint::Report;
use frame::{Frames, Told};

/// What annotate-snippets crops to: never, because it cuts in the middle of wide characters. We crop ourselves.
const UNLIMITED_WIDTH: usize = 1 << 20;

/// Writes the findings that stand, in the order of the report.
pub(super) fn write(report: &Report, excerpts: &Excerpts, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let frames = Frames { report, excerpts, look: options.look, renderer: renderer(options.look) };
    let mut budget = Budget::new(options.shown_findings, TEXT_BYTES);
    let mut told = Told::new();
    let mut left_out = 0;
    for finding in report.standing() {
        if left_out > 0 || budget.findings == 0 {
            left_out += 1;
            continue;
        }
        let frame = frames.render(finding, &mut told);
        if budget.take(frame.len()) {
            out.write_all(frame.as_bytes())?;
        } else {
            left_out += 1;
        }
    }
    summary::left_out(left_out, out)
}

fn renderer(look: Look) -> Renderer {
    let renderer = if look.color { Renderer::styled() } else { Renderer::plain() };
    let decor = if look.unicode { DecorStyle::Unicode } else { DecorStyle::Ascii };
    renderer.decor_style(decor).hyperlink(look.color && look.hyperlinks).term_width(UNLIMITED_WIDTH)
}
