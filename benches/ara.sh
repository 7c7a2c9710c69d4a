#!/bin/sh
# Regenerates docs/results/search.md. Needs GAITWAY_DATA (the folder of real clips).
# Options are passed on, such as: benches/ara.sh --out /tmp/search.md
set -eu
cd "$(dirname "$0")/.."
: "${GAITWAY_DATA:?names the folder of real clips}"
cargo bench -p gaitway-synth --bench ara -- --out "$PWD/docs/results/search.md" "$@"
