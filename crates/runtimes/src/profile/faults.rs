//! Outcome for a skill whose bytes have a fault, by fault name.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::outcome::Verdict;
use skilltree_front_matter::{FaultKind, YamlKind};

/// Outcome per fault; the outcome of a missing fault is unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults(pub BTreeMap<FaultKind, Verdict>);

impl Faults {
    /// Returns the outcome for a fault; `None` if unknown.
    pub fn verdict(&self, fault: FaultKind) -> Option<Verdict> {
        self.0.get(&fault).copied()
    }
}

impl<'de> Deserialize<'de> for Faults {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = BTreeMap::<String, Verdict>::deserialize(deserializer)?;
        let known = |(name, verdict): (String, Verdict)| match kind(&name) {
            Some(fault) => Ok((fault, verdict)),
            None => Err(D::Error::custom(format_args!("unknown fault `{name}`"))),
        };
        written.into_iter().map(known).collect::<Result<_, _>>().map(Self)
    }
}

macro_rules! names {
    ($($name:literal: $fault:ident $(($yaml:ident))?,)+) => {
        /// Every fault with its name in a profile.
        pub const NAMES: &[(&str, FaultKind)] = &[$(($name, FaultKind::$fault $((YamlKind::$yaml))?),)+];

        /// Returns the name of a fault in a profile.
        pub fn name(fault: FaultKind) -> &'static str {
            match fault {
                $(FaultKind::$fault $((YamlKind::$yaml))? => $name,)+
            }
        }
    };
}

names! {
    "byte-order-mark": ByteOrderMark,
    "no-fence": NoFence,
    "text-before-fence": TextBeforeFence,
    "opening-fence-trailing-whitespace": OpenerTrailingBlanks,
    "opening-fence-extra-dashes": OpenerExtraDashes,
    "opening-fence-indented": OpenerIndented,
    "closing-fence-trailing-whitespace": CloserTrailingBlanks,
    "closing-fence-extra-dashes": CloserExtraDashes,
    "closing-fence-indented": CloserIndented,
    "unclosed": Unclosed,
    "not-utf8": NotUtf8,
    "control-character": ControlCharacter,
    "cr-line-endings": CarriageReturns,
    "mixed-line-endings": MixedLineEndings,
    "yaml-colon-in-plain-scalar": Yaml(ColonInPlainScalar),
    "yaml-reserved-first-character": Yaml(ReservedFirstCharacter),
    "yaml-tab": Yaml(Tab),
    "yaml-open-quote": Yaml(OpenQuote),
    "yaml-open-flow": Yaml(OpenFlow),
    "yaml-bad-indentation": Yaml(BadIndentation),
    "yaml-continuation-with-colon": Yaml(ContinuationWithColon),
    "yaml-conflict-marker": Yaml(ConflictMarker),
    "yaml-other": Yaml(Other),
    "second-document": SecondDocument,
    "not-a-mapping": NotAMapping,
    "duplicate-key": DuplicateKey,
    "unportable": Unportable,
    "disputed": Disputed,
    "cut-by-comment": CutByComment,
    "too-complex": TooComplex,
    "lfs-pointer": LfsPointer,
}

/// Returns the fault with this name.
pub fn kind(name: &str) -> Option<FaultKind> {
    NAMES.iter().find(|(known, _)| *known == name).map(|&(_, fault)| fault)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fault_names_round_trip() {
        for &(word, fault) in NAMES {
            assert_eq!(name(fault), word);
            assert_eq!(kind(word), Some(fault));
        }
        assert_eq!(kind("bom"), None);
    }
}
