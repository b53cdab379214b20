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
    // What is left of a shortened description; `None` if it is whole.
    let mut shown: Vec<Option<u64>> = vec![None; entries.len()];
    for squeeze in beyond {
        if sizes.iter().sum::<u64>() <= limit {
            break;
        }
        match squeeze {
            Squeeze::ShortenDescriptions => shorten(entries, &mut sizes, &mut shown, limit, size),
            Squeeze::DropDescriptions => drop_from_end(entries, &mut sizes, &mut shown, limit),
            Squeeze::NamesOnly => {
                sizes = entries.iter().map(|entry| entry.short).collect();
                shown = entries.iter().map(|entry| (entry.chars > 0).then_some(0)).collect();
            }
            Squeeze::Omit => {}
        }
    }
    let mut room = limit;
    let mut is_full = false;
    for ((entry, size), chars) in entries.iter().zip(sizes).zip(shown) {
        is_full |= beyond.contains(&Squeeze::Omit) && size > room;
        room = room.saturating_sub(size);
        let list = if is_full {
            &mut forecast.lost
        } else if let Some(chars) = chars {
            forecast.shown_chars.push(chars);
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
    shown: &mut [Option<u64>],
    limit: u64,
    size: &dyn Fn(&ListEntry<'_>, u64) -> u64,
) {
    let Some(level) = level(entries, limit, size) else { return };
    for (entry, own) in entries.iter().zip(sizes.iter_mut()) {
        *own = size(entry, level);
    }
    let mut total: u64 = sizes.iter().sum();
    for ((entry, own), shown) in entries.iter().zip(sizes.iter_mut()).zip(shown) {
        let longer = size(entry, level + 1);
        let has_room = total - *own + longer <= limit;
        if has_room {
            total = total - *own + longer;
            *own = longer;
        }
        let chars = level + u64::from(has_room);
        *shown = (entry.chars > chars).then_some(chars);
    }
}

/// Removes descriptions from the end of the listing until it fits.
fn drop_from_end(entries: &[ListEntry<'_>], sizes: &mut [u64], shown: &mut [Option<u64>], limit: u64) {
    let mut total: u64 = sizes.iter().sum();
    for ((entry, own), shown) in entries.iter().zip(sizes).zip(shown).rev() {
        if total <= limit {
            break;
        }
        total -= own.saturating_sub(entry.short);
        *own = entry.short;
        *shown = (entry.chars > 0).then_some(0);
    }
}
