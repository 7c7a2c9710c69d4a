#!/usr/bin/env bash
# Compares BVH readers in one run on one core, and writes docs/results/bvh.md.
# Needs Linux, Python 3 with venv, the network on the first run, and GAITWAY_DATA (the folder of real clips).
set -euo pipefail
cd "$(dirname "$0")/.."
: "${GAITWAY_DATA:?names the folder of real clips}"
if [ ! -x .venv/bin/python ]; then
    python3 -m venv .venv
fi
.venv/bin/python -c 'import bvhsdk, bvhio, numpy' 2>/dev/null || .venv/bin/pip install --quiet numpy bvhsdk bvhio
cargo build --release --manifest-path benches/bvh-peers/Cargo.toml --target-dir target/bvh-peers
exec .venv/bin/python benches/bvh.py target/bvh-peers/release/bvh-peers
