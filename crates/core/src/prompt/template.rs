//! Block rendered by a template of the repository, for a dispatcher with its own format.
//!
//! A template consists of three macros: `skill(skill)`, and optionally `head()` and `tail()` for the surrounding text.
//! The output for a skill depends only on that skill, so template blocks have fragments like all renderings. A template
//! receives the facts of the index and can read nothing else: no files, clock, environment or other templates.
//!
//! Templates come from the tree and are untrusted. Fuel, recursion depth and output are limited, and operations that
//! build long values from short ones in a few steps (`~`, `+`, `*`, lists of values, mappings) are refused.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, Error, ErrorKind, UndefinedBehavior, Value, escape_formatter};

use super::block::Block;
use super::facts::SkillFacts;
use super::material::Contents;
use crate::catalog::Catalog;
use crate::characters::visible;
use crate::select::{Position, Refusal, Size};
use crate::skill::SkillId;
use crate::text::grouped;

mod refused;

use refused::refused;

/// Size limit of a template in bytes (ours: 16 KiB).
const TEMPLATE_BYTES: usize = 16 << 10;

/// Fuel of one macro call in steps (ours: 20,000): a loop over 100 tags takes about 1,000.
const FUEL: u64 = 20_000;

/// Recursion limit of nested macros and loops; a call takes several frames (ours: 100).
const DEPTH: usize = 100;

/// Limit of the value bytes that one macro call writes (ours: 1 MiB).
const OUTPUT_BYTES: usize = 1 << 20;

/// Source of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// Path of its file. The extension selects the escaping of values: XML for `.xml` and `.html`, JSON for `.json`,
    /// none for others.
    pub path: String,
    /// Text of the template.
    pub text: String,
}

/// Template engine with our limits and value formatting.
pub(super) struct Engine<'t> {
    template: &'t Template,
    environment: Environment<'t>,
    /// Value bytes that the current macro call has written.
    written: Arc<AtomicUsize>,
}

/// Parsed template.
pub(super) struct Macros<'e> {
    template: minijinja::Template<'e, 'e>,
    written: &'e AtomicUsize,
}

impl Engine<'_> {
    /// Parses the template.
    pub(super) fn parse(&self) -> Result<Macros<'_>, Error> {
        self.template.check()?;
        let template = self.environment.template_from_named_str(&self.template.path, &self.template.text)?;
        Ok(Macros { template, written: &self.written })
    }
}

impl Macros<'_> {
    fn block(&self, catalog: &Catalog, contents: &Contents, skills: &[SkillId]) -> Result<Block, Error> {
        let mut block = Block::default();
        block.text.push_str(&self.call("head", None)?);
        for &id in skills {
            let start = block.text.len();
            block.text.push_str(&self.fragment(catalog, contents, id)?);
            block.fragments.push((id, start..block.text.len()));
        }
        block.text.push_str(&self.call("tail", None)?);
        Ok(block)
    }

    /// Returns the size that a skill adds to a block; zero if the template fails, which is reported when the block is
    /// rendered.
    pub(super) fn growth(&self, catalog: &Catalog, contents: &Contents, id: SkillId, position: Position) -> Size {
        let around =
            |name| if position == Position::First { self.call(name, None).unwrap_or_default() } else { String::new() };
        let text = [around("head"), self.fragment(catalog, contents, id).unwrap_or_default(), around("tail")].concat();
        Size { bytes: text.len(), chars: text.chars().count() }
    }

    fn fragment(&self, catalog: &Catalog, contents: &Contents, id: SkillId) -> Result<String, Error> {
        // Converted to JSON, the keys are sorted for templates that iterate over them.
        let facts = serde_json::to_value(SkillFacts::new(catalog, id, contents)).unwrap_or_default();
        self.call("skill", Some(Value::from(Serde(facts))))
    }

    /// Calls a macro. `head` and `tail` are optional; `skill` is required.
    fn call(&self, name: &str, value: Option<Value>) -> Result<String, Error> {
        self.written.store(0, Ordering::Relaxed);
        let mut rendered = self.template.render_captured(())?;
        rendered.with_state_mut(|state| match (state.lookup(name), &value) {
            (None, None) => Ok(String::new()),
            (None, Some(_)) => Err(Error::new(
                ErrorKind::UnknownFunction,
                "the macro `skill(skill)` is missing, which renders each skill",
            )),
            (Some(_), _) => state.call_macro(name, value.as_slice()),
        })
    }
}

impl Template {
    /// Assembles the block of some skills; empty if there are none.
    pub(super) fn assemble(
        &self,
        catalog: &Catalog,
        contents: &Contents,
        skills: &[SkillId],
    ) -> Result<Block, Refusal> {
        if skills.is_empty() {
            return Ok(Block::default());
        }
        let engine = self.engine();
        let block = engine.parse().and_then(|macros| macros.block(catalog, contents, skills));
        block.map_err(|error| self.refusal(&error))
    }

    /// Refuses operations that the engine does not limit.
    fn check(&self) -> Result<(), Error> {
        let refuse = |message: String| Err(Error::new(ErrorKind::SyntaxError, message));
        if self.text.len() > TEMPLATE_BYTES {
            return refuse(format!(
                "it has {} bytes; the limit is {}",
                grouped(self.text.len()),
                grouped(TEMPLATE_BYTES)
            ));
        }
        match refused(&self.text) {
            Some((token, line)) => {
                refuse(format!("`{token}` in line {line} is not supported: a template can only print values"))
            }
            None => Ok(()),
        }
    }

    /// Creates the engine that parses the template.
    pub(super) fn engine(&self) -> Engine<'_> {
        let mut engine = Environment::empty();
        let kind = match self.path.rsplit_once('.').map(|(_, extension)| extension) {
            Some("xml" | "html") => AutoEscape::Html,
            Some("json") => AutoEscape::Json,
            _ => AutoEscape::None,
        };
        engine.set_auto_escape_callback(move |_| kind.clone());
        engine.set_undefined_behavior(UndefinedBehavior::Strict);
        engine.set_fuel(Some(FUEL));
        engine.set_recursion_limit(DEPTH);
        let written = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&written);
        engine.set_formatter(move |out, state, value| {
            let refuse = |message| Err(Error::new(ErrorKind::InvalidOperation, message));
            let is_scalar = value.is_number() || value.as_str().is_some() || bool::try_from(value.clone()).is_ok();
            if !is_scalar && !value.is_none() && !value.is_undefined() {
                return refuse(
                    "a list cannot be printed; print each item: `{% for tag in skill.tags %}{{ tag }}{% endfor %}`",
                );
            }
            // A missing value is written as an empty string, except in JSON, which has `null`.
            if value.is_none() && *state.auto_escape() != AutoEscape::Json {
                return Ok(());
            }
            let bytes = value.as_str().map_or(0, str::len);
            if written.fetch_add(bytes, Ordering::Relaxed) + bytes > OUTPUT_BYTES {
                return refuse("the output for one skill is larger than 1 MiB");
            }
            escape_formatter(out, state, value)
        });
        Engine { template: self, environment: engine, written: count }
    }

    fn refusal(&self, error: &Error) -> Refusal {
        let place = error.line().map_or_else(String::new, |line| format!(":{line}"));
        let detail = error.detail().map_or_else(String::new, |detail| format!(": {}", visible(detail)));
        Refusal::new(format!("the template {}{place}: {}{detail}", visible(&self.path), error.kind())).help(
            "define macros: `{% macro skill(skill) %}- {{ skill.name }}{% endmacro %}`, and optionally `head()` and `tail()`",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{SYMPHONY, catalog};

    const SKILLS: &[(&str, &[(&str, &str)])] = &[
        (".symphony/skills/a/SKILL.md", &[("name", "a"), ("description", "<A> & \"b\""), ("tags", "[x, y]")]),
        (".symphony/skills/b/SKILL.md", &[("name", "b"), ("description", "B")]),
    ];

    fn render(path: &str, text: &str) -> Result<Block, String> {
        let template = Template { path: path.to_owned(), text: text.to_owned() };
        let skills = [SkillId(0), SkillId(1)];
        template.assemble(&catalog(SYMPHONY, SKILLS), &Contents::new(), &skills).map_err(|refusal| refusal.message)
    }

    #[test]
    fn fragment_is_independent_of_other_skills() {
        let text = "{% macro head() %}<\n{% endmacro %}{% macro tail() %}>\n{% endmacro %}\
            {% macro skill(skill) %}{{ skill.name }}:{% for tag in skill.tags %} {{ tag }}{% endfor %}\n{% endmacro %}";
        let block = render("t.txt", text).unwrap();
        assert_eq!(block.text, "<\na: x y\nb:\n>\n");
        let parts: Vec<&str> = block.fragments.iter().map(|(_, range)| &block.text[range.clone()]).collect();
        assert_eq!(parts, ["a: x y\n", "b:\n"]);
        let template = Template { path: "t.txt".to_owned(), text: text.to_owned() };
        let catalog = catalog(SYMPHONY, SKILLS);
        let engine = template.engine();
        let macros = engine.parse().unwrap();
        let grown = |id, position| macros.growth(&catalog, &Contents::new(), id, position).bytes;
        assert_eq!(grown(SkillId(0), Position::First) + grown(SkillId(1), Position::Following), block.text.len());
        assert_eq!(template.assemble(&catalog, &Contents::new(), &[]), Ok(Block::default()));
    }

    #[test]
    fn escapes_values_by_extension() {
        let text = "{% macro skill(skill) %}{{ skill.description }};{% endmacro %}";
        assert_eq!(render("t.md", text).unwrap().text, "<A> & \"b\";B;");
        assert_eq!(render("t.xml", text).unwrap().text, "&lt;A&gt; &amp; &quot;b&quot;;B;");
        assert_eq!(render("t.json", text).unwrap().text, "\"<A> & \\\"b\\\"\";\"B\";");
    }

    #[test]
    fn reports_refused_operations_with_line() {
        let skill = |body: &str| format!("{{% macro skill(skill) %}}\n{body}\n{{% endmacro %}}");
        let deep = "{% macro deeper(x) %}{{ deeper(x) }}{% endmacro %}";
        let cases = [
            (skill("{{ skill.nmae }}"), "t.md:2: undefined value"),
            (skill("{{ skill.name ~ skill.name }}"), "`~` in line 2"),
            (skill("{% include 'x' %}"), "t.md:2: template not found"),
            (skill("{{ skill.tags }}"), "t.md:2: invalid operation: a list cannot be printed"),
            (
                skill("{% for a in range(9) %}{% endfor %}"),
                "t.md:2: invalid operation: value of type undefined is not callable",
            ),
            (skill("{{ x"), "syntax error"),
            (format!("{deep}{}", skill("{{ deeper(1) }}")), "invalid operation"),
            ("text".to_owned(), "the macro `skill(skill)` is missing"),
            ("x".repeat(TEMPLATE_BYTES + 1), "the limit is 16,384"),
        ];
        for (text, said) in cases {
            let message = render("t.md", &text).unwrap_err();
            assert!(message.contains(said), "{text}\n{message}");
        }
    }

    #[test]
    fn stops_templates_that_multiply_text() {
        let mut text = String::from("{% macro m0(x) %}{{ x }}{% endmacro %}");
        for number in 1..6 {
            text.push_str(&format!(
                "{{% macro m{number}(x) %}}{{% for a in [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1] %}}{{{{ m{}(x) }}}}{{% endfor %}}{{% endmacro %}}",
                number - 1
            ));
        }
        text.push_str("{% macro skill(skill) %}{{ m5(skill.description) }}{% endmacro %}");
        let message = render("t.md", &text).unwrap_err();
        assert!(message.contains("fuel") || message.contains("1 MiB"), "{message}");
    }
}
