"""Times every BVH reader on the same files, one core, one run; writes docs/results/bvh.md. Called by bvh.sh."""

import contextlib
import importlib.metadata
import io
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

os.environ["OMP_NUM_THREADS"] = "1"
import bvhio
import bvhsdk
import numpy

PEERS = sys.argv[1]
DATA = pathlib.Path(os.environ["GAITWAY_DATA"])
BARS = {"bvh_anim": 3, "bvhsdk": 15, "bvhio": 30, "numpy.fromstring": 4}
# The fastest two are timed so often over, because a machine that others use too shifts them against one another.
ROUNDS = 5
SETS = {
    "CMU 02, 5 clips": sorted((DATA / "cmu-bvh/02").glob("*.bvh")),
    "Bandai Namco, first 3 clips": sorted((DATA / "bandai-namco-bvh").glob("*.bvh"))[:3],
    "LAFAN1, 1 clip": sorted((DATA / "lafan1-bvh").glob("*.bvh")),
}


def median_time(repetitions, work):
    seconds = []
    for _ in range(repetitions):
        start = time.perf_counter()
        with contextlib.redirect_stdout(io.StringIO()):
            work()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def motion_text(path):
    """The numbers of a file as one text, as numpy wants them."""
    text = path.read_text(encoding="latin-1")
    at = text.index("Frame Time")
    return text[text.index("\n", at) + 1 :]


def pairs(*arguments):
    out = subprocess.run([PEERS, *map(str, arguments)], check=True, capture_output=True, text=True).stdout
    return {name: float(value) for name, value in (line.split() for line in out.splitlines())}


def rounds(repetitions, files):
    """Both fastest readers in several rounds: the round with the median ratio, and all ratios in order."""
    runs = sorted((pairs("time", repetitions, *files) for _ in range(ROUNDS)), key=lambda t: t["bvh_anim"] / t["gaitway"])
    return runs[len(runs) // 2], [t["bvh_anim"] / t["gaitway"] for t in runs]


def time_set(files):
    times, ratios = rounds(15, files)
    texts = [motion_text(f) for f in files]
    times["numpy.fromstring"] = median_time(5, lambda: [numpy.fromstring(t, sep=" ") for t in texts])
    times["bvhsdk"] = median_time(3, lambda: [bvhsdk.ReadFile(str(f)) for f in files])
    times["bvhio"] = median_time(3, lambda: [bvhio.readAsBvh(str(f)) for f in files])
    return times, ratios


def machine():
    with open("/proc/cpuinfo") as info:
        model = next(line.split(":")[1].strip() for line in info if line.startswith("model name"))
    return f"{model}, {platform.system()} {platform.machine()}, one core of {os.cpu_count()}, load average {os.getloadavg()[0]:.1f}"


def table(results):
    lines = ["| files | reader | median | MB/s | gaitway is faster by | bar |", "| --- | --- | --- | --- | --- | --- |"]
    for name, (size, (times, _)) in results.items():
        ours = times["gaitway"]
        lines.append(f"| {name} ({size / 1e6:.1f} MB) | gaitway | {ours * 1e3:.2f} ms | {size / ours / 1e6:.0f} | | |")
        for reader, bar in BARS.items():
            t = times[reader]
            lines.append(f"| | {reader} | {t * 1e3:.1f} ms | {size / t / 1e6:.1f} | {t / ours:.1f} × | {bar} × |")
    return lines


def steadiness(results, whole_ratios):
    """How far the ratios to bvh_anim moved from round to round, and which bars did not hold."""
    spreads = {name: ratios for name, (_, (_, ratios)) in results.items()}
    spreads["all CMU clips"] = whole_ratios
    said = ", ".join(f"{low:.1f} to {high:.1f} × on {name}" for name, (low, *_, high) in spreads.items())
    bar = BARS["bvh_anim"]
    below = [f"{name} ({sum(r < bar for r in ratios)} of {ROUNDS} rounds)" for name, ratios in spreads.items() if ratios[0] < bar]
    missed = [
        f"{reader} on {name}"
        for name, (_, (times, _)) in results.items()
        for reader, least in BARS.items()
        if reader != "bvh_anim" and times[reader] / times["gaitway"] < least
    ]
    lines = [
        f"bvh_anim was timed in {ROUNDS} rounds and the table has the round in the middle. A machine that others use too shifts the two",
        f"against one another; from round to round the ratio was {said}.",
        f"Below the bar of {bar} ×: {', '.join(below)}." if below else f"No round fell below the bar of {bar} ×.",
        f"Bars of the other readers that did not hold: {', '.join(missed)}." if missed else "All other bars held.",
    ]
    return lines


def memory_lines():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "large.bvh"
        subprocess.run([PEERS, "make", path, "200"], check=True)
        m = pairs("memory", path)
    own = m["peak_above_idle"] - m["file_pages"]
    return [
        f"A synthetic file of {m['file'] / 1e6:.0f} MB ({m['frames']:.0f} frames, 31 joints) is read through a memory map in "
        f"{m['seconds']:.2f} s ({m['file'] / m['seconds'] / 1e6:.0f} MB/s).",
        f"The decoded clip takes {m['decoded'] / 1e6:.0f} MB. Peak memory above idle: {m['peak_above_idle'] / 1e6:.0f} MB "
        f"({m['peak_above_idle'] / m['decoded']:.2f} × the clip; bar 3 ×), pages of the mapped file included; "
        f"without them {own / 1e6:.0f} MB ({own / m['decoded']:.2f} ×).",
    ]


def main():
    warnings.simplefilter("ignore")
    os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[-1]})
    results = {name: (sum(f.stat().st_size for f in files), time_set(files)) for name, files in SETS.items()}
    cmu = sorted((DATA / "cmu-bvh").rglob("*.bvh"))
    size = sum(f.stat().st_size for f in cmu)
    whole, whole_ratios = rounds(5, cmu)
    versions = ", ".join(f"{p} {importlib.metadata.version(p)}" for p in ("numpy", "bvhsdk", "bvhio"))
    lines = [
        "# Reading BVH",
        "",
        "Made by `benches/bvh.sh`. All readers run one after another on the same files, pinned to one core; medians of",
        f"15 (gaitway, bvh_anim; {ROUNDS} rounds), 5 (numpy) and 3 (bvhsdk, bvhio) repetitions. gaitway and bvh_anim read from memory,",
        "numpy gets the MOTION text from memory and only parses numbers, bvhsdk (`ReadFile`) and bvhio (`readAsBvh`, its",
        "lighter reader) open the files, which are in the page cache. gaitway's time includes turning angles into",
        "quaternions; bvh_anim and numpy stop at numbers.",
        "",
        f"Machine: {machine()}. Python {platform.python_version()}, {versions}, bvh_anim 0.4.",
        "",
        *table(results),
        "",
        f"All {len(cmu)} CMU clips ({size / 1e6:.0f} MB): gaitway {whole['gaitway']:.3f} s ({size / whole['gaitway'] / 1e6:.0f} MB/s), "
        f"bvh_anim {whole['bvh_anim']:.3f} s, {whole['bvh_anim'] / whole['gaitway']:.1f} ×.",
        "",
        *steadiness(results, whole_ratios),
        "",
        "## Memory",
        "",
        *memory_lines(),
        "",
    ]
    target = pathlib.Path("docs/results/bvh.md")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("\n".join(lines), encoding="utf-8")
    print("\n".join(lines))


main()
