//! The page about formats of packages: what each runtime makes of each, from the files in `crates/runtimes/src/formats/`.

use std::fmt::Write;

use skilltree_runtimes::formats::{
    Effect, Entry, EntrySkills, FORMATS, Format, InRoot, Links, Marketplaces, OtherName, OwnSkill, Package, Qualified,
    Source, WithoutManifest,
};
use skilltree_runtimes::profile::Profiles;
use skilltree_runtimes::profile::files::Visit;
use skilltree_runtimes::profile::identity::IdentityBy;

const LEAD: &str = "# Formats of packages

<!-- Generated: edit crates/runtimes/src/formats/*.toml, then run SNAPSHOTS=overwrite cargo test --test it generated -->

Most public skills ship in a plugin, an extension, a marketplace or a collection. The same manifest means different things to different
runtimes. These tables are what skilltree checks against: each row follows runs of the program, or its source or documentation where
the last table says so. [Publish skills](publish.md) is the guide.
";

/// Returns the page.
pub(super) fn page() -> String {
    let profiles = Profiles::default();
    let title = |id: &str| profiles.find(id).map_or_else(|| id.to_owned(), |profile| profile.title.clone());
    let mut text = LEAD.to_owned();
    for format in &*FORMATS {
        write!(text, "\n## {}\n", format.title).unwrap_or_default();
        readers(&mut text, format, &title);
        marketplaces(&mut text, format, &title);
        evidence(&mut text, format, &title);
    }
    text
}

fn readers(text: &mut String, format: &Format, title: &dyn Fn(&str) -> String) {
    text.push_str("\n| runtime | manifest | without a manifest | key | searched | SKILL.md in a searched directory | SKILL.md next to the manifest | links | name |\n|---|---|---|---|---|---|---|---|---|\n");
    for package in &format.readers {
        let row = [
            title(&package.runtime),
            list(&package.manifests),
            without(package).to_owned(),
            key(package),
            searched(package),
            in_root(package).to_owned(),
            own_skill(package).to_owned(),
            links(package).to_owned(),
            name(package),
        ];
        writeln!(text, "| {} |", row.join(" | ")).unwrap_or_default();
    }
}

fn marketplaces(text: &mut String, format: &Format, title: &dyn Fn(&str) -> String) {
    if format.marketplaces.is_empty() {
        return;
    }
    text.push_str("\n| runtime | marketplace | list of skills in an entry | source without `./` | source with `./` | another name in the manifest |\n|---|---|---|---|---|---|\n");
    for marketplaces in &format.marketplaces {
        let row = [
            title(&marketplaces.runtime),
            list(&marketplaces.files),
            entry_skills(marketplaces).to_owned(),
            source(marketplaces.bare_source).to_owned(),
            source(marketplaces.dotted_source).to_owned(),
            match marketplaces.other_name {
                OtherName::Renames => "counts".to_owned(),
                OtherName::Refused => "nothing loads".to_owned(),
            },
        ];
        writeln!(text, "| {} |", row.join(" | ")).unwrap_or_default();
    }
}

fn evidence(text: &mut String, format: &Format, title: &dyn Fn(&str) -> String) {
    text.push_str("\n| runtime | version | source |\n|---|---|---|\n");
    for (runtime, evidence) in &format.evidence {
        let note = evidence.note.as_ref().map_or_else(String::new, |note| format!("; {note}"));
        let version = evidence.version.as_deref().unwrap_or_default();
        writeln!(text, "| {} | {version} | {}{note} |", title(runtime), evidence.source).unwrap_or_default();
    }
}

fn list(paths: &[String]) -> String {
    paths.iter().map(|path| format!("`{path}`")).collect::<Vec<_>>().join(", ")
}

fn without(package: &Package) -> &'static str {
    match package.without_manifest {
        WithoutManifest::Refused => "no package",
        WithoutManifest::Listed => "a package, if a marketplace lists it",
        WithoutManifest::Accepted => "a package",
        WithoutManifest::Skills => "a package, if it has `skills/`",
        WithoutManifest::OwnSkill => "a package, if it has a SKILL.md",
        WithoutManifest::Installer => "any repository",
    }
}

fn key(package: &Package) -> String {
    let Some(key) = &package.key else { return "none".to_owned() };
    let effect = match package.effect {
        Effect::Adds => "adds to",
        Effect::Replaces => "replaces",
    };
    let wrong = match package.entry {
        Entry::Any => "",
        Entry::Inside => "; a path that leaves the package loses it",
        Entry::Relative => "; a path without `./` is ignored",
        Entry::RelativeOnly => "; a path without `./` loses the package",
    };
    format!("`{key}` {effect} the default{wrong}")
}

fn searched(package: &Package) -> String {
    let steps = package.search.iter().map(|step| match step.plugins {
        true => "plugins".to_owned(),
        false => format!("{} (depth {})", step.paths.first().map_or("", String::as_str), step.depth),
    });
    let steps: Vec<String> = steps.collect();
    if !steps.is_empty() {
        return steps.join(", then ");
    }
    let depth = package.depth.map_or_else(|| "any depth".to_owned(), |depth| format!("depth {depth}"));
    let hidden = match package.hidden {
        Some(Visit::Read) => ", hidden directories, too",
        Some(Visit::Skipped) => ", no hidden directories",
        None => "",
    };
    format!(
        "{} at {depth}{hidden}",
        if package.default.is_empty() { "the key".to_owned() } else { list(&package.default) }
    )
}

fn in_root(package: &Package) -> &'static str {
    match package.in_root {
        InRoot::Alone => "hides its neighbors",
        InRoot::Beside => "loads like its neighbors",
        InRoot::Skipped => "is skipped",
    }
}

fn own_skill(package: &Package) -> &'static str {
    match package.own_skill {
        OwnSkill::Never => "is not read",
        OwnSkill::IfEmpty => "loads if there is no other skill",
        OwnSkill::WithoutOthers => "loads without `skills/` and the key",
        OwnSkill::Alone => "loads, and nothing else",
    }
}

fn links(package: &Package) -> &'static str {
    match package.links {
        Some(Links::Followed) => "followed",
        Some(Links::Inside) => "followed inside the package",
        Some(Links::Dropped) => "dropped",
        None => "",
    }
}

fn name(package: &Package) -> String {
    let by = match package.by {
        Some(IdentityBy::Directory) => "directory",
        Some(IdentityBy::Name) => "name",
        Some(IdentityBy::NameElseDirectory) => "name, else directory",
        None => "as in a skills directory",
    };
    match package.qualified {
        Qualified::Never => by.to_owned(),
        Qualified::Always | Qualified::Hyphenated => format!("`{}:`, then {by}", package_word(package)),
        Qualified::OnClash => format!("{by}; `{}:` before it if two have the name", package_word(package)),
    }
}

fn package_word(package: &Package) -> &'static str {
    if package.runtime == "qwen-code" { "EXTENSION" } else { "PLUGIN" }
}

fn entry_skills(marketplaces: &Marketplaces) -> &'static str {
    match marketplaces.skills {
        EntrySkills::Ignored => "ignored",
        EntrySkills::WithoutManifest => "replaces `skills/`, if there is no manifest",
        EntrySkills::Adds => "adds to `skills/`; at the top of the marketplace, replaces it",
    }
}

fn source(source: Source) -> &'static str {
    match source {
        Source::Top => "from the marketplace",
        Source::Normal => "from the marketplace, without `.` and `..`",
        Source::PluginRoot => "below `metadata.pluginRoot`",
        Source::PluginRootOrTop => "below `metadata.pluginRoot`, else from the marketplace",
        Source::Refused => "refused",
    }
}
