//! The catalogue of rules: two lines a rule, in alphabetical order.

use crate::rule::Rule;

pub mod byte_order_mark;
pub mod carriage_return_line_ends;
pub mod control_character;
pub mod description_not_a_string;
pub mod description_too_long;
pub mod disputed_yaml;
pub mod duplicate_key;
pub mod empty_body;
pub mod front_matter_not_a_map;
pub mod invalid_configuration;
pub mod invalid_yaml;
pub mod lfs_pointer;
pub mod malformed_fence;
pub mod malformed_name;
pub mod missing_description;
pub mod missing_front_matter;
pub mod missing_name;
pub mod mixed_line_ends;
pub mod more_than_one_document;
pub mod name_differs_from_directory;
pub mod name_not_a_string;
pub mod name_too_long;
pub mod not_utf_8;
pub mod text_before_front_matter;
pub mod unclosed_front_matter;
pub mod unknown_rule;
pub mod unknown_setting;
pub mod unportable_yaml;
pub mod value_cut_by_comment;
pub mod when_to_use_not_one_line;
pub mod yaml_too_complex;

pub mod page;
mod reference;

pub use reference::reference;

/// Every rule, sorted by id.
pub static ALL: &[&Rule] = &[
    &byte_order_mark::RULE,
    &carriage_return_line_ends::RULE,
    &control_character::RULE,
    &description_not_a_string::RULE,
    &description_too_long::RULE,
    &disputed_yaml::RULE,
    &duplicate_key::RULE,
    &empty_body::RULE,
    &front_matter_not_a_map::RULE,
    &invalid_configuration::RULE,
    &invalid_yaml::RULE,
    &lfs_pointer::RULE,
    &malformed_fence::RULE,
    &malformed_name::RULE,
    &missing_description::RULE,
    &missing_front_matter::RULE,
    &missing_name::RULE,
    &mixed_line_ends::RULE,
    &more_than_one_document::RULE,
    &name_differs_from_directory::RULE,
    &name_not_a_string::RULE,
    &name_too_long::RULE,
    &not_utf_8::RULE,
    &text_before_front_matter::RULE,
    &unclosed_front_matter::RULE,
    &unknown_rule::RULE,
    &unknown_setting::RULE,
    &unportable_yaml::RULE,
    &value_cut_by_comment::RULE,
    &when_to_use_not_one_line::RULE,
    &yaml_too_complex::RULE,
];

/// The rule of that id.
pub fn find(id: &str) -> Option<&'static Rule> {
    ALL.binary_search_by(|rule| rule.id.cmp(id)).ok().map(|index| ALL[index])
}
