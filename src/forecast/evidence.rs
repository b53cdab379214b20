//! Where it is known from that a runtime loads a skill otherwise than it is written.

use super::reason::{Passed, Reason};
use crate::profile::{Evidence, Profile};

impl Reason {
    /// Where a profile says who found it out.
    pub fn evidence<'a>(&self, profile: &'a Profile) -> Option<&'a Evidence> {
        profile.evidence(&self.value())
    }

    /// The dotted path of the value of a profile that it comes from.
    fn value(&self) -> String {
        match self {
            Self::TooDeep(_) => "loads.depth".to_owned(),
            Self::Passed(Passed::InRoot) => "loads.files.in-root".to_owned(),
            Self::Passed(Passed::BelowSkill) => "loads.files.below-skill".to_owned(),
            Self::Passed(Passed::Hidden) => "loads.files.hidden".to_owned(),
            Self::Passed(Passed::ByName) => "loads.files.skipped".to_owned(),
            Self::FileName => "loads.files.name".to_owned(),
            Self::Link => "loads.links".to_owned(),
            Self::NotUtf8 => "loads.text.not-utf8".to_owned(),
            Self::NoFrontMatter(_) | Self::BodyLost => "loads.fence".to_owned(),
            Self::Yaml(_) | Self::FlowCollection | Self::NotAMap => "loads.yaml".to_owned(),
            Self::Mended(_) => "loads.repair".to_owned(),
            Self::Fault(_) => "loads.faults".to_owned(),
            Self::Missing(field) | Self::WrongType(field, _) | Self::Malformed(field) | Self::NoKnownWord(field) => {
                format!("loads.fields.{field}")
            }
            Self::ShownOtherwise(field) => format!("loads.fields.{field}"),
            Self::UnknownKey(_) | Self::Unlisted(_) => "loads.keys".to_owned(),
            Self::DiffersFromDirectory => "loads.identity.differs-from-directory".to_owned(),
            Self::Reserved => "loads.identity.reserved".to_owned(),
            Self::TooLong { .. } => "loads.limits".to_owned(),
            Self::Namesake { .. } => "loads.duplicates".to_owned(),
            Self::EmptyBody => "loads.empty-body".to_owned(),
            Self::NoText | Self::NotKnown(_) => "loads".to_owned(),
        }
    }
}
