#!/bin/sh
# Opens retargeted files in a real Blender (the wheel `bpy`) and holds its joints against our NPZ. Needs GAITWAY_DATA and pip; some 400 MB.
set -eu
cd "$(dirname "$0")/.."
: "${GAITWAY_DATA:?names the folder of real clips}"
test -x "${GAITWAY_BIN:-}" || cargo build --release -p gaitway-cli
test -x target/blender-venv/bin/python || python3 -m venv target/blender-venv
target/blender-venv/bin/pip install --quiet bpy numpy
target/blender-venv/bin/python benches/blender.py "${GAITWAY_BIN:-target/release/gaitway}" "$GAITWAY_DATA" "$@"
