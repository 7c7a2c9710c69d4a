"""Makes well-connected graphs, two at a time, or alone where time is taken."""

import concurrent.futures
import json
import os
import subprocess
import time
from typing import NamedTuple

from shared import run


class Spec(NamedTuple):
    """What `gaitway enrich` is asked for."""

    set: str
    weights: int = 3
    cm: float = 3
    mu: float = 5
    form: str = "fading"

    @property
    def file(self):
        return f"{self.set}-{self.form}-{self.weights}w-{self.cm}cm-mu{self.mu}.gway"


class Workshop:
    def __init__(self, program, home):
        self.program, self.home = program, home

    def graph(self, spec):
        return self.home / spec.file

    def report(self, spec):
        """What `enrich` said of it."""
        return json.loads(self.graph(spec).with_suffix(".json").read_text())["enriched"]

    def command(self, spec):
        made, plain = self.graph(spec), self.home / f"{spec.set}.gway"
        how = ["--steps", spec.weights, "--threshold", spec.cm, "--mu", spec.mu, "--form", spec.form]
        return [self.program, "enrich", plain, "-o", made, "--quiet", *how, "--report", made.with_suffix(".json")]

    def missing(self, specs):
        return [s for s in dict.fromkeys(specs) if not self.graph(s).with_suffix(".json").exists()]

    def make(self, specs):
        """All that are not there yet, the longest first; one thread each, since two graphs at once use two cores better."""
        one = {**os.environ, "RAYON_NUM_THREADS": "1"}
        dear = {"16": 3, "69": 3, "143mix": 1, "83": 0.3}
        todo = sorted(self.missing(specs), key=lambda s: -dear.get(s.set, 0.1) * s.weights * s.cm)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda s: run(*self.command(s), env=one), todo))

    def timed(self, spec):
        """Seconds and the most memory in MiB of making it, alone on all cores; kept beside it."""
        kept = self.graph(spec).with_suffix(".time.json")
        if not kept.exists():
            begin = time.monotonic()
            child = subprocess.Popen([str(c) for c in self.command(spec)], stdout=subprocess.DEVNULL)
            _, status, used = os.wait4(child.pid, 0)
            if status != 0:
                raise RuntimeError(f"enrich ended with {status}: {spec}")
            took = {"wall_s": time.monotonic() - begin, "peak_mib": used.ru_maxrss / 1024, "cpu_s": used.ru_utime + used.ru_stime}
            kept.write_text(json.dumps(took))
        return json.loads(kept.read_text()) | self.report(spec)
