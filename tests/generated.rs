//! What is generated is committed, and this test says when it is out of date. To write it anew:
//! `SNAPSHOTS=overwrite cargo test --test generated`

use snapbox::assert_data_eq;
use snapbox::file;

#[test]
fn the_reference_of_the_rules_is_current() {
    assert_data_eq!(skilltree::rules::reference(), file!["../docs/rules.md"].raw());
}
