"""What the page says, in short: which bars are met and which are missed."""

from enriched import CUT_WEIGHTS, LM_CUT, LM_FADING, MADE, MU_LM, MU_NODES, MU_PER_FRAME, component_rows
from cost import BARS
from played import SEEN, equal
from shared import SETS, number, ratio
from workshop import Spec


def summary(found, timed, ways):
    lines = [*fading(found), visible_quality(ways), components(found), *cuts(found), *mus(found), *costs(timed)]
    return ["## What it says", "\n".join(f"- {line}" for line in lines)]


def sentence(what, bars):
    """Bars as (name, value, bar, whether met): all met, or which are not."""
    missed = [f"{name} {value} (asked {bar})" for name, value, bar, holds in bars if not holds]
    reached = [f"{name} {value} (asked {bar})" for name, value, bar, holds in bars if holds]
    parts = []
    if reached:
        parts.append(f"met {len(reached)} of {len(bars)}: {', '.join(reached)}")
    if missed:
        parts.append(f"**missed** {', '.join(missed)}")
    return f"{what}: {'; '.join(parts)}."


def at_most(name, value, bar):
    return (name, number(value), f"≤ {bar:.2f}", value is not None and value <= bar)


def fading(found):
    out = []
    for which, (weights, mu) in enumerate(MADE, 1):
        how = f"{weights} weights, μ = {mu}" + (", the default" if which == 1 else "")
        bars = [at_most(name, found.fading_ratio(name, 2, which), LM_FADING[name]) for name in SETS]
        out.append(sentence(f"**How soon, joins that fade** (LM × at 3 cm within 2 T, {how})", bars))
    bars = [at_most(name, found.fading_ratio(name, 1.5, len(MADE)), LM_FADING[name]) for name in SETS]
    out.append(sentence("The last within 1.5 T", bars))
    return out


def visible_quality(ways):
    parts = []
    of, _ = SEEN["worst joint jumps"]
    for name, all_made in ways.items():
        *plain, better, _ = all_made
        there = equal([*plain, better], of)
        taken = better["seconds"] / max(better["ways"], 1)
        if there:
            parts.append(f"{name} {taken:.2f} s a way against {there[1]:.2f} s of the plain graph at {there[0]:.1f} cm")
        else:
            parts.append(f"{name} {taken:.2f} s a way, and the plain graph's joints jump less even at its highest threshold")
    return f"**At equal visible quality** (as far as the worst joint jumps; slide and feet [below](#at-equal-visible-quality)): {'; '.join(parts)}."


def components(found):
    bars = []
    for name, weights, cm, asked, _ in component_rows():
        share = 100 * found.asked[name, weights, cm]
        bars.append((f"{name} at {cm} cm, {weights} weights", f"{share:.1f} %", f"≥ {asked}", share >= asked))
    return sentence("**Largest component**, joins of one frame", bars)


def cuts(found):
    for weights in CUT_WEIGHTS:
        yield sentence(f"LM × at 3 cm, joins of one frame, {weights} weights", [at_most(n, found.cut_ratio(n, weights), LM_CUT[n]) for n in SETS])


def mus(found):
    grown = [at_most(name, found.mu_ratio(name), MU_LM[name]) for name in SETS]
    kept = []
    for name in SETS:
        all_of, few = (found.workshop.report(Spec(name, mu=mu)) for mu in (1, 5))
        kept.append(at_most(name, ratio(few["kept"][1], all_of["kept"][1]), MU_NODES))
    most = max(found.workshop.report(Spec(name))["kept"][1] / found.workshop.report(Spec(name))["frames"] for name in SETS)
    yield sentence("**μ = 5** against μ = 1, LM × (3 weights)", grown)
    yield sentence("its interpolated frames ×", kept) + f" For each captured frame at most {most:.1f} (asked ≤ {MU_PER_FRAME})."


def costs(timed):
    bars = []
    for weights, most_s, most_mib in BARS:
        t = timed[weights]
        bars.append((f"{weights} weights", f"{t['wall_s']:.0f} s", f"≤ {most_s}", t["wall_s"] <= most_s))
        bars.append((f"{weights} weights", f"{t['peak_mib']:.0f} MiB", f"≤ {most_mib}", t["peak_mib"] <= most_mib))
    yield sentence("**Time and memory**, 143mix", bars)
