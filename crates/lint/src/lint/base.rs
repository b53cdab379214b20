//! A base in which nothing differs has the findings of its head.

use super::Report;
use crate::config::Config;
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::skill::Parsed;

impl Report {
    /// Returns whether a base differs in nothing that a rule reads, so that it has the findings of this report. The configuration of
    /// the base is that of this report but for its own files. The report is not compared yet.
    pub fn is_about(&self, base: &Parsed, config: &Config) -> bool {
        is_same(base, config, &self.catalog.parsed)
    }

    /// Returns the report of a base that this report [is about](Self::is_about), too.
    pub fn of_base(&self, base: Parsed) -> Self {
        let catalog = Catalog::new(Parsed { files: self.catalog.parsed.files.clone(), ..base });
        let (findings, rejected) = (self.findings.clone(), self.rejected.clone());
        let (base, warnings, reported, loaded) = (None, Vec::new(), None, Vec::new());
        Self { catalog, findings, base, warnings, reported, loaded, is_incomplete: false, rejected }
    }
}

/// Returns whether the skills and the configuration of a base are those of its head, whose last files are those of its configuration.
/// Faults and ignores of a configuration are read from its files.
fn is_same(base: &Parsed, config: &Config, head: &Parsed) -> bool {
    // A new field can decide about findings, so the compiler must ask for it here. Rules look at no origin that can have a base.
    let Parsed {
        origin: _,
        time,
        roots,
        files,
        skills,
        flat,
        misnamed,
        records,
        agents,
        definitions,
        commands,
        manifests,
        settings: _,
        unsearched,
        unread,
        edited,
        gains,
        lists,
        sizes,
    } = base;
    head.files.iter().eq(files.iter().chain(&config.files))
        && (time, roots, skills, records) == (&head.time, &head.roots, &head.skills, &head.records)
        && (flat, misnamed, agents, definitions) == (&head.flat, &head.misnamed, &head.agents, &head.definitions)
        && (manifests, unsearched, unread) == (&head.manifests, &head.unsearched, &head.unread)
        && commands == &head.commands
        && (edited, gains) == (&head.edited, &head.gains)
        && (lists, sizes) == (&head.lists, &head.sizes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::lint;
    use skilltree_runtimes::samples::{SYMPHONY, catalog};
    use skilltree_skills::snapshot::{Body, File, Role};

    /// A report of two skills, the first of which has no description.
    fn parsed(second: &'static str) -> Parsed {
        let skills: [(&str, &[(&str, &str)]); 2] = [
            (".symphony/skills/a/SKILL.md", &[("name", "a")]),
            (
                ".symphony/skills/b/SKILL.md",
                &[("name", second), ("description", "Merges tables. Use when two tables are named.")],
            ),
        ];
        catalog(SYMPHONY, &skills).parsed
    }

    fn messages(report: &Report) -> Vec<(&str, &str)> {
        report.findings.iter().map(|finding| (finding.rule.id(), finding.message.as_str())).collect()
    }

    #[test]
    fn is_about_a_base_in_which_nothing_differs() {
        let config = Config::default();
        let head = lint(parsed("b"), &config);
        assert!(messages(&head).iter().any(|(rule, _)| *rule == "missing-description"), "{:?}", messages(&head));
        assert!(head.is_about(&parsed("b"), &config));
        assert_eq!(messages(&head.of_base(parsed("b"))), messages(&head));
        assert!(!head.is_about(&parsed("c"), &config));
        assert!(!head.is_about(&Parsed { time: Some(1), ..parsed("b") }, &config));
        assert!(!head.is_about(&Parsed { unsearched: Some("no reason".to_owned()), ..parsed("b") }, &config));
        let file = File::new("skilltree.toml", Role::Config, None, Body::Text(Vec::new()));
        assert!(!head.is_about(&parsed("b"), &Config { files: vec![file], ..config.clone() }));
        let mut changed = parsed("b");
        changed.files[1].id = None;
        assert!(!head.is_about(&changed, &config));
    }
}
