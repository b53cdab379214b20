"""Observes single skills: whether each is loaded, what is shown of it, what is reported."""

import json
import re

from . import cases

FEW = 3  # skills in one scene: a list of so few is far below every limit on its length


def observe(bench, program, contents):
    """Returns {directory: cell}, each skill as far as possible without the influence of others."""
    cells = {}
    for group in cases.batches(contents):
        cells |= batch(bench, program, contents, group, suspect=program.order_decides)
    if program.models:
        show_few(bench, program, contents, cells)
    return dict(sorted(cells.items()))


def batch(bench, program, contents, group, again=True, suspect=False):
    """Observes some skills in one scene. If that fails, it splits them to find the skill that causes it.

    If they are `suspect`, a skill among them may make the program fail in one order only, or only next to another skill.
    """
    paths = {f"{program.roots[0]}/{name}/SKILL.md": name for name in group}
    scene = {path: contents[name] for path, name in paths.items()}
    try:
        for backwards in (True, False) if suspect else (False,):
            bench.build(scene, backwards=backwards)
            seen = program.skills(bench)
    except Exception:  # whatever a program does to fail, it is an observation if one skill causes it
        if len(group) > 1:
            half = len(group) // 2
            first, second = (batch(bench, program, contents, part, suspect=True) for part in (group[:half], group[half:]))
            return first | second
        if not works(bench, program):
            raise
        return batch(bench, program, contents, group, again=False) if again else {group[0]: FAILS}
    if program.knows_paths:
        loaded, alone = {paths.get(skill.path): skill for skill in seen.skills}, []
    else:
        loaded, alone = match(contents, group, seen.skills)
    if program.models and not program.asks_model:
        compare_with_list(bench, program, loaded)
    reports = {paths.get(path): report for path, report in seen.reports.items()}
    cells = {name: cell(name, loaded.get(name), reports.get(name)) for name in group}
    if suspect and len(group) == 1 and fails_with_another(bench, program, contents[group[0]]):
        return {group[0]: FAILS}
    return cells | (one_by_one(bench, program, contents, alone) if alone else {})


FAILS = {"fate": "fails", "reported": "error"}


def fails_with_another(bench, program, content):
    """Returns whether a skill that loads alone makes the program fail between ordinary ones: it may sort them."""
    root = program.roots[0]
    one, another = cases.skill("one", "Reads."), cases.skill("another", "Reads.")
    bench.build({f"{root}/another/SKILL.md": another, f"{root}/odd/SKILL.md": content, f"{root}/one/SKILL.md": one})
    try:
        program.skills(bench)
    except Exception:
        return works(bench, program)
    return False


def works(bench, program):
    """Returns whether the program loads an ordinary skill, so that a failure is the fault of another."""
    path = f"{program.roots[0]}/one/SKILL.md"
    bench.build({path: cases.skill("one", "Reads.")})
    return any(skill.name == "one" or skill.path == path for skill in program.skills(bench).skills)


def match(contents, group, listed):
    """Finds the directory of each listed skill by its name, for a program that does not say the path.

    Returns {directory: skill}, and the directories that one of the other listed skills may belong to.
    """
    keys = {key: name for name in group for key in cases.keys(name, contents[name]) if key}
    loaded, strange = {}, False
    for skill in listed:
        name = keys.get(cases.key(skill.name.encode()))
        if name and name not in loaded:
            loaded[name] = skill
        else:
            strange = True
    odd = [name for name in group if name not in loaded and cases.odd_name(name, contents[name])]
    return loaded, odd if strange else []


def one_by_one(bench, program, contents, names):
    """Observes skills in scenes of their own: what is listed then and not in an empty scene is the skill."""
    bench.build({})
    bundled = {skill.name for skill in program.skills(bench).skills}
    cells = {}
    for name in names:
        bench.build({f"{program.roots[0]}/{name}/SKILL.md": contents[name]})
        listed = [skill for skill in program.skills(bench).skills if skill.name not in bundled]
        cells[name] = cell(name, listed[0] if listed else None, None)
    return cells


def compare_with_list(bench, program, loaded):
    """Compares loaded skills with the list that the model gets.

    A skill that is not in the list is marked as hidden if its name is the directory: the list may show other names in
    another form.
    """
    listing = program.listing(bench, next(iter(program.models.values())))
    shown = dict(listing.entries)
    for directory, skill in loaded.items():
        if skill.name not in shown:
            skill.hidden |= skill.name == directory


def show_few(bench, program, contents, cells):
    """Replaces descriptions by what the model is shown of them in a list of a few skills.

    A program may shorten all entries of a long list, without a word about it: what a long list shows of a skill is then
    a property of the list.
    """
    loaded = {
        name: contents[name]
        for name, cell in cells.items()
        if cell["fate"] == "loads" and not is_plain(contents[name], cell.get("description"))
    }
    model = next(iter(program.models.values()))
    for group in cases.batches(loaded, FEW):
        bench.build({f"{program.roots[0]}/{name}/SKILL.md": contents[name] for name in group})
        shown = dict(program.listing(bench, model).entries)
        for name in group:
            about = shown.get(cells[name].get("name", name))
            if about is not None:
                cells[name]["description"] = text(about)


def is_plain(content, about):
    """Returns whether a file has a name and one short line of a description, which is shown as it is."""
    line = re.match(rb"---\r?\nname: [a-z0-9-]+\r?\ndescription: ([ -~]{1,200})\r?\n---", content)
    return bool(line) and about == line[1].decode() and not re.search(r"""[&<>"']""", about)


def cell(directory, skill, report):
    """Returns what was seen of one skill. A name that is the directory, and a report of nothing, are left out."""
    found = {"fate": "drops" if skill is None else "hidden" if skill.hidden else "loads"}
    if skill and skill.name not in (None, directory):
        found["name"] = text(skill.name)
    if skill and skill.label:
        found["label"] = text(skill.label)
    if skill and skill.description is not None:
        found["description"] = text(skill.description)
    if report:
        found["reported"] = report
    return found


def text(value):
    """Returns a value as text: JSON if it is none, and U+FFFD for half of a surrogate pair."""
    value = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
