//! Where the forecasts come from: the version of each program, and when it was observed.

use std::io::{self, Write};

use super::lists::write_wrapped;
use crate::catalog::Catalog;
use crate::forecast::Forecast;
use crate::render::{Look, escape};

/// Writes one line per runtime.
pub(super) fn write(catalog: &Catalog, forecasts: &[Forecast], look: Look, out: &mut dyn Write) -> io::Result<()> {
    let today = catalog.parsed.time.map(|seconds| seconds.div_euclid(86_400));
    let known = forecasts.iter().filter_map(|forecast| Some((&forecast.profile, forecast.basis.as_ref()?)));
    let mut known = known.peekable();
    if known.peek().is_some() {
        writeln!(out, "\nsources")?;
    }
    for (id, basis) in known {
        let line = format!("{}: {}", escape::text(id), escape::text(&basis.describe(today)));
        write_wrapped("  ", &line, look, out)?;
    }
    Ok(())
}
