"""Plain graphs: measures by threshold and form, held against what a slow reference found."""

from shared import EXACT, FORMS, THRESHOLDS, evaluate, number, per_cent, row, table

# Per cent of frames in the largest component of cuts that a slow reference of our own found, by set and cm.
REFERENCE = {
    "143mix": {1: 6, 2: 44, 3: 66, 4: 79, 6: 84, 10: 86},
    "16": {1: 3, 2: 24, 3: 34, 4: 60, 6: 64, 10: 64},
    "69": {1: 0, 2: 15, 3: 39, 4: 45, 6: 56, 10: 89},
    "83": {1: 8, 2: 26, 3: 49, 4: 50, 6: 84, 10: 86},
}
# Mean seconds between frames at 3 cm, of the same.
REFERENCE_TIME = {"143mix": {"cut": 2.71, "decay": 3.10, "blend": 3.70}, "69": {"cut": 1.02, "decay": 1.44, "blend": 2.02}}


def by_threshold(found, form, cell):
    return table(["√D, cm", *found], [[cm, *(cell(n, row(g, form, cm), cm) for n, g in found.items())] for cm in THRESHOLDS])


def components(found, with_reference):
    def cell(name, m, cm):
        share = f"{100 * m['component']['share']:.0f}"
        return f"{share} ({REFERENCE[name][cm]})" if with_reference else share

    return by_threshold(found, "cut", cell)


def far_from_reference(found):
    """Cells more than 5 points off, in words."""
    far = []
    for name, graph in found.items():
        for cm in THRESHOLDS:
            share = 100 * row(graph, "cut", cm)["component"]["share"]
            if abs(share - REFERENCE[name][cm]) > 5:
                far.append(f"{name} at {cm} cm ({share:.0f} against {REFERENCE[name][cm]})")
    return far


def times(found):
    def cell(name, m, cm):
        told = REFERENCE_TIME.get(name, {}).get(m["form"]) if cm == 3 else None
        return number(m["mean_time"] and m["mean_time"]["seconds"]) + (f" ({told:.2f})" if told else "")

    parts = []
    for form in FORMS:
        parts += [f"`{form}`:", by_threshold(found, form, cell)]
    return parts


def lms(found):
    head = ["√D, cm", *(f"{n}: LM s, frames" for n in found)]
    parts = []
    for form in FORMS:
        rows = []
        for cm in THRESHOLDS:
            cells = []
            for graph in found.values():
                m = row(graph, form, cm)
                lm = m["maneuverability"]
                cells.append(f"{number(lm and lm['lm_s'])}, {m['component']['frames']}")
            rows.append([cm, *cells])
        parts += [f"`{form}`:", table(head, rows)]
    return parts


def behaviours(graph, form, cm, key):
    """Table 4: from the behaviour in the row to that in the column."""
    pairs = {(p["from"], p["to"]): p[key] for p in row(graph, form, cm)["maneuverability"]["pairs"]}
    names = sorted({a for a, _ in pairs})
    return table([""] + names, [[a, *(number(pairs[a, b]) for b in names)] for a in names])


def others(found, cm):
    head = ["set", "form", "joins", "component", "seconds", "dead ends", "passed", "reach", "joins a second of a way"]
    rows = []
    for name, graph in found.items():
        for form in FORMS:
            m = row(graph, form, cm)
            rows.append([name, f"`{form}`", m["joins"], per_cent(m["component"]["share"]), number(m["component"]["seconds"], 1), per_cent(m["dead_ends"]), per_cent(m["coverage"]), per_cent(m["reach"]), number(m["bend"] and m["bend"]["joins_per_s"], 1)])
    return table(head, rows)


def bends(found):
    head = ["set", "√D, cm", "`cut`: mean, p95, most", "above 1.5 T, 2 T", "`decay`: mean, p95, most", "above 1.5 T, 2 T"]
    rows = []
    for name, graph in found.items():
        for cm in THRESHOLDS:
            cells = []
            for form in ("cut", "decay"):
                bend = row(graph, form, cm)["bend"]
                if bend is None:
                    cells += ["–", "–"]
                    continue
                sums = bend["half_second_cm"]
                cells += [", ".join(number(sums[k], 1) for k in ("mean", "p95", "max")), f"{per_cent(bend['above_one_and_a_half'])}, {per_cent(bend['above_two'])}"]
            rows.append([name, cm, *cells])
    return table(head, rows)


def price(program, graphs, plain):
    """What the bound costs: times within it over those without, over the same frames."""
    head = ["set", "√D, cm", "pairs with a way within 1.5 T", "mean time ×", "LM ×", "within 2 T", "mean time ×", "LM ×"]
    rows = []
    for name, graph in graphs.items():
        [wider] = evaluate(program, graph, "--no-ends", "--threshold", ",".join(map(str, THRESHOLDS)), "--form", "bounded", "--bound", "2", "--ways", "0", "--samples", EXACT)
        for cm in THRESHOLDS:
            free = row(plain[name], "decay", cm)
            if free["mean_time"] is None:
                continue
            cells = []
            for found in (plain[name], wider):
                m = row(found, "bounded", cm)
                reached = m["mean_time"]["reached"] if m["mean_time"] else 0.0
                # Over fewer pairs a mean says nothing.
                all_are = reached > 0.9999
                ratio = lambda of: number(of(m) / of(free) if all_are and of(free) else None)
                cells += [per_cent(reached, 1), ratio(lambda m: m["mean_time"]["seconds"]), ratio(lambda m: m["maneuverability"] and m["maneuverability"]["lm_s"])]
            rows.append([name, cm, *cells])
    return table(head, rows)


class Plain:
    """Everything that is measured of plain graphs."""

    def __init__(self, program, graphs, home):
        self.program, self.graphs = program, graphs
        listed = ",".join(map(str, THRESHOLDS))
        cuts = ("--threshold", listed, "--form", "cut", "--samples", "1", "--ways", "0")
        one = lambda *more: evaluate(program, *more)[0]
        self.all = {n: one(g, "--no-ends", "--threshold", listed, "--form", ",".join(FORMS), "--samples", EXACT) for n, g in graphs.items()}
        self.raw = {n: one(home / f"raw-{n}.gway", "--no-ends", *cuts) for n in graphs}
        self.ends = {n: one(g, *cuts) for n, g in graphs.items()}
        self.edge = one(graphs["143mix"], "--no-ends", "--threshold", "2,2.02", "--form", "cut", "--samples", "1", "--ways", "0")

    def sections(self):
        """Plain graphs, without interpolation."""
        far = far_from_reference(self.all)
        shares = [per_cent(m["component"]["share"]) for m in self.edge["measures"]]
        return [
            "## Plain graphs in detail",
            "### Largest component",
            "Per cent of captured frames, `cut`; in brackets what the reference found.",
            components(self.all, True),
            f"More than 5 points from the reference: {'; '.join(far) if far else 'none'}. There the component hangs on single joins: 143mix holds {shares[0]} at 2.00 cm and {shares[1]} at 2.02 cm.",
            "What it takes: the same clips as captured, feet not planted (reference in brackets), are farther from it where thresholds are low:",
            components(self.raw, True),
            "With joins near the ends of clips, feet planted:",
            components(self.ends, False),
            "### All else at 3 cm",
            others(self.all, 3),
            "### Mean time between frames",
            "Seconds, over all ordered pairs of frames of the component; in brackets what the reference found, where it was told.",
            *times(self.all),
            "### Local maneuverability",
            "Equation 3, and the size of the component it is taken over: each threshold over its own.",
            *lms(self.all),
            "### From behaviour to behaviour within the bound",
            "Seconds in 143mix at 3 cm, `bounded`, the mean over the frames of the row:",
            behaviours(self.all["143mix"], "bounded", 3, "mean_s"),
            "## How much quickest ways bend the truth",
            "√D in centimetres summed over the worst half second of quickest ways of plain graphs between 1,000 random pairs of frames, and the share of ways in which that is above 1.5 and 2 thresholds.",
            bends(self.all),
            "What keeping a bound costs: quickest ways within it (`bounded`) against those without (`decay`), over the same frames; – where some pairs have no way within the bound, since the mean would be over others.",
            price(self.program, self.graphs, self.all),
        ]
