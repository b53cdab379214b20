//! Other spellings of the way to a root that macOS or Windows take for the same one: what they hold is in the root there, and
//! nobody else reads it. Names alone are looked at.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use bstr::{BStr, BString, ByteSlice};

use super::Error;
use super::find::Finder;
use super::store::{self, Entry, Kind, Spot};
use crate::name;
use crate::roots::{self, RootSet};
use crate::snapshot::{Body, File, Mode, Role};

/// Spellings of one way that are followed (ours: 64). Each of them is an error, and one is enough to say so.
const FOLLOWED: usize = 64;

/// The entries of a directory by how such a disk compares their names.
type Names = Rc<HashMap<BString, Vec<Entry>>>;

/// A way to a root, as far as it was followed: the path as it is spelled there, and where that is. `None` where it leads on
/// in a way that only a checkout can tell, as a link does.
struct Way {
    seen: BString,
    spot: Option<Spot>,
}

/// The twins of the roots that were found and of those that the patterns name.
pub(super) fn of(finder: &mut Finder<'_>, set: &RootSet, found: &BTreeSet<BString>) -> Vec<File> {
    let named = set.patterns.iter().filter(|pattern| !pattern.is_glob()).map(|pattern| pattern.glob.as_str().into());
    let roots: BTreeSet<BString> = named.chain(found.iter().cloned()).collect();
    let mut search = Search { finder, names: HashMap::new() };
    let twins: BTreeSet<BString> = roots.iter().flat_map(|root| search.twins(root.as_bstr())).collect();
    // What lies in a root is listed there, and compared with all of it.
    let twins = twins.into_iter().filter(|twin| !lies_in(twin, found));
    twins.map(|twin| File::new(twin, Role::Twin, None, Body::Directory)).collect()
}

/// Whether a path is a root or lies in one.
fn lies_in(path: &BString, roots: &BTreeSet<BString>) -> bool {
    let ends = path.find_iter(b"/").chain([path.len()]);
    ends.map(|end| path[..end].as_bstr()).any(|above| roots.contains(above))
}

struct Search<'f, 'a> {
    finder: &'f mut Finder<'a>,
    names: HashMap<BString, Names>,
}

impl Search<'_, '_> {
    /// The paths that such a disk takes for this one.
    fn twins(&mut self, root: &BStr) -> Vec<BString> {
        let mut ways = vec![Way { seen: BString::default(), spot: Some(self.finder.top()) }];
        for component in root.split_str(b"/") {
            let mut next = Vec::new();
            for way in ways {
                let Some(spot) = &way.spot else {
                    next.push(way);
                    continue;
                };
                match self.names(spot) {
                    Ok(names) => {
                        let same = names.get(&name::on_disk(component.as_bstr())).into_iter().flatten();
                        next.extend(same.map(|entry| step(&way, spot, entry)));
                    }
                    Err(_) => next.push(Way { spot: None, ..way }),
                }
            }
            // The way as it was named comes first, and is followed in any case.
            next.sort_by_key(|way| !roots::is_within(root, way.seen.as_bstr()));
            next.truncate(FOLLOWED);
            ways = next;
        }
        let seen = ways.into_iter().map(|way| way.seen);
        seen.filter(|seen| !roots::is_within(root, seen.as_bstr())).collect()
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

/// One name further. A file leads nowhere, and yet stands in the way of the directory.
fn step(way: &Way, spot: &Spot, entry: &Entry) -> Way {
    let seen = store::join(way.seen.as_bstr(), entry.name.as_bstr());
    Way { seen, spot: (entry.kind == Kind::Known(Mode::Directory)).then(|| spot.child(entry)) }
}
