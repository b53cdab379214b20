//! What a skill is called.

use std::borrow::Cow;

use bstr::ByteSlice;

use super::Skill;
use skilltree_front_matter::text::{self, Place};

impl Skill {
    /// Returns its name in a prompt. Accepted skills have one; the directory name replaces a missing name.
    pub fn shown_name(&self) -> Cow<'_, str> {
        self.name().map_or_else(|| Cow::Owned(text::lossless(self.directory.as_bstr())), Cow::Borrowed)
    }

    /// Returns the name by which a runtime knows it: its directory, or its name.
    pub fn known_as(&self, by_directory: bool) -> Cow<'_, str> {
        if by_directory { Cow::Owned(text::lossless(self.directory.as_bstr())) } else { self.shown_name() }
    }

    /// Returns the place of its name, to point at one of several skills.
    pub fn name_place(&self) -> Place {
        self.field("name").map_or_else(|| self.opener(), |field| field.value.place)
    }
}
