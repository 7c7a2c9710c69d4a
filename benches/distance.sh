#!/bin/sh
# Regenerates docs/results/distance.md. Needs GAITWAY_DATA (the folder of real clips) and python3.
# Options are passed on, such as: benches/distance.sh --sizes 2000,6200
set -eu
cd "$(dirname "$0")/.."
: "${GAITWAY_DATA:?names the folder of real clips}"
venv=target/bench-venv
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet -r benches/peers/requirements.txt
root=$PWD
cargo bench -p gaitway-metric --bench distance -- \
    --out "$root/docs/results/distance.md" --python "$root/$venv/bin/python" --peers "$root/benches/peers" "$@"
