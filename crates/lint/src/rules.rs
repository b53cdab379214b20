//! The rule catalog: two lines per rule, in alphabetical order.

use crate::rule::Rule;

pub(crate) mod allowed_tools_with_commas;
pub(crate) mod authority_widened;
pub(crate) mod bidi_control;
pub(crate) mod body_over_budget;
pub(crate) mod body_too_long;
pub(crate) mod broken_anchor;
pub(crate) mod broken_link;
pub(crate) mod broken_reference;
pub(crate) mod broken_skill_link;
pub(crate) mod byte_order_mark;
pub(crate) mod cr_line_endings;
pub(crate) mod colliding_paths;
pub(crate) mod command_in_example;
pub(crate) mod command_needs_approval;
pub(crate) mod command_not_run;
pub(crate) mod command_without_file;
pub(crate) mod compatibility_too_long;
pub(crate) mod conflict_marker;
pub(crate) mod conflicting_caps;
pub(crate) mod control_character;
pub(crate) mod control_character_in_body;
pub(crate) mod dead_plugin_path;
pub(crate) mod deploy_drift;
pub(crate) mod description_not_a_string;
pub(crate) mod description_too_long;
pub(crate) mod description_without_trigger;
pub(crate) mod disabled_skill_reference;
pub(crate) mod disputed_yaml;
pub(crate) mod drifted_copy;
pub(crate) mod duplicate_key;
pub(crate) mod duplicate_name;
pub(crate) mod easily_misread_name;
pub(crate) mod empty_body;
pub(crate) mod empty_compatibility;
pub(crate) mod executed_front_matter;
pub(crate) mod expired_ignore;
pub(crate) mod flat_skill_file;
pub(crate) mod front_matter_not_a_mapping;
pub(crate) mod hidden_instruction;
pub(crate) mod hidden_skills;
pub(crate) mod hidden_unicode;
pub(crate) mod identical_description;
pub(crate) mod ignore_without_reason;
pub(crate) mod ignored_hook;
pub(crate) mod ignored_plugin_hook;
pub(crate) mod ignored_plugin_server;
pub(crate) mod ineffective_agent;
pub(crate) mod ineffective_entry_version;
pub(crate) mod ineffective_openai_yaml;
pub mod invalid_configuration;
pub(crate) mod invalid_yaml;
pub(crate) mod key_of_another_format;
pub(crate) mod knowledge_duplicate;
pub(crate) mod knowledge_hash_mismatch;
pub(crate) mod knowledge_malformed;
pub(crate) mod knowledge_rewritten;
pub(crate) mod knowledge_too_frequent;
pub(crate) mod knowledge_unknown_category;
pub(crate) mod leaked_secret;
pub(crate) mod lfs_pointer;
pub(crate) mod link_leaves_plugin;
pub(crate) mod link_leaves_skill;
pub(crate) mod linked_skill;
pub(crate) mod listing_entry_too_long;
pub(crate) mod locked_skill_changed;
pub(crate) mod look_alike_name;
pub(crate) mod loosened_policy;
pub(crate) mod machine_path;
pub(crate) mod malformed_bindings;
pub(crate) mod malformed_fence;
pub(crate) mod malformed_name;
pub(crate) mod malformed_tool_pattern;
pub(crate) mod metadata_not_a_mapping;
pub(crate) mod metadata_value_not_a_string;
pub(crate) mod misnamed_requirement;
pub(crate) mod misnamed_skill_file;
pub(crate) mod misplaced_openai_yaml;
pub(crate) mod misplaced_plugin_part;
pub(crate) mod missing_description;
pub(crate) mod missing_front_matter;
pub(crate) mod missing_name;
pub(crate) mod missing_roles;
pub(crate) mod missing_tags;
pub(crate) mod missing_when_to_use;
pub(crate) mod misspelled_key;
pub(crate) mod misspelled_model;
pub(crate) mod misspelled_tool;
pub(crate) mod mixed_line_endings;
pub(crate) mod model_invocation_not_disabled;
pub(crate) mod more_than_one_document;
pub(crate) mod name_differs_from_directory;
pub(crate) mod name_not_a_string;
pub(crate) mod name_too_long;
pub(crate) mod near_identical_description;
pub(crate) mod near_miss_root;
pub(crate) mod nested_skill;
pub(crate) mod no_skills_checked;
pub(crate) mod no_skills_found;
pub(crate) mod not_a_root;
pub(crate) mod not_a_skill_file;
mod not_utf_8;
pub(crate) mod offered_project_skill;
pub(crate) mod piped_download;
pub mod placeholder_text;
pub(crate) mod possible_secret;
pub(crate) mod prompt_block_too_large;
pub(crate) mod prompt_breakout;
pub(crate) mod replaced_variable;
pub(crate) mod reserved_name;
pub(crate) mod root_too_large;
pub(crate) mod script_not_executable;
pub(crate) mod script_waits_for_input;
pub(crate) mod shadowed_skill;
pub(crate) mod shifted_arguments;
pub(crate) mod short_description_too_long;
pub(crate) mod skill_file_in_root;
pub(crate) mod skill_file_too_large;
pub(crate) mod stale_entry;
pub(crate) mod submodule_below_skill;
pub(crate) mod submodule_skill;
pub(crate) mod target_changes_skill;
pub(crate) mod target_drops_skill;
pub(crate) mod text_before_front_matter;
pub(crate) mod text_read_as_key;
pub(crate) mod thread_over_budget;
pub(crate) mod too_deep_skill;
pub(crate) mod too_many_skills;
pub(crate) mod unchecked_skills;
pub(crate) mod unclosed_code_fence;
pub(crate) mod unclosed_front_matter;
pub(crate) mod undeclared_plugin_option;
pub(crate) mod unexpanded_placeholder;
pub(crate) mod uninstalled_file;
pub(crate) mod unknown_agent_skill;
pub(crate) mod unknown_bound_skill;
pub(crate) mod unknown_fork_agent;
pub(crate) mod unknown_key;
pub(crate) mod unknown_plugin_skill;
pub(crate) mod unknown_role;
pub(crate) mod unknown_rule;
pub(crate) mod unknown_scope;
pub(crate) mod unknown_setting;
pub(crate) mod unknown_skill_reference;
pub(crate) mod unlisted_plugin;
pub(crate) mod unlisted_skill;
pub(crate) mod unmatchable_tag;
pub(crate) mod unmerged_skill;
pub(crate) mod unordered_entries;
pub(crate) mod unportable_yaml;
pub(crate) mod unpublished_skill;
pub(crate) mod unqualified_server_tool;
pub(crate) mod unread_listing;
pub(crate) mod unread_reference_file;
pub(crate) mod unread_root;
pub(crate) mod unreferenced_file;
pub(crate) mod unsafe_path;
pub(crate) mod unstartable_skill;
pub(crate) mod untracked_plugin_skill;
pub mod untracked_skill;
pub(crate) mod unusable_plugin_manifest;
pub(crate) mod unusable_settings;
pub(crate) mod unused_ignore;
pub(crate) mod value_cut_by_comment;
pub(crate) mod version_not_bumped;
pub(crate) mod when_to_use_not_one_line;
pub(crate) mod wrong_case_link;
pub(crate) mod yaml_too_complex;

mod listed;
pub(crate) mod namesakes;
mod misspelled;
mod nested;
mod unchecked;
pub(crate) mod amacs;
mod acting;
mod blocks;
mod rarely_used;
mod prose;
pub(crate) mod required;
mod manifests;
mod matchers;
pub(crate) mod several;
pub(crate) mod skill_outside_plugin;
pub(crate) mod swarm;
mod taken;

/// All rules, sorted by id.
pub static ALL: &[&Rule] = &[
    &allowed_tools_with_commas::RULE,
    &authority_widened::RULE,
    &bidi_control::RULE,
    &body_over_budget::RULE,
    &body_too_long::RULE,
    &broken_anchor::RULE,
    &broken_link::RULE,
    &broken_reference::RULE,
    &broken_skill_link::RULE,
    &byte_order_mark::RULE,
    &colliding_paths::RULE,
    &command_in_example::RULE,
    &command_needs_approval::RULE,
    &command_not_run::RULE,
    &command_without_file::RULE,
    &compatibility_too_long::RULE,
    &conflict_marker::RULE,
    &conflicting_caps::RULE,
    &control_character::RULE,
    &control_character_in_body::RULE,
    &cr_line_endings::RULE,
    &dead_plugin_path::RULE,
    &deploy_drift::RULE,
    &description_not_a_string::RULE,
    &description_too_long::RULE,
    &description_without_trigger::RULE,
    &disabled_skill_reference::RULE,
    &disputed_yaml::RULE,
    &drifted_copy::RULE,
    &duplicate_key::RULE,
    &duplicate_name::RULE,
    &easily_misread_name::RULE,
    &empty_body::RULE,
    &empty_compatibility::RULE,
    &executed_front_matter::RULE,
    &expired_ignore::RULE,
    &flat_skill_file::RULE,
    &front_matter_not_a_mapping::RULE,
    &hidden_instruction::RULE,
    &hidden_skills::RULE,
    &hidden_unicode::RULE,
    &identical_description::RULE,
    &ignore_without_reason::RULE,
    &ignored_hook::RULE,
    &ignored_plugin_hook::RULE,
    &ignored_plugin_server::RULE,
    &ineffective_agent::RULE,
    &ineffective_entry_version::RULE,
    &ineffective_openai_yaml::RULE,
    &invalid_configuration::RULE,
    &invalid_yaml::RULE,
    &key_of_another_format::RULE,
    &knowledge_duplicate::RULE,
    &knowledge_hash_mismatch::RULE,
    &knowledge_malformed::RULE,
    &knowledge_rewritten::RULE,
    &knowledge_too_frequent::RULE,
    &knowledge_unknown_category::RULE,
    &leaked_secret::RULE,
    &lfs_pointer::RULE,
    &link_leaves_plugin::RULE,
    &link_leaves_skill::RULE,
    &linked_skill::RULE,
    &listing_entry_too_long::RULE,
    &locked_skill_changed::RULE,
    &look_alike_name::RULE,
    &loosened_policy::RULE,
    &machine_path::RULE,
    &malformed_bindings::RULE,
    &malformed_fence::RULE,
    &malformed_name::RULE,
    &malformed_tool_pattern::RULE,
    &metadata_not_a_mapping::RULE,
    &metadata_value_not_a_string::RULE,
    &misnamed_requirement::RULE,
    &misnamed_skill_file::RULE,
    &misplaced_openai_yaml::RULE,
    &misplaced_plugin_part::RULE,
    &missing_description::RULE,
    &missing_front_matter::RULE,
    &missing_name::RULE,
    &missing_roles::RULE,
    &missing_tags::RULE,
    &missing_when_to_use::RULE,
    &misspelled_key::RULE,
    &misspelled_model::RULE,
    &misspelled_tool::RULE,
    &mixed_line_endings::RULE,
    &model_invocation_not_disabled::RULE,
    &more_than_one_document::RULE,
    &name_differs_from_directory::RULE,
    &name_not_a_string::RULE,
    &name_too_long::RULE,
    &near_identical_description::RULE,
    &near_miss_root::RULE,
    &nested_skill::RULE,
    &no_skills_checked::RULE,
    &no_skills_found::RULE,
    &not_a_root::RULE,
    &not_a_skill_file::RULE,
    &not_utf_8::RULE,
    &offered_project_skill::RULE,
    &piped_download::RULE,
    &placeholder_text::RULE,
    &possible_secret::RULE,
    &prompt_block_too_large::RULE,
    &prompt_breakout::RULE,
    &replaced_variable::RULE,
    &reserved_name::RULE,
    &root_too_large::RULE,
    &script_not_executable::RULE,
    &script_waits_for_input::RULE,
    &shadowed_skill::RULE,
    &shifted_arguments::RULE,
    &short_description_too_long::RULE,
    &skill_file_in_root::RULE,
    &skill_file_too_large::RULE,
    &skill_outside_plugin::RULE,
    &stale_entry::RULE,
    &submodule_below_skill::RULE,
    &submodule_skill::RULE,
    &target_changes_skill::RULE,
    &target_drops_skill::RULE,
    &text_before_front_matter::RULE,
    &text_read_as_key::RULE,
    &thread_over_budget::RULE,
    &too_deep_skill::RULE,
    &too_many_skills::RULE,
    &unchecked_skills::RULE,
    &unclosed_code_fence::RULE,
    &unclosed_front_matter::RULE,
    &undeclared_plugin_option::RULE,
    &unexpanded_placeholder::RULE,
    &uninstalled_file::RULE,
    &unknown_agent_skill::RULE,
    &unknown_bound_skill::RULE,
    &unknown_fork_agent::RULE,
    &unknown_key::RULE,
    &unknown_plugin_skill::RULE,
    &unknown_role::RULE,
    &unknown_rule::RULE,
    &unknown_scope::RULE,
    &unknown_setting::RULE,
    &unknown_skill_reference::RULE,
    &unlisted_plugin::RULE,
    &unlisted_skill::RULE,
    &unmatchable_tag::RULE,
    &unmerged_skill::RULE,
    &unordered_entries::RULE,
    &unportable_yaml::RULE,
    &unpublished_skill::RULE,
    &unqualified_server_tool::RULE,
    &unread_listing::RULE,
    &unread_reference_file::RULE,
    &unread_root::RULE,
    &unreferenced_file::RULE,
    &unsafe_path::RULE,
    &unstartable_skill::RULE,
    &untracked_plugin_skill::RULE,
    &untracked_skill::RULE,
    &unusable_plugin_manifest::RULE,
    &unusable_settings::RULE,
    &unused_ignore::RULE,
    &value_cut_by_comment::RULE,
    &version_not_bumped::RULE,
    &when_to_use_not_one_line::RULE,
    &wrong_case_link::RULE,
    &yaml_too_complex::RULE,
];

/// Returns the rule with an id.
pub fn find(id: &str) -> Option<&'static Rule> {
    ALL.binary_search_by(|rule| rule.id().cmp(id)).ok().map(|index| ALL[index])
}
