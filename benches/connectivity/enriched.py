"""Well-connected graphs against plain ones at equal thresholds."""

from shared import ENRICHED, SETS, SOME, evaluate, lm, lm_frames, met, number, per_cent, ratio, row, run, same, seconds, table
from workshop import Spec

# Set, weights, cm, the share asked for and what the reference found, per cent of captured frames in the largest component of cuts.
COMPONENTS = [("143mix", 9, 2, 88, 92), ("69", 3, 3, 84, 88), ("83", 9, 2, 85, 90), ("16", 3, 3, 60, 64)]
# The same of the reference with 3 weights, by set and cm.
REFERENCE = {
    "143mix": {1: 60, 2: 83, 3: 85, 4: 93, 6: 93},
    "16": {1: 27, 2: 62, 3: 64, 4: 64, 6: 76},
    "69": {1: 34, 2: 67, 3: 88, 4: 89, 6: 89},
    "83": {1: 32, 2: 83, 3: 86, 4: 88, 6: 90},
}
# LM well connected over plain at 3 cm, over the same frames: the most that is asked for.
LM_CUT = {"143mix": 0.40, "69": 0.45, "83": 0.55, "16": 0.40}
LM_FADING = {"143mix": 0.65, "69": 0.70, "83": 0.70, "16": 0.75}
MUS = [1, 2, 5, 10, 20]
# LM with μ = 5 over LM with μ = 1: the most that is asked for; the most nodes, over those of μ = 1 and for each captured frame.
MU_LM = {"143mix": 1.25, "16": 1.25, "69": 1.30, "83": 1.25}
MU_NODES, MU_PER_FRAME = 0.25, 6
NESTED = [1, 3, 7]
# Weights and μ of the graphs whose joins fade.
MADE = [(3, 5), (3, 1), (9, 1)]
# Weights of those whose joins take one frame.
CUT_WEIGHTS = [3, 9]


def component_rows():
    return [c for c in COMPONENTS if c[0] in SETS]


def frame(name, weights=3, cm=3):
    """Joins of one frame, and all that best ways need: to be held against the paper and the reference."""
    return Spec(name, weights, cm, 1, "frame")


def specs():
    """All graphs that are measured here."""
    out = [frame(name, 3, cm) for name in SETS for cm in ENRICHED]
    out += [frame(name, weights, cm) for name, weights, cm, _, _ in component_rows()]
    out += [frame(name, weights) for name in SETS for weights in CUT_WEIGHTS]
    out += [Spec(name, weights, mu=mu) for name in SETS for weights, mu in MADE]
    out += [Spec(name, weights, mu=1) for name in SETS for weights in NESTED]
    out += [Spec("143mix", mu=mu) for mu in MUS]
    out += [Spec("143mix", cm=cm) for cm in ENRICHED]
    return list(dict.fromkeys(out))


class Found:
    """Everything that is measured of well-connected graphs."""

    def __init__(self, workshop, plain):
        self.workshop, self.plain = workshop, plain
        self.cuts = {(n, cm): self.beside(frame(n, 3, cm), "--form", "cut") for n in SETS for cm in ENRICHED}
        self.finer = {(n, w): self.beside(frame(n, w), "--form", "cut") for n in SETS for w in CUT_WEIGHTS}
        self.asked = {(n, w, cm): self.share(frame(n, w, cm)) for n, w, cm, _, _ in component_rows()}
        self.with_ends = {(n, w, cm): self.share(frame(n, w, cm), ends=True) for n, w, cm in self.all_shares()}
        self.nested = {n: [self.share(Spec(n, w, mu=1)) for w in NESTED] for n in SETS}
        self.fading = {n: self.fading_of(n) for n in SETS}
        self.mus = self.eval(["143mix", *(Spec("143mix", mu=mu) for mu in MUS)], 3, "--form", "bounded", "--bound", "2")[1:]
        self.by_cm = {cm: self.beside(Spec("143mix", cm=cm), "--form", "bounded,blend", "--bound", "2") for cm in ENRICHED}

    def all_shares(self):
        return dict.fromkeys([(n, 3, cm) for n in SETS for cm in ENRICHED] + [(n, w, cm) for n, w, cm, _, _ in component_rows()])

    def path(self, graph):
        return self.workshop.graph(graph) if isinstance(graph, Spec) else self.workshop.home / f"{graph}.gway"

    def eval(self, graphs, cm, *more, ends=False, samples=SOME):
        only = [] if ends else ["--no-ends"]
        return evaluate(self.workshop.program, *map(self.path, graphs), "--threshold", cm, "--samples", samples, "--ways", "0", *only, *more)

    def share(self, spec, ends=False):
        [found] = self.eval([spec], spec.cm, "--form", "cut", ends=ends, samples=1)
        return found["measures"][0]["component"]["share"]

    def beside(self, spec, *more):
        """Measures of a well-connected graph, also over the frames of the plain one's component; alone where nothing joins in the plain one."""
        joined = row(self.plain[spec.set], "cut", spec.cm)["joins"] > 0
        return self.eval([spec.set, spec] if joined else [spec], spec.cm, *more)[-1]

    def fading_of(self, name):
        """By bound: the plain graph, then those of MADE."""
        graphs = [name, *(Spec(name, weights, mu=mu) for weights, mu in MADE)]
        wide = self.eval(graphs, 3, "--form", "decay,bounded,blend", "--bound", "2")
        return {2: wide, 1.5: self.eval(graphs, 3, "--form", "bounded", "--bound", "1.5")}

    def fading_ratio(self, name, bound, which, form="bounded", of=lm_frames):
        found = self.fading[name][bound]
        return ratio(same(of, row(found[which], form, 3)), of(row(found[0], form, 3)))

    def cut_ratio(self, name, weights, of=lm_frames):
        return ratio(same(of, row(self.finer[name, weights], "cut", 3)), of(row(self.plain[name], "cut", 3)))

    def mu_ratio(self, name, of=lm_frames):
        """LM of μ = 5 over LM of μ = 1, 3 weights, over the same frames within 2 T."""
        found = self.fading[name][2]
        return ratio(same(of, row(found[1], "bounded", 3)), same(of, row(found[2], "bounded", 3)))


def component_bars(found):
    rows = []
    for name, weights, cm, asked, reference in component_rows():
        share = 100 * found.asked[name, weights, cm]
        plain = row(found.plain[name], "cut", cm)["component"]["share"]
        ends = found.with_ends[name, weights, cm]
        rows.append([name, cm, weights, f"≥ {asked}", f"{share:.1f}", met(share >= asked), reference, f"{100 * plain:.1f}", f"{100 * ends:.1f}"])
    return table(["set", "√D, cm", "weights", "asked, %", "reached", "", "reference", "plain", "with joins near ends"], rows)


def components_by_threshold(found):
    """Table 2: plain → well connected (reference)."""
    rows = []
    for cm in ENRICHED:
        cells = []
        for name in SETS:
            plain = row(found.plain[name], "cut", cm)["component"]["share"]
            share = row(found.cuts[name, cm], "cut", cm)["component"]["share"]
            cells.append(f"{100 * plain:.0f} → {100 * share:.0f} ({REFERENCE[name][cm]}) · {100 * found.with_ends[name, 3, cm]:.0f}")
        rows.append([cm, *cells])
    return table(["√D, cm", *SETS], rows)


def lm_fading_bars(found):
    head = ["set", "asked", "weights", "μ", "within 2 T", "", "within 1.5 T", "", "as played", "by segments: within 2 T", "1.5 T", "as played"]
    rows = []
    for name in SETS:
        bar = LM_FADING[name]
        for which, (weights, mu) in enumerate(MADE, 1):
            cells = []
            for bound in (2, 1.5):
                value = found.fading_ratio(name, bound, which)
                cells += [number(value), verdict(value, bar)]
            cells.append(number(found.fading_ratio(name, 2, which, "blend")))
            by_segments = [found.fading_ratio(name, bound, which, of=lm) for bound in (2, 1.5)]
            by_segments.append(found.fading_ratio(name, 2, which, "blend", lm))
            rows.append([name, f"≤ {bar:.2f}", weights, mu, *cells, *map(number, by_segments)])
    return table(head, rows)


def verdict(value, bar):
    if value is None:
        return "not measured"
    return "met" if value <= bar else f"**missed** by {value - bar:.2f}"


def lm_cut_bars(found):
    rows = []
    for name in SETS:
        plain = lm_frames(row(found.plain[name], "cut", 3))
        for weights in CUT_WEIGHTS:
            value, better = found.cut_ratio(name, weights), same(lm_frames, row(found.finer[name, weights], "cut", 3))
            rows.append([name, f"≤ {LM_CUT[name]:.2f}", weights, number(value), verdict(value, LM_CUT[name]), number(plain), number(better), number(found.cut_ratio(name, weights, lm))])
    return table(["set", "asked", "weights", "LM ×", "", "plain, s", "well connected, s", "by segments ×"], rows)


def lm_seconds(found):
    """LM itself at 3 cm, over the frames of the plain graph's component."""
    head = ["set", "graph", "`decay`", "`bounded`, 2 T", "`bounded`, 1.5 T", "`blend`: as played", "mean time as played, s"]
    names = ["plain", *(f"{weights} weights, μ = {mu}" for weights, mu in MADE)]
    rows = []
    for name in SETS:
        wide, tight = found.fading[name][2], found.fading[name][1.5]
        for which, what in enumerate(names):
            of = lm_frames if which == 0 else lambda m: same(lm_frames, m)
            played = row(wide[which], "blend", 3)
            cells = [of(row(wide[which], "decay", 3)), of(row(wide[which], "bounded", 3)), of(row(tight[which], "bounded", 3)), of(played)]
            rows.append([name, what, *map(number, cells), seconds(played if which == 0 else played["same_frames"])])
    return table(head, rows)


def mu_table(found):
    """Table 5."""
    rows = []
    for mu, measured in zip(MUS, found.mus):
        report = found.workshop.report(Spec("143mix", mu=mu))
        m = row(measured, "bounded", 3)
        size = found.workshop.graph(Spec("143mix", mu=mu)).stat().st_size / 2**20
        kept = report["kept"][1]
        rows.append([mu, kept, number(kept / report["frames"], 1), number(1 + kept / report["frames"], 1), report["joins"], number(lm(m)), number(same(lm_frames, m)), number(size, 1)])
    return table(["μ", "interpolated frames", "for each captured", "size factor", "joins", "LM (equation 3), s", "from the plain one's frames, s", "file, MB"], rows)


def mu_bars(found):
    head = ["set", "frames kept, μ = 1", "μ = 5", "share", "", "for each captured", "", "LM × from μ = 1 to 5", ""]
    rows = []
    for name in SETS:
        all_of, few = (found.workshop.report(Spec(name, mu=mu)) for mu in (1, 5))
        share, each = ratio(few["kept"][1], all_of["kept"][1]), few["kept"][1] / few["frames"]
        grown = found.mu_ratio(name)
        grown_met = verdict(grown, MU_LM[name])
        rows.append([name, all_of["kept"][1], few["kept"][1], per_cent(share), met(share <= MU_NODES), number(each, 1), met(each <= MU_PER_FRAME), number(grown), grown_met])
    return table(head, rows)


def nested_table(found):
    for name, shares in found.nested.items():
        if shares != sorted(shares):
            raise AssertionError(f"{name}: more weights, a smaller component: {shares}")
    return table(["set", *(f"{w} weights" for w in NESTED)], [[n, *(per_cent(s, 1) for s in shares)] for n, shares in found.nested.items()])


def times_by_threshold(found):
    """Figure 7 of joins of one frame: mean time, plain → well connected over the same frames · over its own component."""
    return by_threshold(found, lambda m: seconds(m), lambda m: seconds(m["same_frames"]))


def lms_by_threshold(found):
    """Table 3: LM and the frames of the component it is over."""
    own = lambda m: f"{number(lm(m))}, {m['component']['frames']}"
    return by_threshold(found, own, lambda m: number(same(lm, m)))


def by_threshold(found, own, over_same):
    rows = []
    for cm in ENRICHED:
        cells = []
        for name in SETS:
            m = row(found.cuts[name, cm], "cut", cm)
            over = over_same(m) if m.get("same_frames") else "–"
            cells.append(f"{own(row(found.plain[name], 'cut', cm))} → {own(m)} · {over}")
        rows.append([cm, *cells])
    return table(["√D, cm", *SETS], rows)


def fading_by_threshold(found):
    """The same of 143mix with joins that fade."""
    head = ["√D, cm", "component, %", "mean time, s", "over the same frames", "LM, s", "over the same frames", "as played: LM, s", "over the same frames"]
    rows = []
    plain = found.plain["143mix"]
    for cm in ENRICHED:
        p, m, played = row(plain, "decay", cm), row(found.by_cm[cm], "bounded", cm), row(found.by_cm[cm], "blend", cm)
        both = lambda a, b: f"{a} → {b}"
        shares = both(*(f"{100 * x['component']['share']:.0f}" for x in (p, m)))
        rows.append([cm, shares, both(seconds(p), seconds(m)), seconds(m["same_frames"]), both(number(lm(p)), number(lm(m))), number(same(lm, m)), both(number(lm(row(plain, "blend", cm))), number(lm(played))), number(same(lm, played))])
    return table(head, rows)


def behaviours(found, key):
    """Table 4, plain → well connected, over the same frames."""
    plain, better = row(found.plain["143mix"], "cut", 3), row(found.cuts["143mix", 3], "cut", 3)
    pairs = [{(p["from"], p["to"]): p[key] for p in m["maneuverability"]["pairs"]} for m in (plain, better["same_frames"])]
    names = sorted({a for a, _ in pairs[0]})
    return table([""] + names, [[a, *(f"{number(pairs[0][a, b])} → {number(pairs[1].get((a, b)))}" for b in names)] for a in names])


def picture(found, file):
    """Figure 6: who reaches whom, plain and well connected."""
    graphs = [found.path(g) for name in ("143mix", "69") if name in SETS for g in (name, frame(name, 3, 2))]
    run(found.workshop.program, "eval", *graphs, "--no-ends", "--threshold", "2", "--form", "cut", "--ways", "0", "--show", "reach", "--plot", file)
