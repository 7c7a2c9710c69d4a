#!/usr/bin/env python3
"""Measures graphs of four sets of real clips with `gaitway eval`, and on many people the distance at which cuts begin to be seen.

    connectivity.py GAITWAY DATA [--out FILE.md] [--no-people]
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

THRESHOLDS = [1, 2, 3, 4, 6, 10]
FORMS = ["cut", "decay", "blend"]
# Share of frames in the largest component that a slow reference of our own found (cut form, per cent), by set and cm.
REFERENCE = {
    "143mix": {1: 6, 2: 44, 3: 66, 4: 79, 6: 84, 10: 86},
    "16": {1: 3, 2: 24, 3: 34, 4: 60, 6: 64, 10: 64},
    "69": {1: 0, 2: 15, 3: 39, 4: 45, 6: 56, 10: 89},
    "83": {1: 8, 2: 26, 3: 49, 4: 50, 6: 84, 10: 86},
}
MIX = ["01", "02", "03", "05", "06", "08", "10", "11", "14", "32", "42"]
LISTS = {"16": "subject-16-walk-run-jump", "69": "subject-69-walk-turn-pick", "83": "subject-83-step-lengths"}
# Least clips of a person whose T_vis is measured.
CLIPS = 3


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


def build(program, inputs, out, *more):
    run(program, "build", *inputs, "-o", out, "--quiet", *more)
    return out


def sets(program, data, folder):
    """The four sets as graphs, feet planted before, as the reference had them."""
    labels = ["--labels", data / "labels-gaitway.csv"]
    mix = folder / "cmu-bvh" / "143"
    mix.mkdir(parents=True)
    for number in MIX:
        (mix / f"143_{number}.bvh").symlink_to(data / "cmu-bvh" / "143" / f"143_{number}.bvh")
    run(program, "convert", data / "cmu-bvh" / "143" / "143_41.bvh", mix / "143_41.bvh", "--source-fps", "60", "--cut", "0..8")
    graphs = {"143mix": build(program, [mix], folder / "143mix.gway", "--source-fps", "60", "--threshold", "3", *labels)}
    for name, listed in LISTS.items():
        at = [f"@{data / 'sets' / (listed + '.txt')}"]
        graphs[name] = build(program, at, folder / f"{name}.gway", "--threshold", "3", *labels)
    return graphs


def evaluate(program, graph, *more):
    return json.loads(run(program, "eval", graph, "--json", *more))["graphs"][0]


def number(value, digits=2, unit=""):
    return "–" if value is None else f"{value:.{digits}f}{unit}"


def per_cent(value):
    return "–" if value is None else f"{100 * value:.0f} %"


def table(head, rows):
    lines = [" | ".join(head), " | ".join("---" for _ in head), *(" | ".join(r) for r in rows)]
    return "\n".join(f"| {line} |" for line in lines)


def component_table(found):
    head = ["√D, cm", *found]
    rows = []
    for cm in THRESHOLDS:
        cells = []
        for name, graph in found.items():
            row = next(m for m in graph["measures"] if m["form"] == "cut" and m["threshold_cm"] == cm)
            cells.append(f"{100 * row['component']['share']:.0f} ({REFERENCE[name][cm]})")
        rows.append([str(cm), *cells])
    return table(head, rows)


def form_table(found, form):
    head = ["set", "cm", "joins", "component", "dead ends", "passed", "reach", "mean s", "LM s", "table 4 min", "mean", "½ s cm, mean", "p95", "above 1.5 T", "joins/s"]
    rows = []
    for name, graph in found.items():
        for m in (m for m in graph["measures"] if m["form"] == form):
            lm, bend, time = m["maneuverability"] or {}, m["bend"] or {}, m["mean_time"] or {}
            half = bend.get("half_second_cm", {})
            rows.append([
                name,
                f"{m['threshold_cm']:g}",
                str(m["joins"]),
                per_cent(m["component"]["share"]),
                per_cent(m["dead_ends"]),
                per_cent(m["coverage"]),
                per_cent(m["reach"]),
                number(time.get("seconds")) + ("" if time.get("exact", True) else f" ± {time['error_s']:.2f}"),
                number(lm.get("lm_s")),
                number(lm.get("table4_minimum_s")),
                number(lm.get("table4_mean_s")),
                number(half.get("mean"), 1),
                number(half.get("p95"), 1),
                per_cent(bend.get("above_one_and_a_half")),
                number(bend.get("joins_per_s"), 1),
            ])
    return table(head, rows)


def people(program, data, folder, of):
    """T_vis by person of one folder of the data."""
    found = {}
    for person in sorted(p for p in (data / of).iterdir() if p.is_dir()):
        if len(list(person.glob("*.bvh"))) < CLIPS:
            continue
        rate = ["--source-fps", "60"] if person.name in ("75", "77", "143") else []
        graph = folder / f"{of}-{person.name}.gway"
        try:
            build(program, [person], graph, "--threshold", "6", "--skip-bad", *rate)
            row = evaluate(program, graph, "--visible", "--threshold", "10", "--form", "cut", "--samples", "1", "--ways", "0")
        except RuntimeError as error:
            found[person.name] = str(error).splitlines()[1]
            continue
        found[person.name] = row["visible"]
    return found


def people_rows(found):
    told = {name: row["cm"] for name, row in found.items() if isinstance(row, dict)}
    known = sorted(cm for cm in told.values() if cm is not None)
    left = [name for name, row in found.items() if not isinstance(row, dict)]
    if not known:
        return "nobody", left, told
    words = f"{statistics.median(known):.1f} ({known[0]:.1f} to {known[-1]:.1f}) of {len(known)} people; {len(told) - len(known)} do not tell"
    return words, left, told


def seen_table(found):
    head = ["√D, cm", "cuts", "seen", "worst joint jumps, cm", "feet differ"]
    bins = {}
    for row in (r for person in found.values() if isinstance(person, dict) for r in person["rows"]):
        bins.setdefault(row["from_cm"], []).append(row)
    rows = []
    for at in sorted(bins):
        cuts = sum(r["cuts"] for r in bins[at])
        mean = lambda of: sum(of(r) * r["cuts"] for r in bins[at]) / cuts
        feet = [r for r in bins[at] if r["contacts_differ"] is not None]
        differ = sum(r["contacts_differ"] * r["cuts"] for r in feet) / max(1, sum(r["cuts"] for r in feet))
        rows.append([f"{at:.0f}–{at + 1:.0f}", str(cuts), f"{100 * mean(lambda r: r['seen']):.1f} %", f"{mean(lambda r: r['jump_cm']['mean']):.1f}", f"{100 * differ:.0f} %"])
    return table(head, rows)


def main():
    args = argparse.ArgumentParser()
    args.add_argument("program", type=lambda p: pathlib.Path(p).resolve())
    args.add_argument("data", type=lambda p: pathlib.Path(p).resolve())
    args.add_argument("--out", type=pathlib.Path)
    args.add_argument("--no-people", action="store_true")
    args = args.parse_args()
    with tempfile.TemporaryDirectory() as home:
        home = pathlib.Path(home)
        graphs = sets(args.program, args.data, home)
        listed = ",".join(map(str, THRESHOLDS))
        plain = {n: evaluate(args.program, g, "--no-ends", "--threshold", listed, "--form", ",".join(FORMS)) for n, g in graphs.items()}
        ends = {n: evaluate(args.program, g, "--threshold", listed, "--form", "cut", "--ways", "0") for n, g in graphs.items()}
        parts = [
            "# Connectivity",
            "Made by `benches/connectivity.sh` (needs `GAITWAY_DATA`). Measures are explained in [the book](../book/concepts/connectivity.md). \"143mix\" is CMU 143_01, 02, 03, 05, 06, 08, 10, 11, 14, 32, 42 and the first 8 s of 143_41 at 60 Hz; "
            "16, 69 and 83 are these subjects. 30 Hz, window of 15 frames, no mirrored copies.",
            table(["set", "clips", "frames", "seconds", "candidates", "near ends"], [[n, str(g["clips"]), str(g["frames"]), f"{g['seconds']:.1f}", str(g["candidates"]), str(g["end_candidates"])] for n, g in plain.items()]),
            "## Largest component, cut form\n\nPer cent of captured frames, joins over whole windows alone; a slow reference of ours in brackets.",
            component_table(plain),
            "With joins near the ends of clips:",
            component_table(ends),
        ]
        for form in FORMS:
            parts += [f"## All measures, `{form}`", form_table(plain, form)]
        if not args.no_people:
            chosen, reported = (people(args.program, args.data, home, of) for of in ("cmu-bvh", "cmu-wide"))
            parts.append("## The visible threshold\n\nThe √D at which one cut in twenty is seen; median (least to most). 3 cm was chosen on people of the first set; nothing was changed for those of the second.")
            parts.append(table(["people", "T_vis, cm"], [["cmu-bvh", people_rows(chosen)[0]], ["cmu-wide", people_rows(reported)[0]]]))
            for name, found in (("cmu-bvh", chosen), ("cmu-wide", reported)):
                parts += [f"Cuts of all people of {name}:", seen_table(found)]
                left = people_rows(found)[1]
                if left:
                    parts.append(f"Left out, since no graph could be built: {', '.join(left)}.")
        text = "\n\n".join(parts) + "\n"
    if args.out:
        args.out.write_text(text)
    else:
        print(text)


if __name__ == "__main__":
    main()
