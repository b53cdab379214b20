//! Shrinks a listing to its budget, step by step.

use super::trim::level;
use super::{ListEntry, RootForecast};
use crate::profile::listing::Squeeze;

/// Splits the entries into those listed in full, shortened and lost.
pub(super) fn fit(
    entries: &[ListEntry<'_>],
    limit: u64,
    beyond: &[Squeeze],
    size: &dyn Fn(&ListEntry<'_>, u64) -> u64,
    forecast: &mut RootForecast,
) {
    let mut sizes: Vec<u64> = entries.iter().map(|entry| entry.whole).collect();
    let mut is_short = vec![false; entries.len()];
    for squeeze in beyond {
        if sizes.iter().sum::<u64>() <= limit {
            break;
        }
        match squeeze {
            Squeeze::ShortenDescriptions => shorten(entries, &mut sizes, &mut is_short, limit, size),
            Squeeze::DropDescriptions => drop_from_end(entries, &mut sizes, &mut is_short, limit),
            Squeeze::NamesOnly => {
                sizes = entries.iter().map(|entry| entry.short).collect();
                is_short = entries.iter().map(|entry| entry.chars > 0).collect();
            }
            Squeeze::Omit => {}
        }
    }
    let mut room = limit;
    let mut is_full = false;
    for ((entry, size), is_short) in entries.iter().zip(sizes).zip(is_short) {
        is_full |= beyond.contains(&Squeeze::Omit) && size > room;
        room = room.saturating_sub(size);
        let list = if is_full {
            &mut forecast.lost
        } else if is_short {
            &mut forecast.shortened
        } else {
            &mut forecast.listed
        };
        list.push(entry.skill);
    }
}

/// Shortens all descriptions to the greatest common length that fits, then gives the rest of the budget to the first
/// ones, one character each. If not even the names fit, the entries stay for the next step.
fn shorten(
    entries: &[ListEntry<'_>],
    sizes: &mut [u64],
    is_short: &mut [bool],
    limit: u64,
    size: &dyn Fn(&ListEntry<'_>, u64) -> u64,
) {
    let Some(level) = level(entries, limit, size) else { return };
    for (entry, own) in entries.iter().zip(sizes.iter_mut()) {
        *own = size(entry, level);
    }
    let mut total: u64 = sizes.iter().sum();
    for ((entry, own), is_short) in entries.iter().zip(sizes.iter_mut()).zip(is_short) {
        let longer = size(entry, level + 1);
        let has_room = total - *own + longer <= limit;
        if has_room {
            total = total - *own + longer;
            *own = longer;
        }
        *is_short = entry.chars > level + u64::from(has_room);
    }
}

/// Removes descriptions from the end of the listing until it fits.
fn drop_from_end(entries: &[ListEntry<'_>], sizes: &mut [u64], is_short: &mut [bool], limit: u64) {
    let mut total: u64 = sizes.iter().sum();
    for ((entry, own), is_short) in entries.iter().zip(sizes).zip(is_short).rev() {
        if total <= limit {
            break;
        }
        total -= own.saturating_sub(entry.short);
        *own = entry.short;
        *is_short = entry.chars > 0;
    }
}
