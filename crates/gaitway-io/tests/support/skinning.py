"""Where an animation of a GLB file puts all vertices of its meshes, in plain code: python skinning.py A.glb NAME B.glb

Prints how far the vertices of A's animation NAME (its first where NAME is empty) and of B's last are apart at most, and how large
the figure is. B says its rate and frames in extras.
"""
import json
import struct
import sys

import numpy as np

TYPES = {5121: "u1", 5123: "<u2", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Glb:
    def __init__(self, path):
        data = open(path, "rb").read()
        length = struct.unpack("<I", data[12:16])[0]
        self.doc, self.bin = json.loads(data[20 : 20 + length]), data[28 + length :]
        self.nodes = self.doc["nodes"]
        self.parent = {c: n for n, node in enumerate(self.nodes) for c in node.get("children", [])}

    def accessor(self, index):
        a = self.doc["accessors"][index]
        view, kind, width = self.doc["bufferViews"][a["bufferView"]], np.dtype(TYPES[a["componentType"]]), WIDTHS[a["type"]]
        stride = view.get("byteStride") or kind.itemsize * width
        start = view.get("byteOffset", 0) + a.get("byteOffset", 0)
        out = np.array([np.frombuffer(self.bin, kind, width, start + k * stride) for k in range(a["count"])]).astype(float)
        return out / np.iinfo(kind).max if a.get("normalized") else out

    def channels(self, animation):
        for c in animation["channels"]:
            sampler = animation["samplers"][c["sampler"]]
            if c["target"]["path"] != "weights":
                yield c["target"]["node"], c["target"]["path"], self.accessor(sampler["input"])[:, 0], self.accessor(sampler["output"])

    def locals(self, channels, time):
        moved = {}
        for node, path, times, values in channels:
            place = np.interp(time, times, np.arange(len(times)))
            k, f = int(place), place - int(place)
            a, b = values[k], values[min(k + 1, len(times) - 1)]
            moved[node, path] = slerp(a, b, f) if path == "rotation" else a * (1 - f) + b * f
        for n, node in enumerate(self.nodes):
            if "matrix" in node:
                m = np.array(node["matrix"]).reshape(4, 4).T
                size = np.linalg.norm(m[:3, :3], axis=0)
                if (n, "rotation") not in moved:
                    yield m
                    continue
                node = {"translation": m[:3, 3], "scale": size}
            get = lambda path, rest: moved.get((n, path), np.array(node.get(path, rest), float))
            yield matrix(get("translation", [0, 0, 0]), get("rotation", [0, 0, 0, 1]), get("scale", [1, 1, 1]))

    def vertices(self, channels, time):
        local, world = list(self.locals(channels, time)), {}

        def at(n):
            if n not in world:
                world[n] = at(self.parent[n]) @ local[n] if n in self.parent else local[n]
            return world[n]

        for n, node in enumerate(self.nodes):
            for p in self.doc["meshes"][node["mesh"]]["primitives"] if "mesh" in node else []:
                v = self.accessor(p["attributes"]["POSITION"])
                v = np.c_[v, np.ones(len(v))]
                if "skin" not in node:
                    yield (v @ at(n).T)[:, :3]
                    continue
                skin = self.doc["skins"][node["skin"]]
                binds = self.accessor(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
                bones = np.array([at(j) @ b for j, b in zip(skin["joints"], binds)])
                joints = self.accessor(p["attributes"]["JOINTS_0"]).astype(int)
                weights = self.accessor(p["attributes"]["WEIGHTS_0"])
                yield np.einsum("vk,vkab,vb->va", weights, bones[joints], v)[:, :3]


def slerp(a, b, f):
    b = -b if a @ b < 0 else b
    angle = np.arccos(min(1.0, a @ b))
    # So near, the arc is the chord, and the cosine of single precision says nothing.
    r = a * (1 - f) + b * f if angle < 1e-3 else (a * np.sin((1 - f) * angle) + b * np.sin(f * angle)) / np.sin(angle)
    return r / np.linalg.norm(r)


def matrix(t, r, s):
    x, y, z, w = r
    m = np.eye(4)
    m[:3, :3] = np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]) * s
    m[:3, 3] = t
    return m


def main():
    a, name, b = Glb(sys.argv[1]), sys.argv[2], Glb(sys.argv[3])
    ours = b.doc["animations"][-1]
    theirs = next(x for x in a.doc["animations"] if name in ("", x.get("name")))
    moved, theirs = list(b.channels(ours)), list(a.channels(theirs))
    said = ours["extras"]["gaitway"]
    start = min(times.min() for _, _, times, _ in theirs)
    worst = size = 0.0
    for frame in range(0, said["frames"], max(1, said["frames"] // 5)):
        time = frame / said["rate_hz"]
        x, y = (np.concatenate(list(g.vertices(c, t))) for g, c, t in ((a, theirs, start + time), (b, moved, time)))
        worst, size = max(worst, np.abs(x - y).max()), max(size, np.ptp(x, axis=0).max())
    print(worst, size)


main()
