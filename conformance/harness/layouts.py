"""Observes layouts: trees of skills, the directories that are read, and which of two skills with one name wins."""

import re

from . import cases, singles

LEVELS = {"working-directory": "packages/app/", "between": "packages/", "top": "", "above": "~/work/"}
WHICH = {(): "neither", (0,): "first", (1,): "second", (0, 1): "both"}


def observe(bench, program, tree):
    """Returns the numbers of the listed skills of a tree, in the order of the list if the tree is about that."""
    times = program.repeat if tree.order else 1
    runs = [run(bench, program, tree, backwards=time % 2 == 1) for time in range(times)]
    if any(found is None for found in runs):
        return {"fails": True}
    reports, runs = runs[0][1], [listed for listed, _ in runs]
    first, sets = runs[0], [sorted(set(listed)) for listed in runs]
    if any(numbers != sets[0] for numbers in sets):
        return {"listed": sorted(set.intersection(*map(set, sets))), "varies": "skills"}
    found = {"listed": sets[0]}
    if tree.order and all(listed == first for listed in runs):
        found["listed"] = list(dict.fromkeys(first))
    elif tree.order:
        found["varies"] = "order"
    if repeated := sorted({number for number in first if first.count(number) > 1}):
        found["repeated"] = repeated
    if tree.reports and "reported" in program.sees:
        found["reported"] = reports
    return found


def run(bench, program, tree, backwards, again=True):
    """Returns the numbers of the listed skills in the order of the list, and the reports by number; None if the program fails."""
    root = program.roots[0]
    bench.build(tree.scene(root), tree.cwd, backwards)
    places = {path.replace("{root}", root): number for number, path in enumerate(tree.paths, 1)}
    try:
        seen = program.skills(bench)
        reports = {str(places[path]): report for path, report in sorted(seen.reports.items()) if path in places}
        return [int(number) for number in identify(seen.skills, r"Skill (\d+)\.", places)], reports
    except Exception:
        if not singles.works(bench, program):
            raise
        return run(bench, program, tree, backwards, again=False) if again else None


def identify(listed, pattern, places):
    """Returns what each listed skill of the scene is: from its description or, if that is not shown, from its path."""
    found = []
    for skill in listed:
        match = re.fullmatch(rf"{pattern}\s*", skill.description or "")
        if match:
            found.append(match[1])
        elif skill.path in places:
            found.append(places[skill.path])
    return found


def located(bench, program, places, cwd=""):
    """Puts a skill in each place and returns the places whose skill is listed."""
    files = {}
    for number, place in enumerate(places):
        files[f"{place}/s{number}/SKILL.md"] = cases.skill(f"s{number}", f"In place {number}.")
    bench.build(files, cwd)
    paths = {path: number for number, path in enumerate(files)}
    numbers = {int(number) for number in identify(program.skills(bench).skills, r"In place (\d+)\.", paths)}
    return [places[number] for number in sorted(numbers)]


def roots(bench, program):
    """Returns which directories are read: in the repository, above and below the working directory, of the user."""
    candidates = cases.roots()

    def search(places):
        """Returns the directories that are read, and those that are read only if some of these are absent."""
        found = located(bench, program, places)
        rest = [place for place in places if place not in found]
        return found, located(bench, program, rest) if found else []

    repository, repository_otherwise = search(candidates["repository"])
    user, user_otherwise = search(candidates["user"])
    upwards, below = {level: [] for level in LEVELS}, []
    if repository:
        for level, prefix in LEVELS.items():
            found = located(bench, program, [prefix + root for root in repository], "packages/app")
            upwards[level] = [root.removeprefix(prefix) for root in found]
        below = located(bench, program, [f"packages/app/{root}" for root in repository])
    return {
        "repository": repository,
        "repository-otherwise": repository_otherwise,
        "user": user,
        "user-otherwise": user_otherwise,
        "from-a-subdirectory": upwards,
        "below-the-working-directory": [root.removeprefix("packages/app/") for root in below],
    }


def precedence(bench, program, roots):
    """Returns [root, root, which] for each pair of roots, and for each root in a subdirectory and at the top."""
    places = [*roots["repository"], *roots["user"]]
    pairs = [(first, second) for at, first in enumerate(places) for second in places[at + 1 :]]
    upwards = roots["from-a-subdirectory"]
    nested = [root for root in upwards["working-directory"] if root in upwards["top"]]
    nested = [(f"packages/app/{root}", root) for root in nested]
    return compare(bench, program, pairs) + compare(bench, program, nested, "packages/app")


def compare(bench, program, pairs, cwd=""):
    """Observes which of two skills with the same name is listed; the pairs together, each with its own name.

    If chance decides, the pairs that came out the same every time are run again without the others.
    """
    found = {pair: set() for pair in pairs}
    for time in range(program.repeat_pairs + program.repeat_chance):
        rest = pairs if time < program.repeat_pairs else [pair for pair in pairs if len(found[pair]) == 1]
        if not rest:
            break
        for pair, which in zip(rest, compare_once(bench, program, rest, cwd, time % 2 == 1)):
            found[pair].add(which)
    return [[*pair, results.pop() if len(results) == 1 else "varies"] for pair, results in found.items()]


def compare_once(bench, program, pairs, cwd, backwards):
    files, places = {}, {}
    for number, pair in enumerate(pairs):
        for which, place in enumerate(pair):
            path = f"{place}/pair{number}/SKILL.md"
            files[path] = cases.skill(f"pair{number}", f"Pair {number}, {which}.")
            places[path] = f"{number}, {which}"
    bench.build(files, cwd, backwards)
    shown = {}
    for found in identify(program.skills(bench).skills, r"Pair (\d+, \d)\.", places):
        number, which = found.split(", ")
        shown.setdefault(int(number), set()).add(int(which))
    return [WHICH[tuple(sorted(shown.get(number, ())))] for number in range(len(pairs))]
