"""Equal visible quality: plain graphs at higher and higher thresholds against the well-connected one, all answering the same ways."""

from shared import SETS, evaluate, number, per_cent, run, table
from workshop import Spec

WAYS = 100
PLAIN = [3, 4, 5, 6, 8, 10]
MUS = [5, 1]
# What is seen, by what it is called, and how it is written.
SEEN = {
    "worst joint jumps": (lambda p: p["jump_cm"]["mean"], lambda v: f"{v:.1f} cm"),
    "other feet stand": (lambda p: p["contacts_differ"], per_cent),
    "standing feet slide in transitions": (lambda p: p["slide_in_transitions_cm_s"], lambda v: f"{v:.1f} cm/s"),
    "pops": (lambda p: p["pops"], lambda v: per_cent(v, 1)),
}


def measure(workshop):
    """By set, what ways look like: of plain graphs by threshold, then of well-connected ones (3 weights, 3 cm) by μ."""
    out = {}
    for name in SETS:
        graphs = []
        for cm in PLAIN:
            graph = workshop.home / f"{name}-plain-{cm}cm.gway"
            if not graph.exists():
                run(workshop.program, "build", "--rethreshold", workshop.home / f"{name}.gway", "-o", graph, "--threshold", cm, "--quiet")
            graphs.append(graph)
        better = [workshop.graph(Spec(name, mu=mu)) for mu in MUS]
        found = evaluate(workshop.program, *graphs, *better, "--threshold", "built", "--form", "blend", "--samples", "1", "--ways", "0", "--make", WAYS)
        out[name] = [g["made"] for g in found]
    return out


def ways_table(found):
    head = ["set", "graph", "ways", "seconds a way", "transitions a second", *SEEN, "feet slide, all along, cm/s", "planted: slides a second"]
    rows = []
    for name, all_made in found.items():
        names = [f"plain, {cm} cm" for cm in PLAIN] + [f"well connected, 3 cm, μ = {mu}" for mu in MUS]
        for what, made in zip(names, all_made):
            played = made["played"]
            seen = [told(of(played)) if of(played) is not None else "–" for of, told in SEEN.values()]
            rows.append([name, what, made["ways"], number(made["seconds"] / max(made["ways"], 1)), number(made["transitions_per_s"]), *seen, number(played["slide_cm_s"], 1), number(made["slides_per_s"])])
    return table(head, rows)


def equal(all_made, of):
    """The plain threshold at which something equals that of the last graph, between those tried, and seconds a way there; `None`
    where it never does. Below the first threshold: the first."""
    *plain, better = all_made
    target = of(better["played"])
    if target is None:
        return None
    points = [(cm, of(m["played"]), m["seconds"] / m["ways"]) for cm, m in zip(PLAIN, plain) if m["ways"]]
    if not points or points[0][1] >= target:
        return points[0][0::2] if points else None
    for (a, x, s), (b, y, t) in zip(points, points[1:]):
        if y >= target:
            part = (target - x) / (y - x)
            return a + part * (b - a), s + part * (t - s)
    return None


def equal_table(found):
    head = ["set", "seen", "well connected at 3 cm", "plain has as much at", "seconds a way: plain there", "well connected", "×"]
    rows = []
    for name, (*all_made, _) in found.items():
        better = all_made[-1]
        taken = better["seconds"] / max(better["ways"], 1)
        for what, (of, told) in SEEN.items():
            value = of(better["played"])
            if value is None:
                continue
            there = equal(all_made, of)
            at = f"above {PLAIN[-1]} cm"
            if there is not None:
                at = f"{there[0]:.1f} cm" if there[0] > PLAIN[0] else f"{PLAIN[0]} cm or below"
            plain_s = there and there[1]
            rows.append([name, what, told(value), at, number(plain_s), number(taken), number(plain_s and taken / plain_s)])
    return table(head, rows)
