"""What changed in the newest versions: a report for readers who do not know this directory, and the changes to the profiles.

A version without a change only moves `observed` in its profile. For a version with changes, the report has the files that
are treated in another way, the values of the profile that say so, and where the new observation is.
"""

import json
import re
from pathlib import Path

from . import cases

HERE = Path(__file__).resolve().parent.parent
PROFILES = HERE.parent / "crates/runtimes/src/profiles"
SHOWN = 12  # changes of one cause that the report shows in full

# Values of a profile that decide about a case, by the start of the case. The first that fits is taken.
VALUES = (
    ("skills/f-", "loads.fence"),
    ("skills/e-", "loads.text"),
    ("skills/d-", "loads.fields.description, loads.yaml"),
    ("skills/n-", "loads.fields.name, loads.identity"),
    ("skills/k-", "loads.fields, loads.keys"),
    ("skills/", "loads.yaml, loads.fence, loads.fields"),
    ("trees/depth", "loads.depth"),
    ("trees/same-", "loads.duplicates.same-root"),
    ("trees/letter-case", "loads.identity.equal"),
    ("trees/order", "loads.listing.order"),
    ("trees/link", "loads.links"),
    ("trees/file-names", "loads.files.name, loads.files.loose"),
    ("trees/git-ignored", "loads.files"),
    ("trees/sizes", "loads.limits"),
    ("trees/file-limits", "loads.limits"),
    ("trees/deeper", "loads.depth"),
    ("trees/", "loads.files"),
    ("precedence", "loads.duplicates.across-roots, the order of loads.roots"),
    ("roots/", "loads.roots"),
    ("budgets/", "loads.budget"),
    ("list", "loads.listing"),
)


def values(place):
    """Returns the values of a profile that decide about a case."""
    return next(value for start, value in VALUES if place.startswith(start))


def bundled(old, new):
    """Returns lines about the skills of the program itself, and how many characters they grew by; all budgets share them."""
    for count, models in new.get("budgets", {}).items():
        for model, budget in models.items():
            before = old.get("budgets", {}).get(count, {}).get(model)
            if not before or before["bundled"] == budget["bundled"]:
                continue
            was, now = dict(map(tuple, before["bundled"])), dict(map(tuple, budget["bundled"]))
            grown = sum(now.values()) - sum(was.values())
            # Where the other skills gain or lose, too, the budget itself is another.
            if grown * (sum(budget.get("shown", [])) - sum(before.get("shown", []))) > 0:
                continue
            lines = [f"`{name}`: {was.get(name, 'absent')} -> {now.get(name, 'absent')} characters"
                     for name in sorted({*was, *now}) if was.get(name) != now.get(name)]
            return lines, grown
    return [], 0


def section(program, old, new, lines, note):
    """Returns the part of the report about one program."""
    was, now = (f"{one['version']} ({one['observed']})" for one in (old, new))
    text = [f"## {program.id} {new['version']}", "", f"Compared with {was}; observed {now}, from {new['package']}."]
    if note:
        text += ["", f"**The package says: {note}** The program may have a successor."]
    if not lines:
        return "\n".join([*text, "", "Nothing changed. `observed` in the profile moves to this version.", ""])
    own, grown = bundled(old, new)
    groups = {}
    for line in lines:
        groups.setdefault(values(line.split(":")[0].removeprefix("precedence of ") if line[:10] != "precedence" else line), []).append(line)
    for value, of_value in groups.items():
        if value == "loads.budget" and own:
            text += ["", f"### Skills of the program itself: `loads.budget.overhead`, {grown:+} characters", ""]
            text += [f"- {line}" for line in own]
            text += ["", f"{len(of_value)} numbers of the budgets follow from this."]
            continue
        text += ["", f"### {len(of_value)} changes that `{value}` describes", ""]
        for line in of_value[:SHOWN]:
            text += [f"- {line}", *evidence(line, old, new)]
        if len(of_value) > SHOWN:
            text.append(f"- and {len(of_value) - SHOWN} more, in the observation")
    text += ["", f"To do: change these values in `crates/runtimes/src/profiles/{program.id}.toml` until"]
    text += ["`cargo test --test it conformance::` passes. It names each cell that differs.", ""]
    return "\n".join(text)


def evidence(line, old, new):
    """Returns the file of a case, if the line is about one."""
    found = re.match(r"skills/([^/:]+)", line)
    if not found:
        return []
    content = cases.skills().get(found[1])
    if content is None:
        return []
    shown = content.decode(errors="backslashreplace").encode("unicode_escape").decode().replace("\\n", "\n")
    return ["", *(f"      {row}" for row in shown.split("\n")[:12]), ""]


def update_profile(program, old, new, grown):
    """Writes the version and the day into the profile of a program, and the size of its own skills."""
    path = PROFILES / f"{program.id}.toml"
    if not path.exists():
        return
    text = path.read_text(encoding="utf-8")
    at = f'observed = {{ version = "{new["version"]}", date = "{new["observed"]}" }}'
    text = re.sub(r"(?m)^observed = .*$", lambda _: at, text, count=1)
    was, now = (f"conformance/observed/{program.id}@{one['version']}.json" for one in (old, new))
    # The sources that are the observation move with it. Cases keep the version in which they were seen.
    text = re.sub(
        rf'source = "{re.escape(was)}", version = "{re.escape(old["version"])}"',
        lambda _: f'source = "{now}", version = "{new["version"]}"',
        text,
    )
    if grown:
        text = re.sub(r"(?m)^overhead = (\d+)$", lambda found: f"overhead = {int(found[1]) + grown}", text, count=1)
    path.write_text(text, encoding="utf-8")


def write(path, sections, failed):
    """Writes the report: first the programs that changed."""
    changed = [text for text, lines in sections if lines]
    same = [text for text, lines in sections if not lines]
    head = [
        "# What the newest versions of agent programs do with skills",
        "",
        f"{len(sections)} programs were installed and run offline over the cases in `conformance/cases`:"
        f" {len(changed)} changed, {len(same)} did not.",
        "Each runtime has a profile, which forecasts what it does with a skill. A change below means that a profile is no longer true.",
        "",
    ]
    if failed:
        head += [f"Not run, because they could not be installed or failed: {', '.join(failed)}.", ""]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(head + changed + same), encoding="utf-8")
