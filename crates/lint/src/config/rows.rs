//! Settings of skilltree.toml, one row each: its key with type and description, its reader, and its comparison with a base. The reader,
//! the schema and `loosened-policy` are made from the table.

use toml::de::DeTable;

use super::faults::Faults;
use super::keys::{self, Key, Value, key};
use super::loosened::{Changes, Loosened};
use super::settings::{self, Settings};
use super::table::Table;
use super::{Config, copies, exceptions, listing, require, routes};

/// A setting of the file.
struct Setting {
    key: Key,
    /// Reads the setting, and does nothing if the file does not have it.
    read: fn(&Table<'_>, &mut Config, &mut Settings, &mut Faults),
    /// Finds out whether the setting is looser than in a base.
    loosened: fn(&mut Changes<'_>, &Config, &Config),
}

/// The comparison of a setting that cannot hide a finding.
const NEVER: fn(&mut Changes<'_>, &Config, &Config) = |_, _, _| {};

/// The settings, in the order in which they are read: `[[require]]` defines rules that later settings name.
const FILE: &[Setting] = &[
    Setting {
        key: key("edition", Value::Edition, "Pins the rules and their severities; the default is the newest edition."),
        read: |file, config, _, faults| {
            let defaults = &mut config.levels.defaults;
            let edition = file.string("edition", faults).and_then(|word| settings::read_edition(&word, faults));
            defaults.edition = edition.unwrap_or(defaults.edition);
        },
        loosened: |changes, head, base| changes.edition(head, base),
    },
    Setting {
        key: key(
            settings::EXTENDS,
            Value::Path,
            "A policy in the same tree: its settings apply too, and this file may only add to them and tighten them.",
        ),
        read: |file, config, _, faults| config.extends = settings::read_extends(file, faults),
        loosened: |changes, head, base| changes.extends(head, base),
    },
    Setting {
        key: key(
            "min-severity",
            Value::Level,
            "The lowest severity that is shown; `note`, which shows everything, is the default.",
        ),
        read: |file, config, _, faults| {
            let word = file.string("min-severity", faults);
            config.min_severity = word.and_then(|word| exceptions::severity(&word, faults));
        },
        loosened: |changes, head, base| changes.min_severity(head, base),
    },
    Setting {
        key: key("targets", Value::ProfileList, "The runtimes that the skills must work in."),
        read: |file, config, _, faults| config.targets = settings::read_targets(file, &config.profiles, faults),
        loosened: |changes, head, base| changes.targets(head, base),
    },
    Setting {
        key: key(
            "root",
            Value::Tables(keys::ROOT),
            "A skills directory (its subdirectories are skills), or a glob that matches several.",
        ),
        read: |file, config, settings, faults| {
            settings.roots = settings::read_roots(file, &config.profiles, faults);
            settings.names_roots = !settings.roots.is_empty();
        },
        loosened: |changes, head, base| changes.roots(head, base),
    },
    Setting {
        key: key("exclude", Value::Paths, "Paths and globs that are not searched for skills, such as test data."),
        read: |file, _, settings, faults| settings.exclude = settings::read_exclude(file, "exclude", faults),
        loosened: |changes, head, base| changes.exclude(head, base),
    },
    Setting {
        key: key("error-on-empty", Value::Boolean, "Whether `check` fails if there are no skills."),
        read: |file, config, _, faults| {
            config.error_on_empty = file.boolean("error-on-empty", faults).unwrap_or(false);
        },
        loosened: |changes, head, base| changes.error_on_empty(head, base),
    },
    Setting {
        key: key("mirrors", Value::Groups, "Groups of skills directories that hold copies of the same skills."),
        read: |file, config, settings, faults| {
            config.copies.mirrors = copies::mirrors(file, &mut settings.roots, faults);
        },
        loosened: |changes, head, base| changes.mirrors(head, base),
    },
    Setting {
        key: key("deploy", Value::Tables(keys::DEPLOY), "A skills directory whose skills are copied to another one."),
        read: |file, config, settings, faults| {
            config.copies.deployments = copies::deployments(file, &mut settings.roots, faults);
        },
        loosened: |changes, head, base| changes.deployments(head, base),
    },
    Setting {
        key: key("versions", Value::Table(keys::VERSIONS), "What `version-not-bumped` compares."),
        read: |file, config, _, faults| {
            if let Some(table) = file.table("versions", "`[versions]`", faults) {
                config.versions = settings::read_versions(&table, faults);
            }
        },
        loosened: |changes, head, base| changes.versions(head, base),
    },
    Setting {
        key: key("limits", Value::Limits, "The limits that rules check."),
        read: |file, config, settings, faults| {
            if let Some(table) = file.table("limits", "`[limits]`", faults) {
                settings.cap = settings::read_limits(&table, config, faults);
            }
        },
        loosened: |changes, head, base| changes.limits(head, base),
    },
    Setting {
        key: key("prompt", Value::Table(keys::PROMPT), "Defaults for building the prompt block."),
        read: |file, config, _, faults| {
            if let Some(table) = file.table("prompt", "`[prompt]`", faults) {
                config.template = settings::read_template(&table, faults);
            }
        },
        loosened: NEVER,
    },
    Setting {
        key: key("profile", Value::OwnProfiles, "Profiles of runtimes, defined by the repository."),
        // They are read before all settings, which may name them.
        read: |_, _, _, _| {},
        loosened: NEVER,
    },
    Setting {
        key: key("listing", Value::Tables(keys::LISTING), "Files that list skills; they are compared with the skills."),
        read: |file, _, settings, faults| settings.lists = listing::read(file, faults),
        loosened: |changes, head, base| changes.lists(head, base),
    },
    Setting {
        key: key("require", Value::Tables(keys::REQUIRE), "Rules of the repository: conditions that skills must meet."),
        read: |file, config, _, faults| {
            config.requirements = require::read(file, faults);
            faults.own.extend(config.requirements.iter().map(|requirement| requirement.rule.clone()));
        },
        loosened: |changes, head, base| changes.requirements(head, base),
    },
    Setting {
        key: key(
            "route",
            Value::Tables(keys::ROUTE),
            "Tasks with the skills that must rank first; `check --test-routes` compares them.",
        ),
        read: |file, config, _, faults| config.routes = routes::read(file, faults),
        loosened: |changes, head, base| changes.routes(head, base),
    },
    Setting {
        key: key("rules", Value::Levels, "The severities of rules."),
        read: |file, config, _, faults| {
            if let Some(table) = file.table("rules", "`[rules]`", faults) {
                config.levels.set = exceptions::levels(&table, faults);
            }
        },
        loosened: |changes, head, base| changes.levels(head, base),
    },
    Setting {
        key: key(
            "override",
            Value::Tables(keys::OVERRIDE),
            "The severities of rules for some files; a later entry wins.",
        ),
        read: |file, config, _, faults| {
            let entries = file.tables("override", "`[[override]]`", faults);
            config.levels.overrides =
                entries.iter().filter_map(|table| exceptions::override_of(table, faults)).collect();
        },
        loosened: |changes, head, base| changes.overrides(head, base),
    },
    Setting {
        key: key("ignore", Value::Tables(keys::IGNORE), "Findings to ignore, each with a reason."),
        read: |file, config, _, faults| {
            let entries = file.tables("ignore", "`[[ignore]]`", faults);
            config.ignores = entries.iter().filter_map(|table| exceptions::ignore(table, faults)).collect();
        },
        loosened: |changes, head, base| changes.ignores(head, base),
    },
    Setting {
        key: key("default-roots", Value::Boolean, "Whether `.symphony/skills` and `.agent/skills` are read."),
        read: |file, _, settings, faults| {
            settings.default_roots = file.boolean("default-roots", faults).unwrap_or(true);
        },
        loosened: |changes, head, base| changes.default_roots(head, base),
    },
];

/// Returns the keys of the file.
pub fn keys() -> Vec<Key> {
    FILE.iter().map(|setting| setting.key).collect()
}

/// Reads the table of the file.
pub(super) fn read(entries: &DeTable<'_>, config: &mut Config, faults: &mut Faults) -> Settings {
    faults.settings = keys();
    let written = entries.keys().map(|key| key.get_ref().to_string()).collect();
    let mut settings = Settings { written, ..Settings::default() };
    let file = Table::new(entries);
    file.only(&keys::names(&keys()), faults);
    FILE.iter().for_each(|setting| (setting.read)(&file, config, &mut settings, faults));
    settings
}

/// Returns the settings of a configuration that are looser than in its base, by file and place.
pub fn loosened(head: &Config, base: &Config) -> Vec<Loosened> {
    let mut changes = Changes::new(head);
    FILE.iter().for_each(|setting| (setting.loosened)(&mut changes, head, base));
    changes.workflow(head, base);
    changes.sorted()
}
