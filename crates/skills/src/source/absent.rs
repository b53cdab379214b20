//! Files whose objects a repository lacks, such as those outside the cone of a sparse partial clone.

use std::collections::BTreeSet;

use super::store::Store;
use super::walk::Walked;
use super::{Damage, Error, read};
use crate::parallel;
use crate::roots::Owner;
use crate::snapshot::{Body, File, ObjectId, Role, Unread};

/// Returns the ids of the objects that a store lacks. Only their headers are read.
pub(super) fn of(store: &dyn Store, files: &[File]) -> BTreeSet<ObjectId> {
    let lacks = |damage: Damage| matches!(damage, Damage::Missing | Damage::NotFetched);
    let ids = parallel::map_init(
        files,
        || store.reader(),
        |reader, file| {
            let spot = file.has_text().then(|| read::spot(file)).filter(|spot| spot.id.is_some())?;
            match reader.content(&spot, 0) {
                Err(Error::Objects(bad)) if bad.iter().any(|bad| lacks(bad.damage)) => spot.id,
                _ => None,
            }
        },
    );
    ids.into_iter().flatten().collect()
}

/// Leaves the files with some ids unread. Without its text, a SKILL.md is no skill.
pub(super) fn leave(walked: &mut Walked, ids: &BTreeSet<ObjectId>) {
    let Walked { files, unread, .. } = walked;
    for file in files.iter_mut().filter(|file| file.has_text() && file.id.is_some_and(|id| ids.contains(&id))) {
        let message = "the repository lacks its object".to_owned();
        unread.push(Unread { path: file.path.clone(), owner: Owner::Repository, message });
        file.body = Body::NotFetched;
        if file.role == Role::Skill {
            file.role = Role::Other;
        }
    }
    unread.sort();
}
