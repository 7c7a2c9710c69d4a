#!/bin/sh
# Regenerates docs/results/path.md. Needs GAITWAY_DATA (the folder of real clips).
# Options are passed on, such as: benches/path.sh --only "CMU 143" --out /tmp/path.md
set -eu
cd "$(dirname "$0")/.."
: "${GAITWAY_DATA:?names the folder of real clips}"
cargo bench -p gaitway-synth --bench path -- --out "$PWD/docs/results/path.md" "$@"
