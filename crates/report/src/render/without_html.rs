//! Stand-in for the report page in a build without the feature `html`.

use std::io::{self, Write};

use super::{Options, Reason};
use skilltree_lint::excerpt::Excerpts;
use skilltree_lint::lint::Report;

pub(super) fn write(_: &Report, _: &Excerpts, _: &Options, _: &mut dyn Write) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this program was built without the format `html`"))
}

pub(super) fn write_failed(_: &Reason, _: &mut dyn Write) -> io::Result<()> {
    Ok(())
}
