//! What decides the result of a comparison, so that equal comparisons of a push run once.

use std::collections::BTreeMap;
use std::path::Path;

use skilltree_skills::snapshot::{ObjectId, Origin};
use skilltree_skills::source::Error;

use super::revision::resolve;
use super::{Opened, merge_base};
use crate::environment::Environment;

/// A revision and its base.
pub type Pair = (String, Option<String>);

/// What a comparison reads: two with the same inputs have the same result.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Inputs {
    /// The tree that is checked.
    pub tree: ObjectId,
    /// The trees of the merge bases; `None` without a base.
    pub bases: Option<Vec<ObjectId>>,
    /// The day of the commit in days since 1970, which decides whether an ignore has expired.
    pub day: Option<i64>,
    /// The commit; `None` for a tree.
    pub commit: Option<ObjectId>,
}

/// Returns the inputs of some comparisons; `None` where a revision cannot be read.
pub(crate) fn inputs(place: &Path, pairs: &[Pair], environment: &Environment) -> Result<Vec<Option<Inputs>>, Error> {
    let opened = Opened::new(place, environment)?;
    let mut known: BTreeMap<&Pair, Option<Inputs>> = BTreeMap::new();
    let inputs = pairs.iter().map(|pair| known.entry(pair).or_insert_with(|| inputs_of(&opened, pair)).clone());
    Ok(inputs.collect())
}

fn inputs_of(opened: &Opened, (revision, base): &Pair) -> Option<Inputs> {
    let found = resolve(&mut opened.objects.reader(), revision).ok()?;
    let head = Origin::Tree { revision: revision.clone(), commit: found.commit };
    let bases = match base {
        Some(base) => {
            let bases = merge_base::found(opened, base, &head).ok()?;
            Some(bases.into_iter().map(|base| base.tree).collect())
        }
        None => None,
    };
    let day = found.time.map(|seconds| seconds.div_euclid(86_400));
    Some(Inputs { tree: found.tree, bases, day, commit: found.commit })
}
