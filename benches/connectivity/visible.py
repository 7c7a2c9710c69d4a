"""The distance at which joins begin to be seen, on many people."""

import statistics

from shared import evaluate, number, per_cent, rate, run, table

# As in crates/gaitway-eval/src/connectivity/visible.rs.
SEEN, FEWEST = 0.05, 20


def people(program, data, home, of):
    """What is seen, by person of one folder of the data; and those without any two frames that meet."""
    found, none = {}, []
    for person in sorted(p for p in (data / of).iterdir() if p.is_dir()):
        if len(list(person.glob("*.bvh"))) < 2:
            continue
        graph = home / f"{of}-{person.name}.gway"
        run(program, "build", person, "-o", graph, "--quiet", "--threshold", "6", "--skip-bad", "--largest-group", *rate(person.name))
        try:
            [seen] = evaluate(program, graph, "--visible", "--threshold", "15", "--form", "cut", "--samples", "1", "--ways", "0")
        except RuntimeError:
            none.append(person.name)
            continue
        found[person.name] = seen["visible"]
    return found, none


def pooled(found):
    """Rows of all people together: from cm, joins, shares seen, jump of the worst joint, share with other feet down."""
    bins = {}
    for r in (r for person in found.values() for r in person["rows"]):
        bins.setdefault(r["from_cm"], []).append(r)
    rows = []
    for at, own in sorted(bins.items()):
        mean = lambda of, own=own: sum(of(r) * r["joins"] for r in own) / sum(r["joins"] for r in own)
        feet = [r for r in own if r["contacts_differ"] is not None]
        differ = mean(lambda r: r["contacts_differ"], feet) if feet else None
        rows.append((at, sum(r["joins"] for r in own), mean(lambda r: r["fading"]), mean(lambda r: r["bare"]), mean(lambda r: r["jump_cm"]["mean"]), differ))
    return rows


def crossing(rows):
    """Where one join in twenty is seen, as `eval` finds it."""
    low, least = 0.0, 0.0
    for at, joins, seen, *_ in rows:
        if joins < FEWEST:
            continue
        if seen > SEEN:
            return low + (at + 0.5 - low) * (SEEN - least) / (seen - least)
        low, least = at + 0.5, seen
    return None


def seen_table(rows):
    head = ["√D, cm", "joins", "seen", "seen as bare cuts", "worst joint jumps, cm", "feet differ"]
    return table(head, [[f"{at:.0f}–{at + 1:.0f}", n, per_cent(fading, 1), per_cent(bare, 1), number(jump, 1), per_cent(differ)] for at, n, fading, bare, jump, differ in rows])


def visible(program, data, home):
    parts = ["## The visible threshold", "Joins whose jump fades over 0.2 s, of clips as captured; *seen* is what `quality` lists as a pop. T_vis: where one join in twenty is seen."]
    for of in ("cmu-bvh", "cmu-wide"):
        found, none = people(program, data, home, of)
        own = sorted((v["cm"], name) for name, v in found.items() if v["cm"] is not None)
        rows = pooled(found)
        told = ", ".join(f"{name}: {cm:.1f}" for cm, name in own)
        words = f"**{of}**: {len(found)} people with two clips or more. Enough joins, and one in twenty of them seen, at some distance: {told} cm"
        words += f" (median {statistics.median([cm for cm, _ in own]):.1f})." if own else "."
        words += f" All people's joins together: {number(crossing(rows), 1)} cm."
        if none:
            words += f" No two frames meet below the ceiling: {', '.join(none)}."
        parts += [words, seen_table(rows)]
    return parts
