"""CAMEL's requirements, with camel-ai from PyPI, in directories that are in no repository."""

import os
import pathlib
import tempfile
import unittest
from unittest import mock

from skill_toolkit import FilesystemSkillProvider, SkillError, SkillMetadata, SkillToolkit, remembered, turn

PDF = "---\nname: {0}\ndescription: {1}\nmetadata:\n  short-description: PDF parsing\n---\n# {0}\n\nRead it.\n"


class Skills(unittest.TestCase):
    def setUp(self):
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        top = pathlib.Path(held.name).resolve()
        self.home, self.cwd, self.external = top / "home", top / "work", top / "external"
        for place in (self.home, self.cwd, self.external):
            place.mkdir()
        patched = mock.patch.dict(os.environ, {"HOME": str(self.home)})
        patched.start()
        self.addCleanup(patched.stop)
        self.provider = FilesystemSkillProvider([str(self.external)])

    def write(self, root, directory, name=None, description="Reads PDF files. Use when asked."):
        place = root / directory
        place.mkdir(parents=True)
        (place / "SKILL.md").write_text(PDF.format(name or place.name, description))

    def names(self):
        return [skill.name for skill in self.provider.list(str(self.cwd)).skills]

    def test_first_root_wins(self):
        for place, owner in ((self.external, "External"), (self.home / ".camel/skills", "User"), (self.cwd / ".camel/skills", "Repo")):
            self.write(place, "pdf", description=f"{owner} version. Use when asked.")
            self.provider.refresh(str(self.cwd))
            [meta] = self.provider.list(str(self.cwd)).skills
            self.assertEqual(meta, SkillMetadata("pdf", f"{owner} version. Use when asked.", "PDF parsing"))
            self.assertEqual(self.provider.read(str(self.cwd), meta).meta, meta)

    def test_hidden_directories_and_links_are_skipped(self):
        root = self.cwd / ".camel/skills"
        self.write(root, "group/deep")
        self.write(root, ".hidden/secret")
        self.write(self.cwd / "elsewhere", "far")
        (root / "far").symlink_to(self.cwd / "elsewhere/far")
        self.assertEqual(self.names(), ["deep"])

    def test_invalid_skill_is_an_error_and_the_rest_is_listed(self):
        root = self.cwd / ".camel/skills"
        self.write(root, "pdf")
        (root / "bad").mkdir()
        (root / "bad/SKILL.md").write_text("---\nname: bad\n---\nNo description.\n")
        outcome = self.provider.list(str(self.cwd))
        self.assertEqual(self.names(), ["pdf"])
        self.assertEqual(outcome.errors, [SkillError(".camel/skills/bad/SKILL.md", "the skill has no description")])

    def test_list_is_cached_until_refresh(self):
        self.write(self.cwd / ".camel/skills", "pdf")
        self.assertEqual(self.names(), ["pdf"])
        self.write(self.cwd / ".camel/skills", "csv")
        self.assertEqual(self.names(), ["pdf"])
        self.provider.refresh(str(self.cwd))
        self.assertEqual(self.names(), ["csv", "pdf"])

    def test_mention_is_a_message_of_one_turn(self):
        self.write(self.cwd / ".camel/skills", "pdf")
        messages = turn([], self.provider, str(self.cwd), "Use $pdf here.")
        self.assertEqual([message.role_name for message in messages], ["skills", "user"])
        self.assertTrue(messages[0].content.startswith("<skill>\n<name>pdf</name>\n"))
        self.assertEqual(messages[0].meta_dict, {"skill": True})
        self.assertEqual(remembered(messages), messages[1:])
        self.assertEqual(len(turn([], self.provider, str(self.cwd), "Use $HOME here.")), 1)

    def test_model_sees_two_tools(self):
        self.write(self.cwd / ".camel/skills", "pdf")
        toolkit = SkillToolkit(str(self.cwd), self.provider)
        self.assertEqual([tool.get_function_name() for tool in toolkit.get_tools()], ["list_skills", "load_skill"])
        self.assertEqual(toolkit.list_skills()[0]["name"], "pdf")
        self.assertIn("Read it.", toolkit.load_skill("pdf"))


if __name__ == "__main__":
    unittest.main()
