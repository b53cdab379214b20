//! The lists that models see: how full each is, and a bar of its skills if some are shortened or left out.

use serde::Serialize;

use crate::render::{escape, forecast};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::{Forecast, ListForecast};
use skilltree_runtimes::profile::Profile;
use skilltree_skills::skill::SkillId;

/// Maximum number of segments of a bar. Neighbors in the same state share one if there are more skills.
const SEGMENTS: usize = 400;
/// Maximum number of bytes of names of all bars.
const NAMES: usize = 1 << 20;

/// Lists with a limit, and the runtimes without a known limit.
#[derive(Default, Serialize)]
pub(super) struct Lists {
    limited: Vec<List>,
    unlimited: Vec<String>,
}

#[derive(Serialize)]
struct List {
    title: String,
    roots: Vec<String>,
    words: String,
    advice: Option<String>,
    fill: Option<Fill>,
    width: usize,
    segments: Vec<Segment>,
    shortened: Vec<String>,
    lost: Vec<String>,
}

/// How full a list is, in its unit, which is the same for all members.
#[derive(Serialize)]
struct Fill {
    bundled: u64,
    wanted: u64,
    limit: u64,
    /// The length of the bar: the limit, or what the entries need if that is more.
    width: u64,
}

/// Neighboring skills in the same state.
#[derive(Serialize)]
struct Segment {
    class: &'static str,
    at: usize,
    width: usize,
    label: String,
}

/// Prepares the lists of the skills directories that each runtime reads.
pub(super) fn new(catalog: &Catalog, profiles: &[&Profile], forecasts: &[Forecast]) -> Lists {
    let mut lists = Lists::default();
    let mut left = NAMES;
    for (profile, forecast) in profiles.iter().zip(forecasts) {
        let read: Vec<&ListForecast> =
            forecast.lists.iter().filter(|list| list.listing.reads && size(list) > 0).collect();
        let is_limited = |list: &&&ListForecast| list.listing.budget.is_some() || list.listing.most_skills.is_some();
        lists
            .limited
            .extend(read.iter().filter(is_limited).map(|shown| list(catalog, profile, forecast, shown, &mut left)));
        if !read.is_empty() && !read.iter().any(|list| is_limited(&list)) {
            lists.unlimited.push(escape::text(&profile.title));
        }
    }
    lists
}

fn size(list: &ListForecast) -> usize {
    list.listing.listed.len() + list.listing.shortened.len() + list.listing.lost.len()
}

fn list(catalog: &Catalog, profile: &Profile, forecast: &Forecast, list: &ListForecast, left: &mut usize) -> List {
    let listing = &list.listing;
    let mut name = |skill: &SkillId| {
        let name = forecast::listed_name(catalog, forecast, *skill);
        let fits = name.len() <= *left;
        *left -= if fits { name.len() } else { 0 };
        fits.then_some(name)
    };
    let states = [("whole", &listing.listed), ("shortened", &listing.shortened), ("lost", &listing.lost)];
    let mut segments = Vec::new();
    let mut at = 0;
    for (class, skills) in states {
        let run = if size(list) > SEGMENTS { skills.len().max(1) } else { 1 };
        for skills in skills.chunks(run) {
            let label = match skills {
                [skill] => name(skill).map_or_else(|| class.to_owned(), |name| format!("{name}: {class}")),
                skills => format!("{}: {class}", crate::render::count(skills.len(), "skill")),
            };
            segments.push(Segment { class, at, width: skills.len(), label });
            at += skills.len();
        }
    }
    let roots = list.roots.iter().map(|root| escape::path(catalog.root(*root).shown_path()));
    let fill = listing.budget.map(|limit| Fill {
        bundled: listing.bundled,
        wanted: listing.wanted,
        limit,
        width: limit.max(listing.wanted).max(1),
    });
    let is_whole = listing.shortened.is_empty() && listing.lost.is_empty();
    // A bar of skills that are all shown in full says nothing.
    let segments = if is_whole { Vec::new() } else { segments };
    List {
        title: escape::text(&profile.title),
        roots: roots.collect(),
        words: forecast::list_size(listing),
        advice: listing.trim.as_ref().map(|trim| forecast::list_advice(catalog, forecast, listing, trim)),
        fill,
        width: at,
        segments,
        shortened: listing.shortened.iter().map_while(&mut name).collect(),
        lost: listing.lost.iter().map_while(&mut name).collect(),
    }
}
