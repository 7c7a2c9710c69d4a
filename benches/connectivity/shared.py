"""What all parts of the page use: the program, the sets, numbers in words."""

import json
import pathlib
import shutil
import subprocess

THRESHOLDS = [1, 2, 3, 4, 6, 10]
# Thresholds of well-connected graphs; at 10 cm plain ones hold together, too, and joins are seen.
ENRICHED = [1, 2, 3, 4, 6]
SETS = ["143mix", "16", "69", "83"]
FORMS = ["cut", "decay", "bounded", "blend"]
# More frames to search from than any set has.
EXACT = 100_000
# Frames to search from in well-connected graphs: means then have errors, LM and components do not.
SOME = 128
MIX = ["01", "02", "03", "05", "06", "08", "10", "11", "14", "32", "41", "42"]
# Captured at 60 Hz, whatever the header says.
SLOW = {"75", "77", "93", "103", "106", "139", "141", "143"}


def run(*command, env=None):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, env=env)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


def rate(person):
    return ["--source-fps", "60"] if person in SLOW else []


def sets(program, data, home):
    """Graphs of the four sets, of clips whose feet were planted before, as the reference had them; and one of 143mix as captured."""
    shutil.copy(data / "labels-gaitway.csv", home)
    graphs = {}
    for name in SETS:
        person = name.removesuffix("mix")
        raw, cleaned = home / "raw" / person, home / "cmu-bvh" / person
        graphs[name] = home / f"{name}.gway"
        if graphs[name].exists():
            continue
        raw.mkdir(parents=True, exist_ok=True)
        files = (data / "cmu-bvh" / person).glob("*.bvh")
        for clip in sorted(f for f in files if person == name or f.stem[-2:] in MIX):
            shutil.copy(clip, raw)
        if name == "143mix":
            whole = data / "cmu-bvh/143/143_41.bvh"
            run(program, "convert", whole, raw / "143_41.bvh", "--cut", "0..8", *rate(person))
        run(program, "clean", raw, "--to", "bvh", "-o", cleaned, "--quiet", *rate(person))
        run(program, "build", raw, "-o", home / f"raw-{name}.gway", "--quiet", "--threshold", "3", *rate(person))
        built(program, home, [cleaned], graphs[name])
    return graphs


def built(program, home, clips, graph):
    run(program, "build", *clips, "-o", graph, "--quiet", "--threshold", "3", "--labels", home / "labels-gaitway.csv")
    return graph


def evaluate(program, *graphs_and_more):
    return json.loads(run(program, "eval", "--json", *graphs_and_more))["graphs"]


def row(found, form, cm):
    return next(m for m in found["measures"] if m["form"] == form and m["threshold_cm"] == cm)


def lm(measure):
    return measure["maneuverability"] and measure["maneuverability"]["lm_s"]


def lm_frames(measure):
    """The same from every frame: what two graphs are compared by, since each has segments of its own."""
    return measure["maneuverability"] and measure["maneuverability"]["lm_from_frames_s"]


def same(of, measure):
    """Something over the frames of the plain graph's component."""
    over = measure.get("same_frames")
    return over and of(over)


def ratio(a, b):
    return a / b if a is not None and b else None


def number(value, digits=2):
    return "–" if value is None else f"{value:.{digits}f}"


def per_cent(value, digits=0):
    return "–" if value is None else f"{100 * value:.{digits}f} %"


def seconds(measure):
    """Mean time with its error where frames were drawn, and the share of pairs where some have no way."""
    time = measure["mean_time"]
    if time is None:
        return "–"
    error = "" if time["exact"] else f" ± {time['error_s']:.2f}"
    return f"{time['seconds']:.2f}{error}"


def met(holds):
    return "met" if holds else "**missed**"


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)
