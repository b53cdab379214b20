//! Shrinks a listing to its budget, step by step.

use super::trim::level;
use super::{ListEntry, RootForecast};
use crate::profile::listing::{Budget, Squeeze};

/// Sizes of the entries while they are shrunk.
struct Fit<'e, 'a> {
    entries: &'e [ListEntry<'a>],
    sizes: Vec<u64>,
    /// What is left of a shortened description; `None` if it is whole.
    shown: Vec<Option<u64>>,
    /// Returns the size of an entry with so many code points of its description.
    size: &'e dyn Fn(&ListEntry<'_>, u64) -> u64,
    limit: u64,
}

/// Splits the entries into those listed in full, shortened and lost.
pub(super) fn fit(
    entries: &[ListEntry<'_>],
    limit: u64,
    budget: &Budget,
    size: &dyn Fn(&ListEntry<'_>, u64) -> u64,
    forecast: &mut RootForecast,
) {
    let sizes = entries.iter().map(|entry| entry.whole).collect();
    let mut fit = Fit { entries, sizes, shown: vec![None; entries.len()], size, limit };
    let mut limit = limit;
    for squeeze in &budget.over_limit {
        if fit.total() <= limit {
            break;
        }
        match squeeze {
            Squeeze::ShortenDescriptions => fit.shorten(),
            Squeeze::DropDescriptions => fit.drop_from_end(),
            Squeeze::CommonLength => fit.common_length(budget),
            Squeeze::FirstLines => fit.first_lines(),
            Squeeze::NamesOnly => fit.names_only(),
            Squeeze::NamesInOneLine => limit = fit.names_in_one_line(budget),
            Squeeze::Omit => {}
        }
    }
    let omits = budget.over_limit.contains(&Squeeze::Omit);
    fit.divide(limit, omits, forecast);
}

impl Fit<'_, '_> {
    fn total(&self) -> u64 {
        self.sizes.iter().sum()
    }

    /// Sets what is left of a description.
    fn set(&mut self, at: usize, chars: u64) {
        let entry = &self.entries[at];
        self.sizes[at] = (self.size)(entry, chars);
        self.shown[at] = (entry.chars > chars).then_some(chars);
    }

    /// Shortens all descriptions to the greatest common length that fits, then gives the rest of the budget to the first
    /// ones, one character each, as often as something fits. If not even the names fit, the entries stay for the next
    /// step.
    fn shorten(&mut self) {
        let Some(level) = level(self.entries, self.limit, self.size) else { return };
        (0..self.entries.len()).for_each(|at| self.set(at, level));
        let mut total = self.total();
        let mut given = vec![level; self.entries.len()];
        loop {
            let before = given.clone();
            for (at, given) in given.iter_mut().enumerate().filter(|(at, given)| self.entries[*at].chars > **given) {
                let longer = (self.size)(&self.entries[at], *given + 1);
                if total - self.sizes[at] + longer <= self.limit {
                    total = total - self.sizes[at] + longer;
                    *given += 1;
                    self.set(at, *given);
                }
            }
            if given == before {
                return;
            }
        }
    }

    /// Removes descriptions from the end of the listing until it fits.
    fn drop_from_end(&mut self) {
        let mut total = self.total();
        for at in (0..self.entries.len()).rev() {
            if total <= self.limit {
                break;
            }
            total -= self.sizes[at].saturating_sub(self.entries[at].short);
            self.set(at, 0);
        }
    }

    /// Shortens all descriptions to one length; if none fits, the entries stay for the next step.
    fn common_length(&mut self, budget: &Budget) {
        let Some((most, least)) = budget.common_length else { return };
        let Some(found) = level(self.entries, self.limit, self.size).filter(|level| *level >= least) else { return };
        (0..self.entries.len()).for_each(|at| self.set(at, found.min(most)));
    }

    fn first_lines(&mut self) {
        for at in 0..self.entries.len() {
            self.set(at, self.entries[at].first_line);
        }
    }

    fn names_only(&mut self) {
        (0..self.entries.len()).for_each(|at| self.set(at, 0));
    }

    /// Keeps the first entries that fit, and puts the names of the others into one line. Returns the limit of both.
    fn names_in_one_line(&mut self, budget: &Budget) -> u64 {
        let mut used = 0;
        let mut is_full = false;
        for at in 0..self.entries.len() {
            is_full |= used + self.sizes[at] > self.limit;
            if is_full {
                self.sizes[at] = self.entries[at].in_line;
                self.shown[at] = Some(0);
            } else {
                used += self.sizes[at];
            }
        }
        used + budget.line.unwrap_or(u64::MAX - used)
    }

    /// Fills the lists of the forecast.
    fn divide(self, limit: u64, omits: bool, forecast: &mut RootForecast) {
        let mut room = limit;
        let mut is_full = false;
        for ((entry, size), chars) in self.entries.iter().zip(self.sizes).zip(self.shown) {
            is_full |= omits && size > room;
            room = room.saturating_sub(size);
            if entry.bundled_path.is_some() {
                continue;
            }
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
}
