//! Report of a field over its limit, shared by all such rules.

use super::{Finding, Sink};
use skilltree_front_matter::text::{self, Spanned};
use skilltree_skills::limits;

/// Reports a text with more code points than the limit, and returns the excess. `noun` names the field in the message.
pub fn report_too_long<'s>(
    sink: &'s mut Sink,
    noun: &str,
    value: &Spanned<&str>,
    limit: Option<u64>,
) -> Option<(&'s mut Finding, u64)> {
    let chars = text::length(value.value).chars;
    let limit = limit.filter(|&limit| limits::over(Some(limit), chars))?;
    let (shown, most) = (text::grouped(chars), text::grouped(limit));
    let message = format!("the {noun} has {shown} characters; the limit is {most}");
    let finding = sink.report(value.place, message);
    Some((finding, chars as u64 - limit))
}
