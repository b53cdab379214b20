//! Stand-in for templates in a build without the feature `templates`: a block that needs one is refused.

use super::Template;
use crate::prompt::block::Block;
use crate::prompt::material::Contents;
use crate::select::{Position, Refusal, Size};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::skill::SkillId;

/// Template that cannot be parsed.
pub(in crate::prompt) struct Engine;

/// Never exists.
pub(in crate::prompt) enum Macros {}

impl Engine {
    pub(in crate::prompt) fn parse(&self) -> Result<Macros, ()> {
        Err(())
    }
}

impl Macros {
    pub(in crate::prompt) fn growth(&self, _: &Catalog, _: &Contents, _: SkillId, _: Position) -> Size {
        match *self {}
    }
}

impl Template {
    pub(in crate::prompt) fn assemble(&self, _: &Catalog, _: &Contents, _: &[SkillId]) -> Result<Block, Refusal> {
        Err(Refusal::new("this program was built without templates".to_owned())
            .help("build it with `--features templates`, or remove the template"))
    }

    /// Returns no fault: this program cannot render the template.
    pub fn fault(&self, _: &Catalog, _: &[SkillId]) -> Option<Refusal> {
        None
    }

    pub(in crate::prompt) fn uses_bodies(&self) -> bool {
        false
    }

    pub(in crate::prompt) fn engine(&self) -> Engine {
        Engine
    }
}
