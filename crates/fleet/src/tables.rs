//! The tables of a fleet: the one definition of their columns, for Parquet, JSON Lines, Arrow and the JSON Schema.

use std::sync::Arc;

use serde_json::{Value as Json, json};

/// The name of the schema of the tables. A later release may add columns; another meaning gets another name.
pub const SCHEMA: &str = "skilltree/fleet/v1";

/// A table with one row per skill, finding, forecast or repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Table {
    /// One row per skill.
    Skills,
    /// One row per place of a finding.
    Findings,
    /// One row per skill and runtime that reads its skills directory.
    Forecast,
    /// One row per link or path in a Markdown file of a skill.
    References,
    /// One row per package and runtime that finds it.
    Packages,
    /// One row per package, runtime that finds it and skill in it.
    PackagedSkills,
    /// One row per repository.
    Runs,
}

/// A column of a [`Table`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The name.
    pub name: &'static str,
    /// The type of its values.
    pub kind: Kind,
    /// Whether a value can be missing.
    pub nullable: bool,
    /// What the values are.
    pub description: &'static str,
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// UTF-8 text.
    Text,
    /// A whole number of 64 bits.
    Integer,
    /// A floating-point number of 64 bits.
    Number,
    /// True or false.
    Boolean,
}

/// A value of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// No value.
    Null,
    /// A value of [`Kind::Text`].
    Text(Arc<str>),
    /// A value of [`Kind::Integer`].
    Integer(i64),
    /// A value of [`Kind::Number`].
    Number(f64),
    /// A value of [`Kind::Boolean`].
    Boolean(bool),
}

/// The values of a row, in the order of [`Table::columns`].
pub type Row = Vec<Value>;

/// The rows of one repository.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    tables: [Vec<Row>; Table::ALL.len()],
}

impl Rows {
    /// Returns the rows of a table.
    #[must_use]
    pub fn table(&self, table: Table) -> &[Row] {
        &self.tables[table as usize]
    }

    /// Returns the rows of a table, to add some.
    pub fn table_mut(&mut self, table: Table) -> &mut Vec<Row> {
        &mut self.tables[table as usize]
    }

    /// Returns the name of the repository.
    pub fn repository(&self) -> Option<&str> {
        self.run("repository").text()
    }

    /// Returns a value of the row of the table `runs`.
    pub fn run(&self, column: &str) -> &Value {
        let position = Table::Runs.position(column);
        self.table(Table::Runs).first().and_then(|row| row.get(position)).unwrap_or(&Value::Null)
    }

    /// Returns whether the repository was read, or has no commit.
    #[must_use]
    pub fn is_read(&self) -> bool {
        matches!(self.run("status").text(), Some("read" | "empty"))
    }

    /// Returns about how many bytes the rows take in memory. Text that rows share counts in each.
    pub fn bytes(&self) -> usize {
        let bytes = |value: &Value| size_of::<Value>() + value.text().map_or(0, str::len);
        self.tables.iter().flatten().map(|row| row.iter().map(bytes).sum::<usize>()).sum()
    }
}

impl Value {
    /// Creates text.
    pub fn of(text: impl AsRef<str>) -> Self {
        Self::Text(Arc::from(text.as_ref()))
    }

    /// Creates text, or no value.
    pub fn maybe(text: Option<impl AsRef<str>>) -> Self {
        text.map_or(Self::Null, Self::of)
    }

    /// Returns the text; `None` for another value.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }
}

const fn column(name: &'static str, kind: Kind, description: &'static str) -> Column {
    Column { name, kind, nullable: false, description }
}

const fn nullable(name: &'static str, kind: Kind, description: &'static str) -> Column {
    Column { name, kind, nullable: true, description }
}

const REPOSITORY: Column = column("repository", Kind::Text, "The repository, as the list of repositories names it.");
const COMMIT: Column = nullable("commit", Kind::Text, "The id of the commit; null if the revision names a tree.");
const PATH: Column =
    column("path", Kind::Text, "The path in the repository. A byte that is not UTF-8 is \\xNN, for example \\xff.");

const RUNTIME: Column = column("runtime", Kind::Text, "The id of the runtime's profile.");
const DIRECTORY: Column = column("directory", Kind::Text, "The directory of the package; empty for the top.");
const PACKAGE: Column =
    nullable("package", Kind::Text, "The name of the package; null if it is the name of the repository's directory.");

const SKILLS: &[Column] = &[
    REPOSITORY,
    COMMIT,
    column("root", Kind::Text, "The skills directory."),
    column("path", Kind::Text, "The path of the SKILL.md, in the same form as all paths."),
    nullable("blob", Kind::Text, "The id of the SKILL.md."),
    nullable("name", Kind::Text, "The name in the front matter; null if there is none or it cannot be read."),
    nullable("description", Kind::Text, "The description in the front matter, with secrets redacted."),
    nullable(
        "digest",
        Kind::Text,
        "SHA-256 of the paths, modes and object ids of all files in the skill directory: equal for equal skills.",
    ),
    column("tokens", Kind::Integer, "The estimated tokens of the body: one per four characters."),
    column("accepted", Kind::Boolean, "Whether no error keeps the skill out of a prompt block."),
];

const FINDINGS: &[Column] = &[
    REPOSITORY,
    COMMIT,
    PATH,
    column("rule", Kind::Text, "The id of the rule."),
    column("severity", Kind::Text, "error, warning or note."),
    column("message", Kind::Text, "The fact, in one line, with secrets redacted."),
    column("line", Kind::Integer, "The line, from 1."),
    column("column", Kind::Integer, "The column in Unicode code points, from 1."),
    column("fingerprint", Kind::Text, "Identifies the finding in the repository after its lines moved."),
];

const FORECAST: &[Column] = &[
    REPOSITORY,
    PATH,
    RUNTIME,
    column(
        "outcome",
        Kind::Text,
        "loads, changes, drops or unknown; a runtime that does not read the directory has no row.",
    ),
    nullable("reason", Kind::Text, "Why, unless it loads unchanged."),
];

const REFERENCES: &[Column] = &[
    REPOSITORY,
    COMMIT,
    column("path", Kind::Text, "The path of the Markdown file of the skill, in the same form as all paths."),
    column("line", Kind::Integer, "The line, from 1."),
    column("column", Kind::Integer, "The column in Unicode code points, from 1."),
    column("kind", Kind::Text, "link for a link or an image; path for the path of an existing file in prose or code."),
    column("target", Kind::Text, "The path in the repository that it leads to, with secrets redacted."),
    column(
        "state",
        Kind::Text,
        "exists; missing if the directory of the skill does not have it; unknown for a path outside of it that is not below a \
         skills directory.",
    ),
];

const PACKAGES: &[Column] = &[
    REPOSITORY,
    COMMIT,
    DIRECTORY,
    RUNTIME,
    PACKAGE,
    column("format", Kind::Text, "The id of the format that the runtime reads it as."),
    column(
        "way",
        Kind::Text,
        "How the runtime comes to it: directory, entry of a marketplace, project or installed, as in the JSON of forecast.",
    ),
    nullable("manifest", Kind::Text, "The path of its manifest; null if there is none."),
    nullable("marketplace", Kind::Text, "The path of the marketplace that lists it; null for another way."),
    column("loads", Kind::Boolean, "Whether the runtime loads anything of it."),
    column("faults", Kind::Integer, "The number of faults of its manifest or entry."),
    column("skills", Kind::Integer, "The number of its skills."),
    column("loaded", Kind::Integer, "The number of its skills that the runtime loads, with changes or without."),
];

const PACKAGED_SKILLS: &[Column] = &[
    REPOSITORY,
    DIRECTORY,
    RUNTIME,
    PACKAGE,
    nullable("marketplace", Kind::Text, "The path of the marketplace that lists the package; null for another way."),
    column("path", Kind::Text, "The path of the SKILL.md, in the same form as all paths."),
    column("outcome", Kind::Text, "loads, changes, drops or unknown."),
    nullable("name", Kind::Text, "The name that the runtime shows, such as mailer:post; null if it shows none."),
    column("listed", Kind::Boolean, "Whether the model is offered the skill."),
    nullable("reason", Kind::Text, "Why, unless it loads unchanged."),
];

const RUNS: &[Column] = &[
    REPOSITORY,
    COMMIT,
    nullable("tree", Kind::Text, "The id of the root tree."),
    nullable(
        "key",
        Kind::Text,
        "Hash of the root tree, the version, the options and, where an ignore ends on a day, the day of the commit: \
         with an equal key, the rows are current.",
    ),
    column("version", Kind::Text, "The version of skilltree."),
    column("status", Kind::Text, "read; empty if the repository has no commit; failed otherwise."),
    column("seconds", Kind::Number, "The seconds that the repository took."),
    nullable("warning", Kind::Text, "Why the rows mean less than they seem to, in one line."),
    nullable("error", Kind::Text, "Why it failed, in one line."),
];

impl Table {
    /// Every table. `runs` is last: its rows say that the others are complete.
    pub const ALL: [Self; 7] = [
        Self::Skills,
        Self::Findings,
        Self::Forecast,
        Self::References,
        Self::Packages,
        Self::PackagedSkills,
        Self::Runs,
    ];

    /// Returns the name of the table, which is the name of its directory.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Skills => "skills",
            Self::Findings => "findings",
            Self::Forecast => "forecast",
            Self::References => "references",
            Self::Packages => "packages",
            Self::PackagedSkills => "packaged_skills",
            Self::Runs => "runs",
        }
    }

    /// Returns the columns in their order.
    #[must_use]
    pub fn columns(self) -> &'static [Column] {
        match self {
            Self::Skills => SKILLS,
            Self::Findings => FINDINGS,
            Self::Forecast => FORECAST,
            Self::References => REFERENCES,
            Self::Packages => PACKAGES,
            Self::PackagedSkills => PACKAGED_SKILLS,
            Self::Runs => RUNS,
        }
    }

    /// Returns the position of a column; past the end for a column that the table does not have.
    pub fn position(self, name: &str) -> usize {
        let columns = self.columns();
        columns.iter().position(|column| column.name == name).unwrap_or(columns.len())
    }
}

impl Kind {
    fn json_type(self) -> &'static str {
        match self {
            Self::Text => "string",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
        }
    }
}

/// Returns the name of the repository of a row: the first column of every table.
pub fn repository(row: &Row) -> &str {
    row.first().and_then(Value::text).unwrap_or_default()
}

/// Returns the JSON Schema of `fleet.json`, with the schema of a row of each table in `$defs`.
#[must_use]
pub fn schema() -> Json {
    let definitions = Table::ALL.into_iter().map(|table| (table.name().to_owned(), row_schema(table)));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://raw.githubusercontent.com/skilltree-dev/skilltree/main/schema/fleet.json?version=1",
        "title": SCHEMA,
        "description": "The file `fleet.json` that `skilltree fleet --out DIR` writes. `$defs` has the rows of each table. A later \
                        release may add members and columns. It does not change the meaning of one under this schema name.",
        "type": "object",
        "required": ["schema", "version", "format", "tables"],
        "properties": {
            "schema": { "const": SCHEMA },
            "version": { "description": "The version of skilltree that wrote it.", "type": "string" },
            "format": { "description": "The format of the files in each table's directory.", "enum": ["parquet", "jsonl"] },
            "tables": {
                "description": "The names of the columns of each table, in their order.",
                "type": "object",
                "required": Table::ALL.map(Table::name),
                "additionalProperties": { "type": "array", "items": { "type": "string" } },
            },
        },
        "$defs": definitions.collect::<serde_json::Map<_, _>>(),
    })
}

fn row_schema(table: Table) -> Json {
    let member = |column: &Column| {
        let json_type = match column.nullable {
            true => json!([column.kind.json_type(), "null"]),
            false => json!(column.kind.json_type()),
        };
        (column.name.to_owned(), json!({ "description": column.description, "type": json_type }))
    };
    json!({
        "description": format!("A row of the table `{}`.", table.name()),
        "type": "object",
        "required": table.columns().iter().map(|column| column.name).collect::<Vec<_>>(),
        "properties": table.columns().iter().map(member).collect::<serde_json::Map<_, _>>(),
    })
}
