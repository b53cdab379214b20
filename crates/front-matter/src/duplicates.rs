//! Duplicate keys in a mapping.

use super::{Fault, Field, What};

/// Reports every duplicate key, with the first one.
pub(super) fn report(fields: &[Field], faults: &mut Vec<Fault>) {
    let mut order: Vec<&Field> = fields.iter().collect();
    order.sort_by(|a, b| a.key.value.cmp(&b.key.value));
    for equal in order.chunk_by(|a, b| a.key.value == b.key.value).filter(|equal| equal.len() > 1) {
        let (first, later) = (equal[0], &equal[1..]);
        faults.extend(later.iter().map(|field| Fault {
            what: What::DuplicateKey { key: field.key.value.clone(), first: first.key.place },
            place: field.key.place,
        }));
    }
}
