//! What every format writes, and what it never writes.

mod anything;
mod fixture;
mod formats;
mod injection;
mod limits;
mod places;
mod sarif;
