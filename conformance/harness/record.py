"""Reads, writes and compares the observations in conformance/observed/."""

import json
import unicodedata
from pathlib import Path

OBSERVED = Path(__file__).resolve().parent.parent / "observed"
SCHEMA = "skilltree/observation/v1"
WIDTH = 140
ABOUT_THE_RUN = ("schema", "version", "observed")  # members that do not count as a change


def committed(runtime, directory=OBSERVED):
    """Returns the observation of a runtime; None if there is none."""
    found = sorted(directory.glob(f"{runtime}@*.json"))
    return json.loads(found[-1].read_text(encoding="utf-8")) if found else None


def write(observation, directory=OBSERVED):
    """Writes an observation in place of the others of the runtime."""
    directory.mkdir(exist_ok=True)
    for old in directory.glob(f"{observation['runtime']}@*.json"):
        old.unlink()
    name = f"{observation['runtime']}@{observation['version']}.json"
    (directory / name).write_text(layout(observation) + "\n", encoding="utf-8")


def flatten(value):
    """Returns JSON on one line. Characters that cannot be seen are escaped, so that a file shows all that it says."""

    def escaped(char):
        if char < "\x7f" or unicodedata.category(char)[0] in "LNPS":
            return char
        return json.dumps(char)[1:-1]

    return "".join(map(escaped, json.dumps(value, ensure_ascii=False)))


def layout(value, indent=""):
    """Returns JSON with one entry per line where a line is enough. The same value has the same text."""
    flat = flatten(value)
    nested = isinstance(value, dict) or (isinstance(value, list) and any(isinstance(item, list) for item in value))
    if not nested or len(indent) + len(flat) <= WIDTH and indent:
        return flat
    inner = indent + " "
    if isinstance(value, list):
        return "[\n" + ",\n".join(inner + layout(item, inner) for item in value) + f"\n{indent}]"
    items = [f"{inner}{flatten(key)}: {layout(item, inner)}" for key, item in value.items()]
    return "{\n" + ",\n".join(items) + f"\n{indent}}}"


def changes(old, new, place=""):
    """Returns one line for each difference between two observations."""
    if old == new or (place in ABOUT_THE_RUN):
        return []
    if isinstance(old, dict) and isinstance(new, dict):
        if place.startswith("trees/"):
            return tree(old, new, place)
        if not place and "varies" in old.get("trees", {}).get("order", {}):
            old, new = unordered(old), unordered(new)
        return [
            line
            for key in [*old, *(key for key in new if key not in old)]
            for line in changes(old.get(key), new.get(key), f"{place}/{key}".lstrip("/"))
        ]
    if place == "precedence":
        return pairs(old or [], new or [])
    return [f"{place}: {brief(old)} -> {brief(new)}"]


def tree(old, new, place):
    """Returns a line if a tree differs. What varied before may come out in any of its ways."""
    before, after = set(old.get("listed", ())), set(new.get("listed", ()))
    same = before == after and "fails" not in old | new
    if old.get("varies") == "skills" and (before <= after or new.get("varies") == "skills"):
        return []
    if old.get("varies") == "order" and same and new.get("varies") != "skills":
        return []
    return [f"{place}: {brief(old)} -> {brief(new)}"]


def unordered(observation):
    """Returns an observation without the order of its lists: it is chance if the order of the list varies."""
    trees = {
        id: {key: sorted(item) if key == "listed" else item for key, item in tree.items() if item != "order"}
        for id, tree in observation.get("trees", {}).items()
    }
    budgets = {
        count: {model: {key: item for key, item in budget.items() if key != "order"} for model, budget in models.items()}
        for count, models in observation.get("budgets", {}).items()
    }
    return observation | {"trees": trees, "budgets": budgets}


def pairs(old, new):
    """Returns one line for each pair of roots whose precedence differs."""
    before = {(first, second): which for first, second, which in old}
    after = {(first, second): which for first, second, which in new}
    return [
        f"precedence of {first} and {second}: {before.get((first, second))} -> {after.get((first, second))}"
        for first, second in {**before, **after}
        if before.get((first, second)) not in ("varies", after.get((first, second)))
    ]


def brief(value):
    """Returns a value as JSON, shortened."""
    flat = "absent" if value is None else json.dumps(value)
    return flat if len(flat) <= 100 else f"{flat[:97]}..."
