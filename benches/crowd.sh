#!/bin/sh
# Regenerates docs/results/crowd.md. Needs GAITWAY_DATA (the folder of real clips).
set -eu
cd "$(dirname "$0")/.."
: "${GAITWAY_DATA:?names the folder of real clips}"
cargo bench -p gaitway-synth --bench crowd -- --out "$PWD/docs/results/crowd.md" "$@"
