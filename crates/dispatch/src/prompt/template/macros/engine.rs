//! Template engine with our limits and our formatting of values.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use minijinja::{AutoEscape, Environment, Error, ErrorKind, Output, State, UndefinedBehavior, Value, escape_formatter};

use super::literals::{self, LITERALS};
use super::values::BodyValue;
use super::{Macros, Template, line};

/// Fuel of one macro call in steps (ours: 40,000): a loop over 100 tags takes about 2,000.
const FUEL: u64 = 40_000;

/// Recursion limit of nested macros and loops; a call takes several frames (ours: 100).
const DEPTH: usize = 100;

/// Limit of the bytes that one macro call writes, literal text included (ours: 1 MiB).
const OUTPUT_BYTES: usize = 1 << 20;

/// Template with the engine that parses it.
pub(in crate::prompt) struct Engine<'t> {
    template: &'t Template,
    /// Template in which literal text is a value.
    source: String,
    environment: Environment<'static>,
    written: Arc<AtomicUsize>,
}

impl<'t> Engine<'t> {
    pub(super) fn new(template: &'t Template) -> Self {
        let mut environment = Environment::empty();
        let kind = match template.path.rsplit_once('.').map(|(_, extension)| extension) {
            Some("xml" | "html") => AutoEscape::Html,
            Some("json") => AutoEscape::Json,
            _ => AutoEscape::None,
        };
        environment.set_auto_escape_callback(move |_| kind.clone());
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_fuel(Some(FUEL));
        environment.set_recursion_limit(DEPTH);
        let written = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&written);
        environment.set_formatter(move |out, state, value| format(&count, out, state, value));
        let (source, texts) = match template.check() {
            Ok(()) => literals::as_values(&template.text),
            Err(_) => (String::new(), Vec::new()),
        };
        let texts: Vec<Value> = texts.into_iter().map(Value::from_safe_string).collect();
        environment.add_global(LITERALS, Value::from(texts));
        Self { template, source, environment, written }
    }

    /// Parses the template.
    pub(in crate::prompt) fn parse(&self) -> Result<Macros<'_>, Error> {
        self.template.check()?;
        // A syntax error is reported for the text as written.
        self.environment.template_from_named_str(&self.template.path, &self.template.text)?;
        let template = self.environment.template_from_named_str(&self.template.path, &self.source)?;
        Ok(Macros { template, written: &self.written })
    }
}

/// Prints a value, if it is one text or number that a block may contain and the output stays small.
fn format(written: &AtomicUsize, out: &mut Output<'_>, state: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    let refuse = |message: &'static str| Err(Error::new(ErrorKind::InvalidOperation, message));
    let body = value.downcast_object_ref::<BodyValue>().map(BodyValue::text);
    let value = body.as_ref().unwrap_or(value);
    let is_scalar = value.is_number() || value.as_str().is_some() || bool::try_from(value.clone()).is_ok();
    if !is_scalar && !value.is_none() && !value.is_undefined() {
        return refuse(
            "only a text or a number can be printed; print each item: `{% for tag in skill.tags %}{{ tag }}{% endfor %}`",
        );
    }
    // A missing value is written as an empty string, except in JSON, which has `null`.
    if value.is_none() && *state.auto_escape() != AutoEscape::Json {
        return Ok(());
    }
    let text = value.as_str().unwrap_or_default();
    if !line::is_plain_text(text) {
        return refuse("the value contains a hidden or control character");
    }
    if written.fetch_add(text.len(), Ordering::Relaxed) + text.len() > OUTPUT_BYTES {
        return refuse("the output for one skill is larger than 1 MiB");
    }
    escape_formatter(out, state, value)
}
