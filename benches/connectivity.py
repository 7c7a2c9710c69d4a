#!/usr/bin/env python3
"""Measures graphs of four sets of real clips with `gaitway eval`, and on many people the distance at which joins begin to be seen.

    connectivity.py GAITWAY DATA [--out FILE.md] [--picture FILE.png]
"""

import argparse
import json
import pathlib
import shutil
import statistics
import subprocess
import tempfile

THRESHOLDS = [1, 2, 3, 4, 6, 10]
FORMS = ["cut", "decay", "bounded", "blend"]
# More frames to search from than any set has.
EXACT = 100_000
# Per cent of frames in the largest component of cuts that a slow reference of our own found, by set and cm.
REFERENCE = {
    "143mix": {1: 6, 2: 44, 3: 66, 4: 79, 6: 84, 10: 86},
    "16": {1: 3, 2: 24, 3: 34, 4: 60, 6: 64, 10: 64},
    "69": {1: 0, 2: 15, 3: 39, 4: 45, 6: 56, 10: 89},
    "83": {1: 8, 2: 26, 3: 49, 4: 50, 6: 84, 10: 86},
}
# Mean seconds between frames at 3 cm, of the same.
REFERENCE_TIME = {"143mix": {"cut": 2.71, "decay": 3.10, "blend": 3.70}, "69": {"cut": 1.02, "decay": 1.44, "blend": 2.02}}
MIX = ["01", "02", "03", "05", "06", "08", "10", "11", "14", "32", "41", "42"]
# Captured at 60 Hz, whatever the header says.
SLOW = {"75", "77", "93", "103", "106", "139", "141", "143"}
# As in crates/gaitway-eval/src/connectivity/visible.rs.
SEEN, FEWEST = 0.05, 20


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


def rate(person):
    return ["--source-fps", "60"] if person in SLOW else []


def sets(program, data, home):
    """Graphs of the four sets, of clips whose feet were planted before, as the reference had them; and one of 143mix as captured."""
    shutil.copy(data / "labels-gaitway.csv", home)
    graphs = {}
    for name in REFERENCE:
        person = name.removesuffix("mix")
        raw, cleaned = home / "raw" / person, home / "cmu-bvh" / person
        raw.mkdir(parents=True)
        files = (data / "cmu-bvh" / person).glob("*.bvh")
        for clip in sorted(f for f in files if person == name or f.stem[-2:] in MIX):
            shutil.copy(clip, raw)
        if name == "143mix":
            whole = data / "cmu-bvh/143/143_41.bvh"
            run(program, "convert", whole, raw / "143_41.bvh", "--cut", "0..8", *rate(person))
        run(program, "clean", raw, "--to", "bvh", "-o", cleaned, "--quiet", *rate(person))
        graphs[name] = home / f"{name}.gway"
        run(program, "build", cleaned, "-o", graphs[name], "--quiet", "--threshold", "3", "--labels", home / "labels-gaitway.csv")
        run(program, "build", raw, "-o", home / f"raw-{name}.gway", "--quiet", "--threshold", "3", *rate(person))
    return graphs


def evaluate(program, graph, *more):
    return json.loads(run(program, "eval", graph, "--json", *more))["graphs"][0]


def row(found, form, cm):
    return next(m for m in found["measures"] if m["form"] == form and m["threshold_cm"] == cm)


def number(value, digits=2):
    return "–" if value is None else f"{value:.{digits}f}"


def per_cent(value, digits=0):
    return "–" if value is None else f"{100 * value:.{digits}f} %"


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


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
        wider = evaluate(program, graph, "--no-ends", "--threshold", ",".join(map(str, THRESHOLDS)), "--form", "bounded", "--bound", "2", "--ways", "0", "--samples", EXACT)
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


def people(program, data, home, of):
    """What is seen, by person of one folder of the data; and those without any two frames that meet."""
    found, none = {}, []
    for person in sorted(p for p in (data / of).iterdir() if p.is_dir()):
        if len(list(person.glob("*.bvh"))) < 2:
            continue
        graph = home / f"{of}-{person.name}.gway"
        run(program, "build", person, "-o", graph, "--quiet", "--threshold", "6", "--skip-bad", "--largest-group", *rate(person.name))
        try:
            seen = evaluate(program, graph, "--visible", "--threshold", "15", "--form", "cut", "--samples", "1", "--ways", "0")
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


def main():
    args = argparse.ArgumentParser()
    args.add_argument("program", type=lambda p: pathlib.Path(p).resolve())
    args.add_argument("data", type=lambda p: pathlib.Path(p).resolve())
    args.add_argument("--out", type=pathlib.Path)
    args.add_argument("--picture", type=pathlib.Path)
    args = args.parse_args()
    program = args.program
    listed = ",".join(map(str, THRESHOLDS))
    with tempfile.TemporaryDirectory() as home:
        home = pathlib.Path(home)
        graphs = sets(program, args.data, home)
        plain = {n: evaluate(program, g, "--no-ends", "--threshold", listed, "--form", ",".join(FORMS), "--samples", EXACT) for n, g in graphs.items()}
        cuts = ("--threshold", listed, "--form", "cut", "--samples", "1", "--ways", "0")
        raw = {n: evaluate(program, home / f"raw-{n}.gway", "--no-ends", *cuts) for n in graphs}
        ends = {n: evaluate(program, g, *cuts) for n, g in graphs.items()}
        edge = evaluate(program, graphs["143mix"], "--no-ends", "--threshold", "2,2.02", "--form", "cut", "--samples", "1", "--ways", "0")
        if args.picture:
            names = [graphs[n] for n in graphs]
            run(program, "eval", *names, "--no-ends", "--threshold", "2", "--form", "cut", "--ways", "0", "--show", "reach", "--plot", args.picture.resolve())
        far = far_from_reference(plain)
        parts = [
            "# Connectivity",
            "Made by `benches/connectivity.sh` (needs `GAITWAY_DATA`). Measures and forms are explained in [the book](../book/concepts/connectivity.md). \"143mix\" is CMU 143_01, 02, 03, 05, 06, 08, 10, 11, 14, 32, 42 and the first 8 s of 143_41 at 60 Hz; "
            "16, 69 and 83 are all clips of these subjects here. The CMU data used in this project was obtained from mocap.cs.cmu.edu. The database was created with funding from NSF EIA-0196217.",
            "Plain graphs, without interpolation: 30 Hz, window of 15 frames with triangular weights, 28 markers, no mirrored copies; feet planted by `gaitway clean` before (the reference had 2,714 frames of 143mix); joins at local minima of the distance below one threshold T for all labels, over whole windows alone (`--no-ends`) unless said. "
            "Behaviours are the labels of whole clips, so LM leans on how clips were named.",
            table(["set", "clips", "frames", "seconds", "candidates", "near ends"], [[n, g["clips"], g["frames"], number(g["seconds"], 1), g["candidates"], g["end_candidates"]] for n, g in plain.items()]),
            "## Largest component (Table 2)",
            "Per cent of captured frames, `cut`; in brackets what a slow reference of ours found.",
            components(plain, True),
            f"More than 5 points from the reference: {'; '.join(far) if far else 'none'}. There the component hangs on single joins: 143mix holds {per_cent(edge['measures'][0]['component']['share'])} at 2.00 cm and {per_cent(edge['measures'][1]['component']['share'])} at 2.02 cm.",
            "What it takes: the same clips as captured, feet not planted (reference in brackets), are farther from it where thresholds are low:",
            components(raw, True),
            "With joins near the ends of clips, feet planted:",
            components(ends, False),
            *(["![Who reaches whom at 2 cm, form cut: white where there is a way (Figure 6)](../pictures/connectivity-reach.png)"] if args.picture else []),
            "## All else at 3 cm",
            others(plain, 3),
            "## Mean time between frames (Figure 7)",
            "Seconds, over all ordered pairs of frames of the component; in brackets what the reference found, where it was told.",
            *times(plain),
            "## Local maneuverability (Table 3)",
            "Equation 3, and the size of the component it is taken over: each threshold over its own.",
            *lms(plain),
            "## From behaviour to behaviour (Table 4)",
            "Seconds in 143mix at 3 cm, `cut`, the least over all frames of the row; – where there is no way. Labels name whole clips, and a clip may have several: then it takes no time.",
            behaviours(plain["143mix"], "cut", 3, "minimum_s"),
            "The mean over the frames of the row:",
            behaviours(plain["143mix"], "cut", 3, "mean_s"),
            "The mean within the bound, `bounded`:",
            behaviours(plain["143mix"], "bounded", 3, "mean_s"),
            "## How much quickest ways bend the truth",
            "√D in centimetres summed over the worst half second of quickest ways between 1,000 random pairs of frames, and the share of ways in which that is above 1.5 and 2 thresholds.",
            bends(plain),
            "What keeping a bound costs: quickest ways within it (`bounded`) against those without (`decay`), over the same frames; – where some pairs have no way within the bound, since the mean would be over others.",
            price(program, graphs, plain),
            *visible(program, args.data, home),
        ]
    text = "\n\n".join(parts) + "\n"
    if args.out:
        args.out.write_text(text)
    else:
        print(text)


if __name__ == "__main__":
    main()
