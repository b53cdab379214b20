//! Standard output and standard error.
#![allow(clippy::disallowed_methods, reason = "this is the one writer of the streams")]

use std::io::{self, BufWriter, Write};

use anstream::{AutoStream, ColorChoice};
use skilltree::Report;
use skilltree::characters::visible;
use skilltree::excerpt::Excerpts;
use skilltree::render::{self, Format, Options};

use super::args::{Color, Common};
use super::environment;
use super::failure::Failure;

/// Words about the run; findings never go here.
pub(super) struct Stderr {
    choice: ColorChoice,
    quiet: bool,
}

impl Stderr {
    pub(super) fn new(common: &Common) -> Self {
        Self { choice: choice(common.color), quiet: common.quiet }
    }

    /// A line that people expect, and that `--quiet` leaves out.
    pub(super) fn say(&self, line: &str) {
        if !self.quiet {
            self.line(line);
        }
    }

    /// What makes the verdict another one than was asked for, and what to do: no option leaves it out.
    pub(super) fn warn(&self, message: &str, help: Option<&str>) {
        let (yellow, cyan, bold, reset) = ("\x1b[1;33m", "\x1b[1;36m", "\x1b[1m", "\x1b[0m");
        self.line(&format!("{yellow}warning{reset}{bold}: {}{reset}", visible(message)));
        for help in help.iter().flat_map(|help| help.lines()) {
            self.line(&format!("  {cyan}help{reset}: {}", visible(help)));
        }
    }

    /// Why the program could not run, and what to do.
    pub(super) fn failure(&self, failure: &Failure) {
        let (red, cyan, bold, reset) = ("\x1b[1;31m", "\x1b[1;36m", "\x1b[1m", "\x1b[0m");
        match failure.report.as_deref().and_then(frame) {
            Some(frame) => self.line(frame.trim_end()),
            None => self.line(&format!("{red}error{reset}{bold}: {}{reset}", visible(&failure.message))),
        }
        for help in failure.help.iter().flat_map(|help| help.lines()) {
            self.line(&format!("  {cyan}help{reset}: {}", visible(help)));
        }
    }

    /// A line that no option leaves out: what makes the verdict.
    pub(super) fn line(&self, line: &str) {
        // Where standard error is closed there is nobody to tell.
        let _ = writeln!(AutoStream::new(io::stderr().lock(), self.choice), "{line}");
    }
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

fn choice(color: Color) -> ColorChoice {
    match color {
        Color::Auto => ColorChoice::Auto,
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    }
}

/// Writes to standard output. A reader that went away early is no failure: what it wanted it has, and the exit status
/// still tells the verdict.
pub(super) fn stdout(common: &Common, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let raw = io::stdout().lock();
    let mut stream = BufWriter::new(AutoStream::new(raw, choice(common.color)));
    match write(&mut stream).and_then(|()| stream.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("standard output cannot be written: {}", reason(&error))))
        }
        _ => {
            // What a closed pipe did not take must not be written again when the buffer goes.
            let _ = stream.into_parts();
            Ok(())
        }
    }
}

/// Writes exact bytes to standard output; to a terminal it shows them instead, so that nothing acts on the terminal.
pub(super) fn bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let written = if environment::stdout_is_terminal() {
        let text = String::from_utf8_lossy(bytes);
        text.split_inclusive('\n').try_for_each(|line| shown(&mut out, line))
    } else {
        out.write_all(bytes)
    };
    match written.and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("standard output cannot be written: {}", reason(&error))))
        }
        _ => Ok(()),
    }
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
