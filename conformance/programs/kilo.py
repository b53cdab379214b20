"""Kilo: a fork of opencode with its own roots."""

from .base import Npm
from .opencode import OpenCode


class Kilo(OpenCode):
    id = "kilo"
    package = Npm("@kilocode/cli-{platform}")
    binary = "bin/kilo"
    repeat_pairs = 4  # it reads one file after another: only the order in which it finds files can vary
    repeat_chance = 0
    roots = (".agents/skills", ".claude/skills", ".kilo/skills", ".kilocode/skills")
