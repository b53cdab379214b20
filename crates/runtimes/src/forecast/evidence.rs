//! Sources for the reasons of a forecast.

use super::reason::{Reason, SkippedDirectory};
use crate::profile::{Evidence, Profile};

impl Reason {
    /// Returns the source that the profile gives for this reason.
    pub fn evidence<'a>(&self, profile: &'a Profile) -> Option<&'a Evidence> {
        profile.evidence(&self.value())
    }

    /// Dotted path of the profile value that causes this reason.
    fn value(&self) -> String {
        match self {
            Self::TooDeep(_) => "loads.depth".to_owned(),
            Self::SkippedDirectory(SkippedDirectory::InRoot) => "loads.files.in-root".to_owned(),
            Self::SkippedDirectory(SkippedDirectory::BelowSkill) => "loads.files.below-skill".to_owned(),
            Self::SkippedDirectory(SkippedDirectory::Hidden) => "loads.files.hidden".to_owned(),
            Self::SkippedDirectory(SkippedDirectory::ByName) => "loads.files.skipped".to_owned(),
            Self::SkippedDirectory(SkippedDirectory::Ignored) => "loads.files.ignored".to_owned(),
            Self::FileName => "loads.files.name".to_owned(),
            Self::Link | Self::BrokenLink => "loads.links".to_owned(),
            Self::NotUtf8 => "loads.text.not-utf8".to_owned(),
            Self::NoFrontMatter(_) | Self::BodyLost => "loads.fence".to_owned(),
            Self::Yaml(_) | Self::FlowCollection | Self::NotAMapping => "loads.yaml".to_owned(),
            Self::Repaired(_) => "loads.repair".to_owned(),
            Self::Fault(_) => "loads.faults".to_owned(),
            Self::Missing(field)
            | Self::WrongType(field, _)
            | Self::Malformed(field)
            | Self::NoKnownWord(field)
            | Self::NoEffect { field, .. } => {
                format!("loads.fields.{field}")
            }
            Self::ShownDifferently(field) => format!("loads.fields.{field}"),
            Self::Forbidden(field, _) => format!("loads.fields.{field}"),
            Self::SecondSkillFile => "loads.files".to_owned(),
            Self::UnlistedByFile | Self::Overridden { .. } => "loads.keys".to_owned(),
            Self::UnknownKey(_) | Self::Unlisted(_) | Self::UnlistedUntil(_) | Self::UnlistedUnless(_) => {
                "loads.keys".to_owned()
            }
            Self::DiffersFromDirectory => "loads.identity.differs-from-directory".to_owned(),
            Self::Reserved => "loads.identity.reserved".to_owned(),
            Self::TooLong { .. } => "loads.limits".to_owned(),
            Self::Namesake { .. } => "loads.duplicates".to_owned(),
            Self::EmptyBody => "loads.empty-body".to_owned(),
            Self::NoText
            | Self::NotKnown(_)
            | Self::NotStarted(_)
            | Self::Package(_)
            | Self::NotInstalled
            | Self::OnlyForPeople(_) => "loads".to_owned(),
        }
    }
}
