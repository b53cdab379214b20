//! A template parsed by the engine, and the block that its macros write.

use std::sync::atomic::{AtomicUsize, Ordering};

use minijinja::{Error, ErrorKind, Value};

use super::Template;
use crate::prompt::block::Block;
use crate::prompt::facts::SkillFacts;
use crate::prompt::material::Contents;
use crate::prompt::{body, line};
use crate::select::{Position, Refusal, Size};
use skilltree_front_matter::text::grouped;
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::characters::{self, visible};
use skilltree_skills::skill::SkillId;

mod engine;
mod literals;
mod refused;
mod values;

use engine::Engine;
use refused::refused;

/// Size limit of a template in bytes (ours: 16 KiB).
const TEMPLATE_BYTES: usize = 16 << 10;

/// Limit of a block in bytes (ours: 16 MiB): four times what the largest context windows hold.
const BLOCK_BYTES: usize = 16 << 20;

/// Parsed template.
pub(in crate::prompt) struct Macros<'e> {
    template: minijinja::Template<'e, 'e>,
    /// Bytes that the current macro call has written.
    written: &'e AtomicUsize,
}

impl Macros<'_> {
    fn block(&self, catalog: &Catalog, contents: &Contents, skills: &[SkillId]) -> Result<Block, Error> {
        let mut block = Block::default();
        let mut position = Position::First;
        for &id in skills {
            self.push(&mut block, &self.before(position)?)?;
            let start = block.text.len();
            self.push(&mut block, &self.fragment(catalog, contents, id)?)?;
            block.fragments.push((id, start..block.text.len()));
            position = Position::Following;
        }
        self.push(&mut block, &self.call("tail", None)?)?;
        Ok(block)
    }

    fn push(&self, block: &mut Block, text: &str) -> Result<(), Error> {
        if block.text.len() + text.len() > BLOCK_BYTES {
            let message = format!("the block is larger than {} bytes", grouped(BLOCK_BYTES));
            return Err(Error::new(ErrorKind::InvalidOperation, message));
        }
        block.text.push_str(text);
        Ok(())
    }

    /// Returns the text before a skill.
    fn before(&self, position: Position) -> Result<String, Error> {
        match position {
            Position::First => self.call("head", None),
            Position::FirstOfRoot | Position::Following => self.call("separator", None),
            Position::Separate => Ok(String::new()),
        }
    }

    /// Returns the size that a skill adds to a block; zero if the template fails, which is reported when the block is
    /// rendered.
    pub(in crate::prompt) fn growth(
        &self,
        catalog: &Catalog,
        contents: &Contents,
        id: SkillId,
        position: Position,
    ) -> Size {
        let tail = if position == Position::First { self.call("tail", None) } else { Ok(String::new()) };
        let parts = [self.before(position), self.fragment(catalog, contents, id), tail];
        let text = parts.map(Result::unwrap_or_default).concat();
        Size { bytes: text.len(), chars: text.chars().count() }
    }

    fn fragment(&self, catalog: &Catalog, contents: &Contents, id: SkillId) -> Result<String, Error> {
        let skill = catalog.skill(id);
        let body = contents.get(&skill.file).map(|content| body::read(skill, content).text).unwrap_or_default();
        let facts = SkillFacts::new(catalog, id, contents);
        self.call("skill", Some(values::skill(&facts, &body)))
    }

    /// Fails if there is no macro that renders a skill.
    fn require_skill(&self) -> Result<(), Error> {
        let mut rendered = self.template.render_captured(())?;
        rendered.with_state_mut(|state| state.lookup("skill").map(|_| ())).ok_or_else(without_skill)
    }

    /// Calls a macro. Only `skill` is required.
    fn call(&self, name: &str, value: Option<Value>) -> Result<String, Error> {
        self.written.store(0, Ordering::Relaxed);
        let mut rendered = self.template.render_captured(())?;
        self.written.store(0, Ordering::Relaxed);
        rendered.with_state_mut(|state| match (state.lookup(name), &value) {
            (None, None) => Ok(String::new()),
            (None, Some(_)) => Err(without_skill()),
            (Some(_), _) => state.call_macro(name, value.as_slice()),
        })
    }
}

fn without_skill() -> Error {
    Error::new(ErrorKind::UnknownFunction, "the macro `skill(skill)` is missing, which renders each skill")
}

impl Template {
    /// Assembles the block of some skills; empty if there are none.
    pub(in crate::prompt) fn assemble(
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

    /// Returns why the template renders no block of some skills, if it does not. Bodies are empty.
    pub fn fault(&self, catalog: &Catalog, skills: &[SkillId]) -> Option<Refusal> {
        let engine = self.engine();
        let render = |macros: Macros<'_>| {
            macros.require_skill()?;
            macros.block(catalog, &Contents::new(), skills)
        };
        engine.parse().and_then(render).err().map(|error| self.refusal(&error))
    }

    /// Creates the engine that parses the template.
    pub(in crate::prompt) fn engine(&self) -> Engine<'_> {
        Engine::new(self)
    }

    /// Returns whether the template can use bodies.
    pub(in crate::prompt) fn uses_bodies(&self) -> bool {
        self.text.split(|character| !refused::is_of_word(character)).any(|word| word == "body")
    }

    /// Refuses hidden characters, and operations that the engine does not limit.
    fn check(&self) -> Result<(), Error> {
        let refuse = |message: String| Err(Error::new(ErrorKind::SyntaxError, message));
        if self.text.len() > TEMPLATE_BYTES {
            return refuse(format!(
                "it has {} bytes; the limit is {}",
                grouped(self.text.len()),
                grouped(TEMPLATE_BYTES)
            ));
        }
        if let Some((at, character)) = characters::first_hidden(&self.text) {
            let (line, code) = (1 + self.text[..at].matches('\n').count(), u32::from(character));
            return refuse(format!("line {line} contains the hidden or control character U+{code:04X}"));
        }
        match refused(&self.text) {
            Some((token, line)) => {
                refuse(format!("`{token}` in line {line} is not supported: a template can only print values"))
            }
            None => Ok(()),
        }
    }

    fn refusal(&self, error: &Error) -> Refusal {
        let place = error.line().map_or_else(String::new, |line| format!(":{line}"));
        let detail = error.detail().map_or_else(String::new, |detail| format!(": {}", visible(detail)));
        Refusal::new(format!("the template {}{place}: {}{detail}", visible(&self.path), error.kind())).help(
            "define macros: `{% macro skill(skill) %}- {{ skill.name }}{% endmacro %}`, and optionally `head()`, `separator()` and `tail()`",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skilltree_runtimes::samples::{SYMPHONY, catalog};

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
        assert_eq!(grown(SkillId(0), Position::First), "<\na: x y\n>\n".len());
        assert_eq!(grown(SkillId(1), Position::Following), "b:\n".len());
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
            (skill("{# \u{200b} #}"), "line 2 contains the hidden or control character U+200B"),
            (skill("{% include 'x' %}"), "t.md:2: template not found"),
            (skill("{{ skill.tags }}"), "t.md:2: invalid operation: only a text or a number can be printed"),
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
