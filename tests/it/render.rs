//! The output of every format, and content that no format may write.

mod anything;
pub(crate) mod fixture;
mod formats;
mod html;
mod injection;
mod limits;
mod places;
mod reviewers;
mod sarif;
