//! A block by a template of the repository's own, for a dispatcher with a format of its own.
//!
//! A template is three macros: `skill(skill)`, and `head()` and `tail()` where something stands around the skills. What is
//! made of a skill depends on that skill alone, so a template has fragments as every rendering has. A template is given
//! what the index says of a skill and can read nothing else: there are no files, no clock, no environment, no other template.
//!
//! It comes from the tree, so it is hostile. Its steps, its depth and what it writes have limits, and what could make a long
//! value of short ones in a few steps (`~`, `+`, `*`, lists of values, maps) is refused.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, Error, ErrorKind, UndefinedBehavior, Value, escape_formatter};
use serde_json::Value as Json;

use super::block::Block;
use super::index;
use super::material::Contents;
use crate::catalog::Catalog;
use crate::characters::visible;
use crate::select::{Refusal, Size, Stand};
use crate::skill::SkillId;

mod refused;

use refused::refused;

/// Bytes of a template (ours: 16 KiB).
const TEMPLATE_BYTES: usize = 16 << 10;

/// Steps for one macro (ours: 20,000): a loop over a hundred tags takes a thousand.
const FUEL: u64 = 20_000;

/// Frames of macros and loops in each other, of which a call takes several (ours: 100).
const DEPTH: usize = 100;

/// Bytes that one macro writes of values (ours: 1 MiB).
const OUTPUT_BYTES: usize = 1 << 20;

/// A template, as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// The path of its file. Its extension says how values are escaped: `.xml` and `.html` as XML, `.json` as JSON, others
    /// not at all.
    pub path: String,
    /// Its text.
    pub text: String,
}

impl Template {
    /// The block of some skills; empty when there are none.
    pub(super) fn assemble(
        &self,
        catalog: &Catalog,
        contents: &Contents,
        skills: &[SkillId],
    ) -> Result<Block, Refusal> {
        let mut block = Block::default();
        if skills.is_empty() {
            return Ok(block);
        }
        block.text.push_str(&self.call("head", None).map_err(|error| self.refusal(&error))?);
        for &id in skills {
            let start = block.text.len();
            block.text.push_str(&self.fragment(catalog, contents, id).map_err(|error| self.refusal(&error))?);
            block.fragments.push((id, start..block.text.len()));
        }
        block.text.push_str(&self.call("tail", None).map_err(|error| self.refusal(&error))?);
        Ok(block)
    }

    /// What a block grows by when a skill enters it; nothing where the template cannot be rendered, which is said when the
    /// block is made.
    pub(super) fn growth(&self, catalog: &Catalog, contents: &Contents, id: SkillId, stand: Stand) -> Size {
        let around =
            |name| if stand == Stand::First { self.call(name, None).unwrap_or_default() } else { String::new() };
        let text = [around("head"), self.fragment(catalog, contents, id).unwrap_or_default(), around("tail")].concat();
        Size { bytes: text.len(), chars: text.chars().count() }
    }

    fn fragment(&self, catalog: &Catalog, contents: &Contents, id: SkillId) -> Result<String, Error> {
        let mut values = serde_json::to_value(index::listed(catalog, id, contents, 0..0)).unwrap_or_default();
        if let Json::Object(values) = &mut values {
            values.remove("fragment");
        }
        self.call("skill", Some(Value::from(Serde(values))))
    }

    /// What a macro writes. Around the skills nothing has to stand; `skill` has to be there.
    fn call(&self, name: &str, value: Option<Value>) -> Result<String, Error> {
        self.check()?;
        let engine = self.engine();
        let template = engine.template_from_named_str(&self.path, &self.text)?;
        let mut rendered = template.render_captured(())?;
        rendered.with_state_mut(|state| match (state.lookup(name), &value) {
            (None, None) => Ok(String::new()),
            (None, Some(_)) => Err(Error::new(
                ErrorKind::UnknownFunction,
                "it has no macro `skill(skill)`, which every skill is made by",
            )),
            (Some(_), _) => state.call_macro(name, value.as_slice()),
        })
    }

    /// Refuses what has no limit of the engine's own.
    fn check(&self) -> Result<(), Error> {
        let refuse = |message: String| Err(Error::new(ErrorKind::SyntaxError, message));
        if self.text.len() > TEMPLATE_BYTES {
            return refuse(format!("it has {} bytes; {TEMPLATE_BYTES} are allowed", self.text.len()));
        }
        match refused(&self.text) {
            Some((token, line)) => {
                refuse(format!("`{token}` in line {line}: a template writes values and does not make others of them"))
            }
            None => Ok(()),
        }
    }

    fn engine(&self) -> Environment<'_> {
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
        engine.set_formatter(move |out, state, value| {
            let refuse = |message| Err(Error::new(ErrorKind::InvalidOperation, message));
            let is_scalar = value.is_number() || value.as_str().is_some() || bool::try_from(value.clone()).is_ok();
            if !is_scalar && !value.is_none() && !value.is_undefined() {
                return refuse(
                    "a list has to be written item by item: `{% for tag in skill.tags %}{{ tag }}{% endfor %}`",
                );
            }
            // What a skill does not have is no text; JSON has a word for it.
            if value.is_none() && *state.auto_escape() != AutoEscape::Json {
                return Ok(());
            }
            let bytes = value.as_str().map_or(0, str::len);
            if written.fetch_add(bytes, Ordering::Relaxed) + bytes > OUTPUT_BYTES {
                return refuse("it writes more than 1 MiB for one skill");
            }
            escape_formatter(out, state, value)
        });
        engine
    }

    fn refusal(&self, error: &Error) -> Refusal {
        let place = error.line().map_or_else(String::new, |line| format!(":{line}"));
        let detail = error.detail().map_or_else(String::new, |detail| format!(": {}", visible(detail)));
        Refusal::new(format!("the template {}{place}: {}{detail}", visible(&self.path), error.kind())).help(
            "a template is macros: `{% macro skill(skill) %}- {{ skill.name }}{% endmacro %}`, `head()` and `tail()`",
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
    fn a_skill_has_the_same_fragment_whatever_stands_beside_it() {
        let text = "{% macro head() %}<\n{% endmacro %}{% macro tail() %}>\n{% endmacro %}\
            {% macro skill(skill) %}{{ skill.name }}:{% for tag in skill.tags %} {{ tag }}{% endfor %}\n{% endmacro %}";
        let block = render("t.txt", text).unwrap();
        assert_eq!(block.text, "<\na: x y\nb:\n>\n");
        let parts: Vec<&str> = block.fragments.iter().map(|(_, range)| &block.text[range.clone()]).collect();
        assert_eq!(parts, ["a: x y\n", "b:\n"]);
        let template = Template { path: "t.txt".to_owned(), text: text.to_owned() };
        let catalog = catalog(SYMPHONY, SKILLS);
        let grown = |id, stand| template.growth(&catalog, &Contents::new(), id, stand).bytes;
        assert_eq!(grown(SkillId(0), Stand::First) + grown(SkillId(1), Stand::Beside), block.text.len());
        assert_eq!(template.assemble(&catalog, &Contents::new(), &[]), Ok(Block::default()));
    }

    #[test]
    fn values_are_escaped_as_the_extension_says() {
        let text = "{% macro skill(skill) %}{{ skill.description }};{% endmacro %}";
        assert_eq!(render("t.md", text).unwrap().text, "<A> & \"b\";B;");
        assert_eq!(render("t.xml", text).unwrap().text, "&lt;A&gt; &amp; &quot;b&quot;;B;");
        assert_eq!(render("t.json", text).unwrap().text, "\"<A> & \\\"b\\\"\";\"B\";");
    }

    #[test]
    fn what_a_template_may_not_do_is_said_with_its_line() {
        let skill = |body: &str| format!("{{% macro skill(skill) %}}\n{body}\n{{% endmacro %}}");
        let deep = "{% macro deeper(x) %}{{ deeper(x) }}{% endmacro %}";
        let cases = [
            (skill("{{ skill.nmae }}"), "t.md:2: undefined value"),
            (skill("{{ skill.name ~ skill.name }}"), "`~` in line 2"),
            (skill("{% include 'x' %}"), "t.md:2: template not found"),
            (skill("{{ skill.tags }}"), "t.md:2: invalid operation: a list has to be written item by item"),
            (
                skill("{% for a in range(9) %}{% endfor %}"),
                "t.md:2: invalid operation: value of type undefined is not callable",
            ),
            (skill("{{ x"), "syntax error"),
            (format!("{deep}{}", skill("{{ deeper(1) }}")), "invalid operation"),
            ("text".to_owned(), "it has no macro `skill(skill)`"),
            ("x".repeat(TEMPLATE_BYTES + 1), "16384 are allowed"),
        ];
        for (text, said) in cases {
            let message = render("t.md", &text).unwrap_err();
            assert!(message.contains(said), "{text}\n{message}");
        }
    }

    #[test]
    fn a_template_that_multiplies_its_text_is_ended() {
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
