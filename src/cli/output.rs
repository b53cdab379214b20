//! Standard output and standard error.
#![allow(clippy::disallowed_methods, reason = "this is the one writer of the streams")]

use std::io::{self, BufWriter, Write};

use anstream::{AutoStream, ColorChoice};
use skilltree::Report;
use skilltree::characters::visible;
use skilltree::excerpt::Excerpts;
use skilltree::render::{self, Format, Look, Options, escape};

use super::args::{Color, Common};
use super::environment;
use super::failure::Failure;
use super::watch::{Step, Watch};

/// Bytes that are written to standard output at a time (64 KiB, what a pipe of Linux takes).
const BUFFER_BYTES: usize = 64 << 10;

/// Words about the run; findings never go here.
#[derive(Clone, Debug)]
pub(super) struct Stderr {
    choice: ColorChoice,
    quiet: bool,
    watch: Watch,
}

impl Default for Stderr {
    /// Where no option was understood.
    fn default() -> Self {
        Self { choice: choice(Color::Auto), quiet: false, watch: Watch::default() }
    }
}

impl Stderr {
    pub(super) fn new(common: &Common) -> Self {
        Self { choice: choice(common.color), quiet: common.quiet, watch: common.watch.clone() }
    }

    /// A line that people expect, and that `--quiet` leaves out.
    pub(super) fn say(&self, line: &str) {
        if !self.quiet {
            self.line(line);
        }
    }

    /// What makes the verdict another one than was asked for, and what to do: no option leaves it out.
    pub(super) fn warn(&self, message: &str, help: Option<&str>) {
        self.titled("\x1b[1;33mwarning", message);
        self.help(help);
    }

    /// Why the program could not run, and what to do.
    pub(super) fn failure(&self, failure: &Failure) {
        match failure.report.as_deref().and_then(frame) {
            Some(frame) => self.line(frame.trim_end()),
            None => self.titled("\x1b[1;31merror", &failure.message),
        }
        self.help(failure.help.as_deref());
    }

    fn titled(&self, title: &str, message: &str) {
        self.line(&format!("{title}\x1b[0m\x1b[1m: {}\x1b[0m", harmless(message)));
    }

    fn help(&self, help: Option<&str>) {
        for line in help.into_iter().flat_map(str::lines) {
            self.line(&format!("  \x1b[1;36mhelp\x1b[0m: {}", harmless(line)));
        }
    }

    /// A line that no option leaves out: what makes the verdict.
    pub(super) fn line(&self, line: &str) {
        self.watch.clear();
        // Where standard error is closed there is nobody to tell.
        let _ = writeln!(AutoStream::new(io::stderr().lock(), self.choice), "{line}");
    }
}

/// A message in which nothing acts on a terminal or on the log of a workflow, which reads standard error too. It is not
/// cut: it may name twenty objects.
pub(super) fn harmless(text: &str) -> String {
    escape::commands(&visible(text)).into_owned()
}

/// A report of one finding, drawn. Its file carries its text, so nothing is read.
fn frame(report: &Report) -> Option<String> {
    let excerpts = Excerpts::new(report, |_| Err(())).ok()?;
    let mut frame = Vec::new();
    render::write(Format::Full, report, &excerpts, &Options::default(), &mut frame).ok()?;
    String::from_utf8(frame).ok()
}

/// Whether colours are wanted on standard output.
pub(super) fn colors(common: &Common) -> bool {
    match AutoStream::new(io::stdout(), choice(common.color)).current_choice() {
        ColorChoice::Never => false,
        ColorChoice::Auto | ColorChoice::Always | ColorChoice::AlwaysAnsi => true,
    }
}

/// How frames look on this terminal; where there is none, the same everywhere.
pub(super) fn look(common: &Common) -> Look {
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
        Color::Auto => ColorChoice::Auto,
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    }
}

/// Writes to standard output what people read.
pub(super) fn stdout(common: &Common, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    written(common, AutoStream::new(io::stdout().lock(), choice(common.color)), write)
}

/// Writes to standard output what programs read: there are no colours in it, so that nothing has to be taken out.
pub(super) fn data(common: &Common, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    written(common, io::stdout().lock(), write)
}

fn written(
    common: &Common,
    raw: impl Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    common.watch.step(Step::Write);
    let mut stream = BufWriter::with_capacity(BUFFER_BYTES, raw);
    taken(write(&mut stream).and_then(|()| stream.flush()))?;
    // What a closed pipe did not take must not be written again when the buffer goes.
    let _ = stream.into_parts();
    Ok(())
}

/// What became of writing to standard output. A reader that went away early is no failure: what it wanted it has, and the
/// exit status still tells the verdict.
pub(super) fn taken(written: io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("standard output cannot be written: {}", reason(&error))))
        }
        _ => Ok(()),
    }
}

/// Writes exact bytes to standard output; to a terminal it shows them instead, so that nothing acts on the terminal.
pub(super) fn bytes(common: &Common, bytes: &[u8]) -> Result<(), Failure> {
    common.watch.step(Step::Write);
    let mut out = io::stdout().lock();
    let written = if environment::stdout_is_terminal() {
        let text = String::from_utf8_lossy(bytes);
        text.split_inclusive('\n').try_for_each(|line| shown(&mut out, line))
    } else {
        out.write_all(bytes)
    };
    taken(written.and_then(|()| out.flush()))
}

fn shown(out: &mut dyn Write, line: &str) -> io::Result<()> {
    let text = line.strip_suffix('\n').unwrap_or(line);
    write!(out, "{}", visible(text))?;
    if text.len() < line.len() { writeln!(out) } else { Ok(()) }
}

/// The system's reason without its number.
pub(super) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}
