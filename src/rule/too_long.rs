//! A field over its limit, said alike by every rule about one.

use super::{Finding, Sink};
use crate::limits;
use crate::text::{self, Spanned};

/// Reports a text that has more code points than allowed, and by how many it is over. `noun` is how the reader knows it.
pub fn report_too_long<'s>(
    sink: &'s mut Sink,
    noun: &str,
    value: &Spanned<&str>,
    limit: Option<u64>,
) -> Option<(&'s mut Finding, u64)> {
    let chars = text::length(value.value).chars;
    let limit = limit.filter(|&limit| limits::over(Some(limit), chars))?;
    let finding = sink.report(value.place, format!("the {noun} has {chars} characters; {limit} are allowed"));
    Some((finding, chars as u64 - limit))
}
