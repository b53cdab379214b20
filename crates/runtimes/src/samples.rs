//! Catalogs for tests: of files in memory, and of fields for tests that do not concern the parser.

use bstr::{BString, ByteSlice};

use crate::catalog::Catalog;
use skilltree_front_matter::text::{FileId, Place, Spanned, file_name, parent};
use skilltree_front_matter::{Bounds, Field, FrontMatter, Node, NodeKind, ScalarKind, Style};
use skilltree_skills::records::Records;
use skilltree_skills::roots::{Owner, Root, RootId, RootPattern, RootSet, is_within};
use skilltree_skills::skill::{Agreement, BodyFacts, Parsed, References, Skill, sort};
use skilltree_skills::snapshot::{Body, File, ObjectId, Origin, Role};
use skilltree_skills::source::{self, Content, Entry};

/// Path, profile, and the index of the wildcard pattern that matched, if any.
pub type RootSample = (&'static str, &'static str, Option<u32>);

/// Only Symphony's root.
pub const SYMPHONY: &[RootSample] = &[(".symphony/skills", "symphony", None)];

/// Both of the default roots.
pub const BOTH: &[RootSample] = &[(".symphony/skills", "symphony", None), (".agent/skills", "agentskills", None)];

/// Reads files in memory as a repository is read. Each pattern names skills directories of Agent Skills, at any depth.
pub fn read<'a>(patterns: &[&str], files: impl IntoIterator<Item = (String, &'a str)>) -> Catalog {
    let set = RootSet {
        patterns: patterns.iter().map(|glob| RootPattern::configured(glob, "agentskills")).collect(),
        depth: 20,
        files: 100_000,
        file_bytes: 1 << 20,
        follows_links: true,
        ..RootSet::default()
    };
    let entry = |(path, text): (String, &str)| Entry { path: path.into(), content: Content::File(text.into()) };
    let source = source::memory(Origin::Memory, files.into_iter().map(entry).collect());
    Catalog::new(source.read(&set, Bounds::NONE).expect("files in memory can be read"))
}

/// Builds a catalog from paths and fields as text. `[a, b]` is a list.
pub fn catalog(roots: &[RootSample], skills: &[(&str, &[(&str, &str)])]) -> Catalog {
    let roots: Vec<Root> = (0u32..).zip(roots).map(|(number, sample)| root(number, sample)).collect();
    let mut paths: Vec<usize> = (0..skills.len()).collect();
    paths.sort_by_key(|&number| skills[number].0);
    let mut parsed = Parsed {
        origin: Origin::Memory,
        time: None,
        roots,
        files: Vec::new(),
        skills: Vec::with_capacity(skills.len()),
        flat: Vec::new(),
        misnamed: Vec::new(),
        records: Records::default(),
        agents: Default::default(),
        definitions: Vec::new(),
        commands: Vec::new(),
        manifests: Default::default(),
        settings: Vec::new(),
        unsearched: None,
        unread: Vec::new(),
        edited: Vec::new(),
        gains: Vec::new(),
        lists: Vec::new(),
        sizes: std::collections::BTreeMap::new(),
    };
    for (number, &sample) in (0u32..).zip(&paths) {
        let (path, fields) = skills[sample];
        let root = parsed.roots.iter().position(|root| is_within(path.into(), root.path.as_bstr()));
        let root = RootId(root.expect("a sample is in a root") as u32);
        let mut file = File::new(path, Role::Skill, Some(root), Body::NotRead);
        file.id = Some(ObjectId::new(&[number as u8; 20]));
        parsed.skills.push(skill(FileId(number), &file.path, &parsed.roots[root.index()], root, fields));
        parsed.files.push(file);
    }
    sort(&mut parsed.skills, &parsed.files);
    Catalog::new(parsed)
}

fn root(number: u32, &(path, profile, pattern): &RootSample) -> Root {
    Root {
        path: path.into(),
        owner: Owner::Repository,
        profile: profile.to_owned(),
        depth: (profile == "symphony").then_some(1),
        pattern: pattern.unwrap_or(number),
        configured: true,
        matched: pattern.is_some(),
        package: None,
        ..Root::default()
    }
}

fn skill(file: FileId, path: &BString, root: &Root, number: RootId, fields: &[(&str, &str)]) -> Skill {
    let directory = parent(path.as_bstr());
    let below = directory.strip_prefix(root.path.as_bytes()).unwrap_or_default().trim_start_with(|at| at == '/');
    let fields = fields.iter().map(|(key, value)| field(file, key, value)).collect();
    Skill {
        file,
        root: number,
        directory: file_name(directory).to_owned(),
        depth: below.split_str("/").filter(|name| !name.is_empty()).count() as u32,
        front_matter: Some(FrontMatter {
            fields: Some(fields),
            opener: Place::new(file, 0..3),
            yaml: Place::new(file, 4..40),
            repeated: None,
            comments: Vec::new(),
            is_usual: true,
        }),
        body: Some(BodyFacts { lines: 2, chars: 13, ..BodyFacts::default() }),
        faults: Vec::new(),
        ignores: Vec::new(),
        references: References::default(),
        answers: Vec::new(),
        header: BString::default(),
        agreement: Agreement::default(),
    }
}

fn field(file: FileId, key: &str, value: &str) -> Field {
    let place = Place::new(file, 10..20);
    let text = |text: &str| NodeKind::Scalar { text: text.to_owned(), style: Style::Plain, kind: ScalarKind::Text };
    let item = |item: &str| Node { kind: text(item), place };
    let kind = match value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(list) => NodeKind::List(list.split(", ").map(item).collect()),
        None => text(value),
    };
    Field { key: Spanned { value: key.to_owned(), place }, value: Node { kind, place } }
}
