//! Other spellings of the path of a root that macOS or Windows treat as the same path: there their files are in the
//! root, elsewhere nothing reads them. Only names are compared.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use bstr::{BStr, BString, ByteSlice};
use skilltree_front_matter::text;

use super::Error;
use super::find::Finder;
use super::store::{self, Entry, Kind, Spot};
use crate::name;
use crate::roots::{self, RootSet};
use crate::snapshot::{Body, File, Mode, Role};

/// Maximum spellings of one path that are followed (ours: 64).
const FOLLOWED: usize = 64;

/// The entries of a directory, by name as such a file system compares it.
type Names = Rc<HashMap<BString, Vec<Entry>>>;

/// A partial path to a root: its spelling, and its location. `None` if only a checkout can resolve it, as for a link.
struct Route {
    seen: BString,
    spot: Option<Spot>,
}

/// Returns the twins of the roots that exist and of those that the patterns name. The walk compares the names below a root: a
/// twin of another root that exists is left to it if files below that twin are `listed`.
pub(super) fn of(
    finder: &mut Finder<'_>,
    set: &RootSet,
    found: &BTreeSet<BString>,
    listed: &[File],
) -> Result<Vec<File>, Error> {
    let named = set.patterns.iter().filter(|pattern| !pattern.is_glob()).map(|pattern| pattern.glob.as_str().into());
    let roots: BTreeSet<BString> = named.chain(found.iter().cloned()).collect();
    let mut search = Search { finder, names: HashMap::new() };
    let (mut twins, mut compared) = (BTreeSet::new(), BTreeSet::new());
    for root in &roots {
        let of_root = search.twins(root.as_bstr())?;
        if found.contains(root) { &mut compared } else { &mut twins }.extend(of_root);
    }
    for file in listed {
        if compared.is_empty() {
            break;
        }
        let mut above = file.path.as_bstr();
        while !above.is_empty() {
            compared.remove(above);
            above = text::parent(above);
        }
    }
    twins.append(&mut compared);
    Ok(twins.into_iter().map(|twin| File::new(twin, Role::Twin, None, Body::Directory)).collect())
}

struct Search<'f, 'a> {
    finder: &'f mut Finder<'a>,
    names: HashMap<BString, Names>,
}

impl Search<'_, '_> {
    /// Returns the paths that such a file system treats as this one.
    fn twins(&mut self, root: &BStr) -> Result<Vec<BString>, Error> {
        let mut routes = vec![Route { seen: BString::default(), spot: Some(self.finder.top()) }];
        for component in root.split_str(b"/") {
            let mut next = Vec::new();
            for route in routes {
                let Some(spot) = &route.spot else {
                    next.push(route);
                    continue;
                };
                match self.names(spot) {
                    Ok(names) => {
                        let same = names.get(&name::on_disk(component.as_bstr())).into_iter().flatten();
                        next.extend(same.map(|entry| step(&route, spot, entry)));
                    }
                    Err(_) => next.push(Route { spot: None, ..route }),
                }
            }
            if next.len() > FOLLOWED {
                return Err(Error::TooManySpellings { path: root.to_owned(), limit: FOLLOWED });
            }
            routes = next;
        }
        let seen = routes.into_iter().map(|route| route.seen);
        Ok(seen.filter(|seen| !roots::is_within(root, seen.as_bstr())).collect())
    }

    fn names(&mut self, directory: &Spot) -> Result<Names, Error> {
        if let Some(names) = self.names.get(&directory.path) {
            return Ok(Rc::clone(names));
        }
        let mut names: HashMap<BString, Vec<Entry>> = HashMap::new();
        for entry in self.finder.children(directory)?.iter() {
            names.entry(name::on_disk(entry.name.as_bstr())).or_default().push(entry.clone());
        }
        let names = Rc::new(names);
        self.names.insert(directory.path.clone(), Rc::clone(&names));
        Ok(names)
    }
}

/// Extends a path by one name. A file ends the path, but still blocks the directory.
fn step(route: &Route, spot: &Spot, entry: &Entry) -> Route {
    let seen = store::join(route.seen.as_bstr(), entry.name.as_bstr());
    Route { seen, spot: (entry.kind == Kind::Known(Mode::Directory)).then(|| spot.child(entry)) }
}
