#!/usr/bin/env python3
"""Joints of retargeted files as a real Blender has them, against our NPZ: the same motion written three times.

    blender.py GAITWAY DATA

A BVH says no unit: it is in that of the body's file, centimetres for these BVH bodies (imported with a scale of 0.01) and metres for a GLB body. A GLB is in metres. Blender is Z up: its (x, y, z) is our (x, −z, y)."""

import pathlib
import subprocess
import sys
import tempfile

import bpy
import numpy as np

CASES = [
    ("CMU 16 on LAFAN1's body", "cmu-bvh/16/16_15.bvh", "lafan1-bvh/walk4_subject1.bvh", 0.01),
    ("CMU 16 on Bandai-Namco's body", "cmu-bvh/16/16_15.bvh", "bandai-namco-bvh/dataset-1_walk_normal_001.bvh", 0.01),
    ("CMU 16 on CesiumMan", "cmu-bvh/16/16_15.bvh", "gltf/CesiumMan.glb", 1.0),
]
BAR_MM = 1.0


def joints(armature, names):
    """World places of bones, in our axes; None where Blender has no such bone."""
    out = []
    for name in names:
        bone = armature.pose.bones.get(name)
        if bone is None:
            out.append([np.nan] * 3)
            continue
        p = armature.matrix_world @ bone.head
        out.append([p.x, p.z, -p.y])
    return np.array(out)


def opened(file, rate, unit):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = round(rate)
    scene.render.fps_base = round(rate) / rate
    if file.suffix == ".bvh":
        bpy.ops.import_anim.bvh(filepath=str(file), global_scale=unit, frame_start=1, use_fps_scale=False)
        first = 1
    else:
        bpy.ops.import_scene.gltf(filepath=str(file))
        first = 0
    armatures = [o for o in bpy.data.objects if o.type == "ARMATURE"]
    return scene, armatures[0], first


def worst(file, truth, unit):
    names = [str(n) for n in truth["names"]]
    rate = float(truth["rate_hz"])
    scene, armature, first = opened(file, rate, unit)
    most, seen = 0.0, 0
    for frame in range(0, len(truth["positions"]), 7):
        scene.frame_set(first + frame)
        bpy.context.view_layer.update()
        there = joints(armature, names)
        off = np.linalg.norm(there - truth["positions"][frame], axis=1)
        ok = np.isfinite(off)
        seen = max(seen, int(ok.sum()))
        most = max(most, float(off[ok].max()) if ok.any() else np.inf)
    return 1000.0 * most, seen


def main():
    gaitway, data = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    failed = False
    print(f"Blender {bpy.app.version_string}")
    print("| motion | file | joints compared | farthest off, mm |")
    print("| --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, clip, body, unit in CASES:
            for extension in ("npz", "bvh", "glb"):
                command = [gaitway, "--quiet", "retarget", data / clip, "--to", data / body, "-o", folder / f"out.{extension}"]
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            with np.load(folder / "out.npz") as truth:
                for extension in ("bvh", "glb"):
                    mm, seen = worst(folder / f"out.{extension}", truth, unit)
                    print(f"| {name} | {extension.upper()} | {seen} | {mm:.3f} |")
                    failed |= not mm < BAR_MM or seen < 10
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
