"""Observes the text of the list that the model is sent."""

from . import cases, packed

BEFORE, AFTER = 60, 260  # characters that are kept around the skills


def observe(bench, program):
    """Returns the part of the list that has the skills of cases/list.txt; None if the list cannot be seen."""
    skills = dict(packed.load(cases.CASES / "list.txt"))
    bench.build({f"{program.roots[0]}/{name}/SKILL.md": content for name, content in skills.items()})
    text = program.list(bench)
    if text is None:
        return None
    places = [text.index(name) for name in skills if name in text]
    return text[max(min(places) - BEFORE, 0) : max(places) + AFTER]
