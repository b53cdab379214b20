//! The template of the prompt block that the configuration names: it has to render the accepted skills.

use skilltree_dispatch::accept::Accepted;
use skilltree_dispatch::prompt::Template;
use skilltree_front_matter::text;
use skilltree_skills::skill::SkillId;

use crate::config::{Config, ConfigFault};

/// Maximum number of skills that are rendered (ours: 1,000). `prompt` renders all of its block, and fails for a later one.
const RENDERED: usize = 1_000;

/// Returns why the template renders no block, as a fault of the setting that names it. `prompt` fails with the same words.
pub(super) fn fault(accepted: &Accepted<'_>, config: &Config) -> Option<ConfigFault> {
    let (path, text) = (config.template.clone()?, config.template_text.clone()?);
    let skills: Vec<SkillId> = accepted.iter().map(|(id, _)| id).take(RENDERED).collect();
    let refusal = Template { path, text }.fault(accepted.catalog, &skills)?;
    let message = format!("{}, so no prompt block can be built", text::shortened(&refusal.message, 400));
    config.template_fault(message, refusal.help.unwrap_or_default())
}
