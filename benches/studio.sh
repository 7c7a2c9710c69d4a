#!/usr/bin/env bash
# Writes docs/results/studio.md. Needs no data: the graph is the built-in performer's.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo bench --package gaitway-studio --bench studio -- --out "$PWD/docs/results/studio.md"
