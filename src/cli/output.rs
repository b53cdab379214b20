//! Standard output and standard error.
#![allow(clippy::disallowed_methods, reason = "this is the one writer of the streams")]

use std::io::{self, BufWriter, Write};

use anstream::{AutoStream, ColorChoice};
use skilltree_lint::Report;
use skilltree_lint::excerpt::Excerpts;
use skilltree_report::render::{self, Format, Look, Options, escape};
use skilltree_skills::characters::visible;

use super::args::{Color, Common};
use super::environment;
use super::watch::{Step, Watch};
use crate::failure::Failure;
use crate::file;

/// The size of the buffer of standard output: 64 KiB, the capacity of a pipe on Linux.
const BUFFER_BYTES: usize = 64 << 10;

/// Standard error: messages about the run, never findings.
#[derive(Clone, Debug)]
pub(super) struct Stderr {
    choice: ColorChoice,
    quiet: bool,
    watch: Watch,
}

impl Default for Stderr {
    /// Used before the options are parsed.
    fn default() -> Self {
        Self { choice: choice(Color::Auto), quiet: false, watch: Watch::default() }
    }
}

impl Stderr {
    pub(super) fn new(common: &Common) -> Self {
        Self { choice: choice(common.color), quiet: common.quiet, watch: common.watch.clone() }
    }

    /// Prints a line of information; `--quiet` drops it.
    pub(super) fn info(&self, line: &str) {
        if !self.quiet {
            self.line(line);
        }
    }

    /// Prints a warning that changes what the result means, and what to do. No option drops it.
    pub(super) fn warn(&self, message: &str, help: Option<&str>) {
        self.titled("\x1b[1;33mwarning", message);
        self.help(help);
    }

    /// Prints why the program failed, and what to do.
    pub(super) fn failure(&self, failure: &Failure) {
        match failure.report.as_deref().and_then(frame) {
            Some(frame) => self.line(frame.trim_end()),
            None => self.titled("\x1b[1;31merror", &failure.message),
        }
        failure.details.iter().for_each(|line| self.line(&format!("  {}", escaped(line))));
        self.help(failure.help.as_deref());
    }

    fn titled(&self, title: &str, message: &str) {
        self.line(&format!("{title}\x1b[0m\x1b[1m: {}\x1b[0m", escaped(message)));
    }

    fn help(&self, help: Option<&str>) {
        for line in help.into_iter().flat_map(str::lines) {
            self.line(&format!("  \x1b[1;36mhelp\x1b[0m: {}", escaped(line)));
        }
    }

    /// Prints a line that no option drops: it explains the exit status.
    pub(super) fn line(&self, line: &str) {
        self.watch.clear();
        // A closed standard error is not a failure.
        let _ = writeln!(AutoStream::new(io::stderr().lock(), self.choice), "{line}");
    }
}

/// What a check printed, to be printed later.
#[derive(Debug, Default)]
pub(super) struct Held {
    /// Standard output.
    pub(super) findings: Vec<u8>,
    /// Lines of standard error.
    pub(super) lines: Vec<String>,
}

impl Held {
    /// Returns the number of bytes.
    pub(super) fn bytes(&self) -> usize {
        self.findings.len() + self.lines.iter().map(|line| line.len() + 1).sum::<usize>()
    }
}

/// Prints the result of a check at once, or holds it, because the results of a push are printed together.
#[derive(Debug, Default)]
pub(super) struct Printer {
    held: Option<Held>,
    /// What the check is about.
    names: Option<String>,
    limit: Option<usize>,
    /// The command that reports existing findings, in a hook.
    all: Option<String>,
}

impl Printer {
    /// Prints the result of a hook, which is one line if there are no findings. `all` is the command that reports existing ones.
    pub(super) fn of_hook(self, all: String) -> Self {
        Self { all: Some(all), ..self }
    }

    /// Returns the command that reports existing findings, in a hook.
    pub(super) fn all(&self) -> Option<&str> {
        self.all.as_deref()
    }

    /// Holds the result of a check about some references, up to a number of bytes.
    pub(super) fn held(names: String, limit: usize) -> Self {
        Self { held: Some(Held::default()), names: Some(names), limit: Some(limit), all: None }
    }

    /// Returns what was held.
    pub(super) fn into_held(self) -> Option<Held> {
        self.held
    }

    /// Returns the limit of the findings in bytes.
    pub(super) fn limit(&self) -> Option<usize> {
        self.limit
    }

    /// Adds the names to the description of a source: `main and v1 at 3f2c1ab (skills tree 3f2c1ab)`.
    pub(super) fn named(&self, source: String) -> String {
        self.names.as_ref().map_or_else(|| source.clone(), |names| format!("{names} at {source}"))
    }

    /// Writes text for people to standard output.
    pub(super) fn stdout(
        &mut self,
        common: &Common,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        match &mut self.held {
            Some(held) => ignore_closed_pipe(write(&mut held.findings)),
            None => stdout(common, write),
        }
    }

    /// Prints a line of information to standard error; `--quiet` drops it.
    pub(super) fn info(&mut self, common: &Common, line: &str) {
        match &mut self.held {
            Some(_) if common.quiet => {}
            Some(held) => held.lines.push(line.to_owned()),
            None => Stderr::new(common).info(line),
        }
    }
}

/// Escapes a message, so that it cannot act on a terminal or on a workflow log. It is not truncated: it may name twenty objects.
pub(super) fn escaped(text: &str) -> String {
    escape::commands(&visible(text)).into_owned()
}

/// Renders a report of one finding. Its file holds its text, so nothing is read.
fn frame(report: &Report) -> Option<String> {
    let excerpts = Excerpts::new(report, |_| Err(())).ok()?;
    let mut frame = Vec::new();
    render::write(Format::Full, report, &excerpts, &Options::default(), &mut frame).ok()?;
    String::from_utf8(frame).ok()
}

/// Returns whether standard output has colors.
fn colors(common: &Common) -> bool {
    match AutoStream::new(io::stdout(), choice(common.color)).current_choice() {
        ColorChoice::Never => false,
        ColorChoice::Auto | ColorChoice::Always | ColorChoice::AlwaysAnsi => true,
    }
}

/// Returns the style of findings on this terminal; without a terminal it is always the same.
pub(super) fn style(common: &Common) -> Look {
    let color = colors(common);
    Look {
        width: environment::width(),
        color,
        unicode: environment::stdout_is_terminal() && environment::shows_unicode(),
        hyperlinks: color && environment::stdout_is_terminal(),
    }
}

fn choice(color: Color) -> ColorChoice {
    match color {
        Color::Auto if environment::forces_color() => ColorChoice::Always,
        Color::Auto => ColorChoice::Auto,
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    }
}

/// Writes text for people to standard output.
pub(super) fn stdout(common: &Common, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    write_to(common, AutoStream::new(io::stdout().lock(), choice(common.color)), write)
}

/// Writes data for programs to standard output. It never has colors, so none are stripped.
pub(super) fn data(common: &Common, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    write_to(common, io::stdout().lock(), write)
}

fn write_to(
    common: &Common,
    raw: impl Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    common.watch.step(Step::Write);
    let mut stream = BufWriter::with_capacity(BUFFER_BYTES, raw);
    ignore_closed_pipe(write(&mut stream).and_then(|()| stream.flush()))?;
    // Dropping the buffer would write the rest again to a closed pipe.
    let _ = stream.into_parts();
    Ok(())
}

/// Turns a write error into a failure, except for a closed pipe: its reader has what it wanted, and the exit status still
/// reports the findings.
pub(super) fn ignore_closed_pipe(written: io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("standard output cannot be written: {}", file::reason(&error))))
        }
        _ => Ok(()),
    }
}

/// Writes an annotation of GitHub that says why the run failed.
pub(super) fn annotate(failure: &Failure) {
    let mut out = io::stdout().lock();
    let written = render::write_failed(Format::Github, &failure.reason(), &Options::default(), &mut out);
    let _ = written.and_then(|()| out.flush());
}

/// Writes exact bytes to standard output. On a terminal they are escaped.
pub(super) fn bytes(common: &Common, bytes: &[u8]) -> Result<(), Failure> {
    common.watch.step(Step::Write);
    let mut out = io::stdout().lock();
    let written = if environment::stdout_is_terminal() {
        let text = String::from_utf8_lossy(bytes);
        text.split_inclusive('\n').try_for_each(|line| write_escaped(&mut out, line))
    } else {
        out.write_all(bytes)
    };
    ignore_closed_pipe(written.and_then(|()| out.flush()))
}

fn write_escaped(out: &mut dyn Write, line: &str) -> io::Result<()> {
    let text = line.strip_suffix('\n').unwrap_or(line);
    write!(out, "{}", visible(text))?;
    if text.len() < line.len() { writeln!(out) } else { Ok(()) }
}
