"""Kilo: a fork of opencode with its own roots."""

from .base import Npm
from .opencode import OpenCode


class Kilo(OpenCode):
    id = "kilo"
    package = Npm("@kilocode/cli-{platform}")
    binary = "bin/kilo"
    roots = (".agents/skills", ".claude/skills", ".kilo/skills", ".kilocode/skills")
