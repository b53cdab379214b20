//! The catalogue of rules: two lines a rule, in alphabetical order.

use crate::rule::Rule;

pub mod allowed_tools_with_commas;
pub mod bidi_control;
pub mod body_over_budget;
pub mod body_too_long;
pub mod broken_link;
pub mod broken_skill_link;
pub mod byte_order_mark;
pub mod carriage_return_line_ends;
pub mod colliding_paths;
pub mod compatibility_too_long;
pub mod conflicting_caps;
pub mod control_character;
pub mod deploy_drift;
pub mod description_not_a_string;
pub mod description_too_long;
pub mod description_without_trigger;
pub mod disputed_yaml;
pub mod drifted_copy;
pub mod duplicate_key;
pub mod duplicate_name;
pub mod easily_misread_name;
pub mod empty_body;
pub mod expired_ignore;
pub mod flat_skill_file;
pub mod front_matter_not_a_map;
pub mod hidden_instruction;
pub mod hidden_unicode;
pub mod identical_description;
pub mod ignore_without_reason;
pub mod invalid_configuration;
pub mod invalid_yaml;
pub mod knowledge_duplicate;
pub mod knowledge_hash_mismatch;
pub mod knowledge_malformed;
pub mod knowledge_rewritten;
pub mod knowledge_too_frequent;
pub mod knowledge_unknown_category;
pub mod leaked_secret;
pub mod lfs_pointer;
pub mod link_leaves_skill;
pub mod linked_skill;
pub mod listing_entry_too_long;
pub mod look_alike_name;
pub mod machine_path;
pub mod malformed_bindings;
pub mod malformed_fence;
pub mod malformed_name;
pub mod metadata_not_a_map;
pub mod metadata_value_not_a_string;
pub mod misnamed_skill_file;
pub mod missing_description;
pub mod missing_front_matter;
pub mod missing_name;
pub mod missing_roles;
pub mod missing_tags;
pub mod missing_when_to_use;
pub mod misspelled_key;
pub mod mixed_line_ends;
pub mod more_than_one_document;
pub mod name_differs_from_directory;
pub mod name_not_a_string;
pub mod name_too_long;
pub mod near_miss_root;
pub mod nested_skill;
pub mod no_skills_found;
pub mod not_a_root;
pub mod not_a_skill_file;
pub mod not_utf_8;
pub mod piped_download;
pub mod prompt_block_too_large;
pub mod prompt_breakout;
pub mod reserved_name;
pub mod root_too_large;
pub mod shadowed_skill;
pub mod short_description_too_long;
pub mod skill_file_in_root;
pub mod skill_file_too_large;
pub mod submodule_below_skill;
pub mod submodule_skill;
pub mod target_alters_skill;
pub mod target_drops_skill;
pub mod text_before_front_matter;
pub mod thread_over_budget;
pub mod too_deep_skill;
pub mod too_many_skills;
pub mod unclosed_code_fence;
pub mod unclosed_front_matter;
pub mod unknown_bound_skill;
pub mod unknown_key;
pub mod unknown_role;
pub mod unknown_rule;
pub mod unknown_scope;
pub mod unknown_setting;
pub mod unmatchable_tag;
pub mod unmerged_skill;
pub mod unportable_yaml;
pub mod unread_root;
pub mod unsafe_path;
pub mod untracked_skill;
pub mod unused_ignore;
pub mod value_cut_by_comment;
pub mod when_to_use_not_one_line;
pub mod wrong_case_link;
pub mod yaml_too_complex;

mod namesakes;
mod amacs;
mod several;
mod swarm;

/// Every rule, sorted by id.
pub static ALL: &[&Rule] = &[
    &allowed_tools_with_commas::RULE,
    &bidi_control::RULE,
    &body_over_budget::RULE,
    &body_too_long::RULE,
    &broken_link::RULE,
    &broken_skill_link::RULE,
    &byte_order_mark::RULE,
    &carriage_return_line_ends::RULE,
    &colliding_paths::RULE,
    &compatibility_too_long::RULE,
    &conflicting_caps::RULE,
    &control_character::RULE,
    &deploy_drift::RULE,
    &description_not_a_string::RULE,
    &description_too_long::RULE,
    &description_without_trigger::RULE,
    &disputed_yaml::RULE,
    &drifted_copy::RULE,
    &duplicate_key::RULE,
    &duplicate_name::RULE,
    &easily_misread_name::RULE,
    &empty_body::RULE,
    &expired_ignore::RULE,
    &flat_skill_file::RULE,
    &front_matter_not_a_map::RULE,
    &hidden_instruction::RULE,
    &hidden_unicode::RULE,
    &identical_description::RULE,
    &ignore_without_reason::RULE,
    &invalid_configuration::RULE,
    &invalid_yaml::RULE,
    &knowledge_duplicate::RULE,
    &knowledge_hash_mismatch::RULE,
    &knowledge_malformed::RULE,
    &knowledge_rewritten::RULE,
    &knowledge_too_frequent::RULE,
    &knowledge_unknown_category::RULE,
    &leaked_secret::RULE,
    &lfs_pointer::RULE,
    &link_leaves_skill::RULE,
    &linked_skill::RULE,
    &listing_entry_too_long::RULE,
    &look_alike_name::RULE,
    &machine_path::RULE,
    &malformed_bindings::RULE,
    &malformed_fence::RULE,
    &malformed_name::RULE,
    &metadata_not_a_map::RULE,
    &metadata_value_not_a_string::RULE,
    &misnamed_skill_file::RULE,
    &missing_description::RULE,
    &missing_front_matter::RULE,
    &missing_name::RULE,
    &missing_roles::RULE,
    &missing_tags::RULE,
    &missing_when_to_use::RULE,
    &misspelled_key::RULE,
    &mixed_line_ends::RULE,
    &more_than_one_document::RULE,
    &name_differs_from_directory::RULE,
    &name_not_a_string::RULE,
    &name_too_long::RULE,
    &near_miss_root::RULE,
    &nested_skill::RULE,
    &no_skills_found::RULE,
    &not_a_root::RULE,
    &not_a_skill_file::RULE,
    &not_utf_8::RULE,
    &piped_download::RULE,
    &prompt_block_too_large::RULE,
    &prompt_breakout::RULE,
    &reserved_name::RULE,
    &root_too_large::RULE,
    &shadowed_skill::RULE,
    &short_description_too_long::RULE,
    &skill_file_in_root::RULE,
    &skill_file_too_large::RULE,
    &submodule_below_skill::RULE,
    &submodule_skill::RULE,
    &target_alters_skill::RULE,
    &target_drops_skill::RULE,
    &text_before_front_matter::RULE,
    &thread_over_budget::RULE,
    &too_deep_skill::RULE,
    &too_many_skills::RULE,
    &unclosed_code_fence::RULE,
    &unclosed_front_matter::RULE,
    &unknown_bound_skill::RULE,
    &unknown_key::RULE,
    &unknown_role::RULE,
    &unknown_rule::RULE,
    &unknown_scope::RULE,
    &unknown_setting::RULE,
    &unmatchable_tag::RULE,
    &unmerged_skill::RULE,
    &unportable_yaml::RULE,
    &unread_root::RULE,
    &unsafe_path::RULE,
    &untracked_skill::RULE,
    &unused_ignore::RULE,
    &value_cut_by_comment::RULE,
    &when_to_use_not_one_line::RULE,
    &wrong_case_link::RULE,
    &yaml_too_complex::RULE,
];

/// The rule of that id.
pub fn find(id: &str) -> Option<&'static Rule> {
    ALL.binary_search_by(|rule| rule.id.cmp(id)).ok().map(|index| ALL[index])
}
