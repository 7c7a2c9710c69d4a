#!/usr/bin/env bash
# Measures how much faster than it plays a motion is assembled, on one core, and prints a table.
# With GAITWAY_DATA (the folder of real clips) CMU 16 and 143 are measured beside the performer.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo bench --no-run -p gaitway-synth --bench assemble
one_core=()
if command -v taskset >/dev/null; then
    one_core=(taskset -c 0)
fi
exec "${one_core[@]}" cargo bench -q -p gaitway-synth --bench assemble
