"""Observes what the model is shown of many skills."""

from . import cases


def observe(bench, program, count):
    """Returns, for each model, how much of each skill's description the model is shown."""
    wanted = dict(cases.budget(count))
    found = {}
    for label, model in program.models.items():
        files = {f"{program.roots[0]}/{name}/SKILL.md": cases.skill(name, about) for name, about in wanted.items()}
        bench.build(files)
        found[label] = {"model": model} | compare(wanted, program.listing(bench, model))
    return found


def compare(wanted, listing):
    """Compares a list with the skills that were to be listed."""
    shown = dict(listing.entries)
    counts = {"whole": 0, "shortened": 0, "name": 0, "absent": 0}
    for name, about in wanted.items():
        counts[fate(name, about, shown)] += 1
    names = list(wanted)
    return {
        "counts": counts,
        "shown": [len(shown[name] or "") if name in shown else -1 for name in names],
        "order": [names.index(name) + 1 for name, _ in listing.entries if name in wanted],
        "bundled": [[name, len(about or "")] for name, about in listing.entries if name not in wanted],
        "characters": len(listing.text),
    }


def fate(name, about, shown):
    if name not in shown:
        return "absent"
    if not shown[name]:
        return "name"
    return "whole" if shown[name] == about else "shortened"
