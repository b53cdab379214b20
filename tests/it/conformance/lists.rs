//! Compares the text of a short list with what was sent to the model.

use skilltree_runtimes::forecast::{entry_texts, forecast};
use skilltree_runtimes::profile::Profile;
use skilltree_runtimes::profile::listing::Bodies;

use crate::conformance::budgets::adjusted;
use crate::conformance::cases::Cases;
use crate::conformance::cells::Cells;
use crate::conformance::observation::Observation;

/// Fields of an entry, each with a text that only it has.
const FIELDS: [(&str, &str); 4] =
    [("name", "list-one"), ("description", "Reads it."), ("when_to_use", "Often."), ("path", "list-one/SKILL.md")];
/// Text of every body.
const BODY: &str = "Read the body.";

pub(crate) fn compare(profile: &Profile, observation: &Observation, cases: &Cases, cells: &mut Cells) {
    let Some(observed) = &observation.list else { return };
    let profile = adjusted(profile, observation, "");
    // Without the place of the repository, paths are shown from its top.
    let top =
        if profile.loads.listing.repository.is_none() { format!("{}/", observation.repository) } else { String::new() };
    let observed = if top.is_empty() { observed.clone() } else { observed.replace(&top, "") };
    let catalog = cases.list(observation.root.trim_start_matches("~/"));
    let forecast = forecast(&catalog, &profile);
    let entries: Vec<String> = entry_texts(&catalog, &profile, &forecast).into_iter().flatten().collect();
    if !entries.is_empty() {
        let whole = entries.concat();
        let agrees = observed.contains(&whole);
        cells.decide("list", "entries", agrees, || format!("the forecast is {whole:?}, observed was {observed:?}"));
    }
    let listing = &profile.loads.listing;
    for (field, text) in FIELDS {
        let is_shown = listing.shown.iter().any(|shown| shown == field);
        cells.add("list", &format!("shown {field}"), &is_shown, &observed.contains(text));
    }
    let has_bodies = listing.bodies == Some(Bodies::Inlined);
    cells.add("list", "bodies", &has_bodies, &observed.contains(BODY));
}
