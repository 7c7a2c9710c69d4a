"""What making well-connected graphs costs: time, memory, and how they grow with the data."""

from shared import MIX, built, met, number, table
from workshop import Spec

# Of 143mix on two cores: weights, seconds, MiB.
BARS = [(3, 30, 2048), (9, 120, 2048)]
GROWTH = [3, 6, 9]


def measure(workshop):
    """Timed runs, one by one; of smaller sets, the first clips of 143mix."""
    timed = {weights: workshop.timed(Spec("143mix", weights)) for weights, _, _ in BARS}
    home, grown = workshop.home, []
    for count in GROWTH:
        name = f"143first{count}"
        if not (home / f"{name}.gway").exists():
            clips = [home / f"cmu-bvh/143/143_{clip}.bvh" for clip in MIX[:count]]
            built(workshop.program, home, clips, home / f"{name}.gway")
        grown.append((count, workshop.timed(Spec(name))))
    return timed, [*grown, (len(MIX), timed[3])]


def time_table(timed):
    head = ["weights", "frames tried", "interpolating, s", "comparing, s", "reducing, s", "all, s", "asked", "", "most memory, MiB", ""]
    rows = []
    for weights, most_s, most_mib in BARS:
        t = timed[weights]
        stages = [number(s, 1) for s in t["seconds"]]
        rows.append([weights, t["tried"][1], *stages, number(t["wall_s"], 1), f"≤ {most_s}", met(t["wall_s"] <= most_s), number(t["peak_mib"], 0), met(t["peak_mib"] <= most_mib)])
    return table(head, rows)


def growth_table(grown):
    head = ["clips", "captured frames", "pairs of segments", "frames tried", "kept", "for each captured", "joins", "all, s"]
    return table(head, [[n, t["frames"], t["pairs"], t["tried"][1], t["kept"][1], number(t["kept"][1] / t["frames"], 2), t["joins"], number(t["wall_s"], 1)] for n, t in grown])
