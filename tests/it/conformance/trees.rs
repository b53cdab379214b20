//! Compares layouts: depth, hidden directories, links, duplicates, support directories, the order of the list.

use std::collections::BTreeMap;

use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::{Forecast, Outcome, forecast};
use skilltree_runtimes::profile::Profile;
use skilltree_runtimes::profile::files::Follow;
use skilltree_skills::roots::RootId;
use skilltree_skills::skill::SkillId;
use skilltree_skills::snapshot::{Body, Resolution};
use skilltree_skills::source::Content;

use crate::conformance::cases::{self, Cases};
use crate::conformance::cells::Cells;
use crate::conformance::observation::{self, Observation};

/// The repository in the home directory.
const REPOSITORY: &str = "work/repo";

pub(crate) fn compare(profile: &Profile, observation: &Observation, cases: &Cases, cells: &mut Cells) {
    let varies = observation.trees.get("order").is_some_and(|tree| tree.varies.is_some());
    for (name, observed) in &observation.trees {
        // What is outside the repository is not in the catalog: the forecast says nothing about it.
        let tree = &cases.trees[name];
        if tree.links.iter().any(|(link, target)| link == "{root}" && target.starts_with("~/")) {
            continue;
        }
        Scene::new(tree, &observation.root).compare(profile, &format!("trees/{name}"), tree, observed, varies, cells);
    }
}

/// A tree with its paths. For a root in the home directory, the home directory is the top of the catalog, otherwise the
/// repository is: what is in the home directory then is outside.
struct Scene {
    catalog: Catalog,
    /// The numbers of the skills by their paths in the home directory.
    numbers: BTreeMap<String, usize>,
    /// The top of the catalog in the home directory, with a trailing slash.
    top: String,
}

impl Scene {
    fn new(tree: &cases::Tree, root: &str) -> Self {
        let top = if root.starts_with("~/") { String::new() } else { format!("{REPOSITORY}/") };
        let place = |path: &str| {
            let path = path.replace("{root}", root).replace("{ROOT}", &root.to_uppercase());
            path.strip_prefix("~/").map_or_else(|| format!("{REPOSITORY}/{path}"), str::to_owned)
        };
        let mut files = Vec::new();
        let mut numbers = BTreeMap::new();
        for (number, path) in (1..).zip(&tree.paths) {
            let at = place(path);
            let directory = at.rsplit('/').nth(1).unwrap().to_owned();
            let name = tree.names.get(path).unwrap_or(&directory);
            let size = tree.sizes.get(path).copied().unwrap_or(0);
            let text = cases::text(name, &format!("Skill {number}."), size);
            let is_ignored =
                |(path, text): (&String, &String)| path.ends_with(".gitignore") && text.contains(&directory);
            let is_ignored = tree.files.iter().any(is_ignored);
            files.push((at.clone(), if is_ignored { Content::Ignored(text) } else { Content::File(text) }));
            numbers.insert(at, number);
        }
        for (path, text) in &tree.files {
            files.push((place(path), Content::File(text.clone().into_bytes())));
        }
        for (path, target) in &tree.links {
            let (path, target) = (place(path), place(target));
            // Inside the repository a link does not leave it on its way.
            let shared = if target.starts_with(&top) { top.len() } else { 0 };
            let up = "../".repeat(path[shared..].matches('/').count());
            files.push((path, Content::Link(format!("{up}{}", &target[shared..]).into())));
        }
        let below = |(path, content): (String, Content)| Some((path.strip_prefix(&top)?.to_owned(), content));
        let files = files.into_iter().filter_map(below).collect();
        let root = root.trim_start_matches("~/");
        Self { catalog: cases::catalog(files, &[root]), numbers, top }
    }

    fn compare(
        &self,
        profile: &Profile,
        case: &str,
        tree: &cases::Tree,
        observed: &observation::Tree,
        varies: bool,
        cells: &mut Cells,
    ) {
        let forecast = forecast(&self.catalog, profile);
        let found = self.found(profile, &forecast);
        self.compare_reports(&forecast, case, observed, cells);
        for number in 1..=tree.paths.len() {
            let fates = found.get(&number).cloned().unwrap_or_default();
            let is_listed = observed.listed.contains(&number) && !observed.fails;
            let loads = fates.iter().any(|if_read| matches!(if_read, Outcome::Loads | Outcome::Changes));
            let is_unknown = !loads && fates.contains(&Outcome::Unknown);
            let agrees = match observed.varies.as_deref() {
                Some("skills") if !is_listed => is_unknown,
                _ => loads == is_listed && !is_unknown,
            };
            let cell = number.to_string();
            cells.decide(case, &cell, agrees, || format!("the forecast is {fates:?}, observed was {observed:?}"));
            if !agrees && loads {
                cells.is_loss();
            }
        }
        // One tree may vary for another reason, such as a link.
        if tree.order && (varies || observed.varies.is_none()) {
            self.compare_order(&forecast, case, observed, varies, cells);
        }
    }

    /// Compares how skills that are not listed are reported.
    fn compare_reports(&self, forecast: &Forecast, case: &str, observed: &observation::Tree, cells: &mut Cells) {
        for (id, _) in self.catalog.skills() {
            let skill = forecast.skill(id);
            let number = self.number(id).filter(|_| skill.if_read == Outcome::Drops);
            let Some((number, reported)) = number.and_then(|number| Some((number, observed.reported(number)?))) else {
                continue;
            };
            cells.add(case, &format!("report of {number}"), &skill.reported, &Some(reported));
        }
    }

    /// Returns the fates of each skill of the tree, by its number: two if it is found twice.
    fn found(&self, profile: &Profile, forecast: &Forecast) -> BTreeMap<usize, Vec<Outcome>> {
        let mut found: BTreeMap<usize, Vec<Outcome>> = BTreeMap::new();
        for (id, _) in self.catalog.skills() {
            let if_read = forecast.skill(id).if_read;
            if let Some(number) = self.number(id) {
                found.entry(number).or_default().push(if_read);
            } else if let Some(number) = self.outside(id) {
                // Its text is outside and unknown: the profile says whether the program follows the link.
                let links = &profile.loads.links;
                let follows = if_read == Outcome::Unknown && links.outside.or(links.escape) == Some(Follow::Followed);
                found.entry(number).or_default().push(if follows { Outcome::Loads } else { if_read });
            }
        }
        found
    }

    /// Returns the number of a skill.
    fn number(&self, id: SkillId) -> Option<usize> {
        let path = self.catalog.file(self.catalog.skill(id).file).shown_path();
        self.numbers.get(&format!("{}{path}", self.top)).copied()
    }

    /// Returns the number of a skill outside the catalog that a link leads to.
    fn outside(&self, id: SkillId) -> Option<usize> {
        let file = self.catalog.file(self.catalog.skill(id).file);
        let Body::Symlink { target, resolution: Resolution::Outside } = &file.body else { return None };
        let target = target.to_string();
        let target = target.trim_start_matches("../");
        let leads = |path: &str| path.strip_prefix(target).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        self.numbers.iter().find(|(path, _)| leads(path)).map(|(_, number)| *number)
    }

    /// Compares the order of the skills that the forecast lists. If some list varies, the order must be unknown.
    fn compare_order(
        &self,
        forecast: &Forecast,
        case: &str,
        observed: &observation::Tree,
        varies: bool,
        cells: &mut Cells,
    ) {
        if forecast.roots.is_empty() {
            return;
        }
        let root = forecast.root(RootId(0));
        let order: Vec<usize> = root.listed.iter().filter_map(|&id| self.number(id)).collect();
        let mut seen = Vec::new();
        for &number in observed.listed.iter().filter(|number| order.contains(number)) {
            // A skill that a link reaches again counts once.
            if !seen.contains(&number) {
                seen.push(number);
            }
        }
        if varies {
            cells.add(case, "order", &root.is_ordered, &false);
        } else {
            cells.decide(case, "order", root.is_ordered && order == seen, || {
                format!("the forecast is {order:?} (known: {}), observed was {seen:?}", root.is_ordered)
            });
        }
    }
}
