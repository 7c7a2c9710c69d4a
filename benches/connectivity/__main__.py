#!/usr/bin/env python3
"""Measures plain and well-connected graphs of four sets of real clips, and on many people the distance at which joins begin to be seen.

    python3 benches/connectivity GAITWAY DATA [--out FILE.md] [--picture FILE.png] [--home FOLDER] [--times] [--sets 143mix,83]

With --home graphs are kept there, and made only where they are missing; --times makes only those whose time is taken, on a machine that does nothing
else: the page then takes these times. --sets, to try something: only these of the four, 143mix among them.
"""

import argparse
import pathlib
import tempfile

import cost
import enriched
import plain
import played
import where
from shared import SETS, number, sets, table
from summary import summary
from visible import visible
from workshop import Workshop


def main():
    args = argparse.ArgumentParser()
    args.add_argument("program", type=lambda p: pathlib.Path(p).resolve())
    args.add_argument("data", type=lambda p: pathlib.Path(p).resolve())
    args.add_argument("--out", type=pathlib.Path)
    args.add_argument("--picture", type=pathlib.Path)
    args.add_argument("--home", type=pathlib.Path)
    args.add_argument("--times", action="store_true")
    args.add_argument("--sets", type=lambda s: s.split(","), default=list(SETS))
    args = args.parse_args()
    if "143mix" not in args.sets or not set(args.sets) <= set(SETS):
        raise SystemExit(f"--sets: 143mix and any of {', '.join(SETS)}")
    SETS[:] = args.sets
    with tempfile.TemporaryDirectory() as temporary:
        home = args.home.resolve() if args.home else pathlib.Path(temporary)
        home.mkdir(parents=True, exist_ok=True)
        graphs = sets(args.program, args.data, home)
        workshop = Workshop(args.program, home)
        # First, since nothing else runs yet.
        timed, grown = cost.measure(workshop)
        if args.times:
            print(cost.time_table(timed), cost.growth_table(grown), sep="\n\n")
            return
        workshop.make(enriched.specs())
        text = "\n\n".join(page(args, graphs, workshop, timed, grown)) + "\n"
    if args.out:
        args.out.write_text(text)
    else:
        print(text)


def page(args, graphs, workshop, timed, grown):
    of_plain = plain.Plain(args.program, graphs, workshop.home)
    found = enriched.Found(workshop, of_plain.all)
    ways = played.measure(workshop)
    places = where.measure(args.program, args.data, workshop.home, args.picture and args.picture.resolve().parent)
    pictured = []
    if args.picture:
        enriched.picture(found, args.picture.resolve())
        pictured = ["![Who reaches whom at 2 cm, form cut: white where there is a way (Figure 6)](../pictures/connectivity-reach.png)"]
    return [
        "# Connectivity",
        "Made by `benches/connectivity.sh` (needs `GAITWAY_DATA`). How far standard motion graphs and well-connected ones (`gaitway enrich`) hold together, how soon they answer, and what is seen of it. "
        "Measures and forms are explained in [the book](../book/concepts/connectivity.md).",
        *summary(found, timed, ways),
        "## The data",
        "\"143mix\" is CMU 143_01, 02, 03, 05, 06, 08, 10, 11, 14, 32, 42 and the first 8 s of 143_41 at 60 Hz; "
        "16, 69 and 83 are all clips of these subjects here. The CMU data used in this project was obtained from mocap.cs.cmu.edu. The database was created with funding from NSF EIA-0196217.",
        "30 Hz, window of 15 frames with triangular weights, 28 markers, no mirrored copies; feet planted by `gaitway clean` before (the reference had 2,714 frames of 143mix); joins at local minima of the distance below one threshold T for all labels, over whole windows alone (`--no-ends`) unless said, in plain and well-connected graphs alike. "
        "Behaviours are the labels of whole clips, so LM leans on how clips were named. The *reference* is a slow program of ours that made both kinds of graphs.",
        table(["set", "clips", "frames", "seconds", "candidates", "near ends"], [[n, g["clips"], g["frames"], number(g["seconds"], 1), g["candidates"], g["end_candidates"]] for n, g in of_plain.all.items()]),
        "## How soon: joins that fade",
        "What is played. LM of the well-connected graph over LM of the plain one, at 3 cm, over the same frames: those of the plain graph's component. Joins fade, and what any half second of a way jumps keeps a bound, in both graphs: twice the threshold, which enriched graphs keep by construction, and one and a half times. "
        "*As played*: transitions as long as they last, blends of half a second in the plain graph, joins that fade over a quarter in the other. μ = 5 is what `enrich` does where nobody asks for another, μ = 1 keeps all that best ways need.",
        enriched.lm_fading_bars(found),
        "LM itself, in seconds:",
        enriched.lm_seconds(found),
        "## At equal visible quality",
        f"{played.WAYS} quickest ways between the same random pairs of captured frames, made into motion by plain graphs of several thresholds and by the well-connected one at 3 cm (3 weights, μ = 5; μ = 1 beside it). What is seen is measured before feet are planted. *Worst joint jumps*: where two clips meet, how far the worst joint of one is from where the other has it, which a blend or a fade has to bridge; "
        "*other feet stand*: share of transitions; *pops*: share of transitions in which a joint is thrown harder than in its sources, as `quality` lists it.",
        played.equal_table(ways),
        "All ways:",
        played.ways_table(ways),
        "## Where it matters",
        "Paths with plain graphs and the same graphs enriched (3 weights, 3 cm, μ = 5), no `--bend`, default budgets; error to the nearest point of the path, and to the point at the same arc length. In graphs of 10 cm plain transitions are many, and `enrich` adds joins of 3 cm that fade over a quarter of a second.",
        where.where_table(places),
        where.words(places),
        where.feet_table(places),
        *(["![Walk then sneak along hello, plain](../pictures/connectivity-hello-plain.png)", "![The same, well connected: the walk keeps to the path, and the sneak still goes straight ahead](../pictures/connectivity-hello-better.png)"] if args.picture else []),
        "## Joins of one frame, as in the paper",
        "Largest component (`enrich --form frame --mu 1`, form `cut`), per cent of captured frames:",
        enriched.component_bars(found),
        "LM well connected over LM plain at 3 cm, over the same frames:",
        enriched.lm_cut_bars(found),
        "Such ways are morphs: many small cuts in half a second, each below the threshold, that no viewer would take for one motion (see [below](#how-much-quickest-ways-bend-the-truth)). They are here to be held against the paper.",
        "### Largest component by threshold (Table 2)",
        "Per cent of captured frames, plain → well connected with 3 weights (reference) · with joins near the ends of clips.",
        enriched.components_by_threshold(found),
        "More weights never make it smaller (joins that fade, 3 cm, measured as `cut`):",
        enriched.nested_table(found),
        *pictured,
        "### Mean time by threshold (Figure 7)",
        "Seconds between frames of the component: plain → well connected, each over its own · well connected over the frames of the plain one's. In well-connected graphs from 128 frames, hence the errors.",
        enriched.times_by_threshold(found),
        "### Local maneuverability by threshold (Table 3)",
        "Equation 3 in seconds, and the frames of the component it is over: plain → well connected, each over its own · well connected over the frames of the plain one's.",
        enriched.lms_by_threshold(found),
        "### 143mix by threshold, joins that fade",
        "Plain → well connected (3 weights, μ = 5), within 2 T.",
        enriched.fading_by_threshold(found),
        "### From behaviour to behaviour (Table 4)",
        "Seconds in 143mix at 3 cm, `cut`, plain → well connected over the same frames, the least over all frames of the row; – where there is no way. Labels name whole clips, and a clip may have several: then it takes no time.",
        enriched.behaviours(found, "minimum_s"),
        "The mean over the frames of the row:",
        enriched.behaviours(found, "mean_s"),
        "## Size and quality: μ (Table 5)",
        "143mix, 3 weights, 3 cm, joins that fade, LM within 2 T:",
        enriched.mu_table(found),
        "All sets, 3 weights; LM over the frames of the plain graph's component. Asked for of μ = 5: LM at most 25 % above that of μ = 1 (69: 30 %), at most a quarter of its frames and 6 for each captured one.",
        enriched.mu_bars(found),
        "## Time, memory, growth",
        "143mix, joins that fade, 3 cm, μ = 5, two cores; interpolating, comparing and reducing as `enrich --report` tells them, all with reading and writing.",
        cost.time_table(timed),
        "The first clips of 143mix (3 weights, the same else):",
        cost.growth_table(grown),
        *of_plain.sections(),
        *visible(args.program, args.data, workshop.home),
    ]


if __name__ == "__main__":
    main()
