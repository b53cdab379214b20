"""Runs one program over all cases and returns its observation."""

from . import budgets, cases, layouts, lists, singles


def observe(bench, program):
    """Returns what was observed of a program."""
    if not singles.works(bench, program):
        raise RuntimeError("it does not load an ordinary skill")
    found = {"root": program.roots[0], "sees": list(program.sees)}
    found["skills"] = singles.observe(bench, program, cases.skills())
    if program.layout:
        found["trees"] = {tree.id: layouts.observe(bench, program, tree) for tree in cases.trees()}
        found["roots"] = layouts.roots(bench, program)
        found["precedence"] = layouts.precedence(bench, program, found["roots"])
    if program.models:
        found["budgets"] = {str(count): budgets.observe(bench, program, count) for count in (40, 300)}
    if text := lists.observe(bench, program):
        found["list"] = text
    return found
