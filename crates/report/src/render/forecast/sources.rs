//! Where the forecasts come from: the version of each program, and when it was observed.

use std::io::{self, Write};

use super::lists::write_wrapped;
use crate::render::{Look, escape};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::Forecast;

/// Writes the sources in one paragraph: `sources: Codex 0.169.0, observed 2026-11; …`.
pub(super) fn write<'a>(
    catalog: &Catalog,
    forecasts: impl Iterator<Item = &'a Forecast>,
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let today = catalog.parsed.time.map(|seconds| seconds.div_euclid(86_400));
    let known = forecasts.filter_map(|forecast| forecast.basis.as_ref());
    let known: Vec<String> = known.map(|basis| escape::text(&basis.describe(today))).collect();
    if known.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    write_wrapped("", &format!("sources: {}", known.join("; ")), look, out)
}
