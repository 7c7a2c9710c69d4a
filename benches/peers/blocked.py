"""The distance of DESIGN 3.1 as well as NumPy and BLAS can do it on two cores.

Tiles that stay in cache, f32 products by BLAS with x and z (and -x) side by side so that each real grid is one
product, each frame's marker mean taken off first, the window by doubling in place, the symmetric half only,
a thread per core, minima inside the tile. The path term is a short product too: windows of the centred path,
taken in f64, two times fifteen numbers a frame.
Usage: blocked.py CLOUD.npy [REPEATS [TILE [THREADS]]]   (CLOUD: frames x markers x 3, metres)
Prints the median seconds, the number of minima below 15 cm, the best tile size and the least processor seconds.
"""

import os
import sys

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # one BLAS thread each: our own threads share out the tiles

import threading
import time

import numpy as np

L = 7
CEILING = np.float32(0.15**2)


class Packed:
    def __init__(self, points):
        x, y, z = points[:, :, 0], points[:, :, 1], points[:, :, 2]
        n, m = x.shape
        self.n = n
        scale = 1.0 / np.sqrt(m) / (L + 1)
        px, pz = x.mean(axis=1), z.mean(axis=1)
        vx, vz = (x - px[:, None]) * scale, (z - pz[:, None]) * scale
        vy = (y - y.mean(axis=0)) * scale
        self.rows_re = np.hstack([vx, vz]).astype(np.float32)
        self.rows_im = np.hstack([vz, -vx]).astype(np.float32)
        self.cols = np.ascontiguousarray(self.rows_re.T)
        self.up = np.ascontiguousarray(vy.astype(np.float32))
        self.up_cols = np.ascontiguousarray(self.up.T)
        rho = (L + 1 - np.abs(np.arange(-L, L + 1))) / (L + 1) ** 2
        w = n - 2 * L

        def window(v):
            return sum(rho[r] * v[r : r + w] for r in range(2 * L + 1))

        mx, mz = window(px), window(pz)
        root = np.sqrt(rho)
        ax = np.stack([root[r] * (px[r : r + w] - mx) for r in range(2 * L + 1)], axis=1)
        az = np.stack([root[r] * (pz[r : r + w] - mz) for r in range(2 * L + 1)], axis=1)
        self.path_re = np.hstack([ax, az]).astype(np.float32)
        self.path_im = np.hstack([az, -ax]).astype(np.float32)
        self.path_cols = np.ascontiguousarray(self.path_re.T)
        square = ((x - px[:, None]) ** 2 + (z - pz[:, None]) ** 2 + (y - y.mean(axis=0)) ** 2).mean(axis=1)
        self.c = (window(square) + (ax**2 + az**2).sum(axis=1)).astype(np.float32)


def window(g):
    """A box of 8 along the diagonals, twice, by doubling in place."""
    for _ in range(2):
        for step in (1, 2, 4):
            g = np.add(g[:-step, :-step], g[step:, step:], out=g[:-step, :-step])
    return g


def tile(p, i0, i1, j0, j1, found):
    """D for centre indices i0..i1 x j0..j1 (frames + L), then its minima; one index of halo on each side."""
    w = p.n - 2 * L
    a0, a1, b0, b1 = max(i0 - 1, 0), min(i1 + 1, w), max(j0 - 1, 0), min(j1 + 1, w)
    rows, cols = slice(a0, a1 + 2 * L), slice(b0, b1 + 2 * L)
    re = window(p.rows_re[rows] @ p.cols[:, cols])
    im = window(p.rows_im[rows] @ p.cols[:, cols])
    up = window(p.up[rows] @ p.up_cols[:, cols])
    re += p.path_re[a0:a1] @ p.path_cols[:, b0:b1]
    im += p.path_im[a0:a1] @ p.path_cols[:, b0:b1]
    re *= re
    im *= im
    re += im
    np.sqrt(re, out=re)
    re += up
    re *= -2
    re += p.c[a0:a1, None]
    re += p.c[None, b0:b1]
    np.maximum(re, 0, out=re)
    d = np.full((i1 - i0 + 2, j1 - j0 + 2), np.inf, dtype=np.float32)
    d[a0 - i0 + 1 : a1 - i0 + 1, b0 - j0 + 1 : b1 - j0 + 1] = re
    here = d[1:-1, 1:-1]
    least = here < CEILING
    n, m = here.shape
    for di in range(3):
        for dj in range(3):
            if (di, dj) != (1, 1):
                other = d[di : di + n, dj : dj + m]
                least &= (here < other) if (di, dj) < (1, 1) else (here <= other)
    i, j = np.nonzero(least)
    i, j = i + i0, j + j0
    keep = j - i > 2 * L + 1
    found.append((i[keep] + L, j[keep] + L))


def search(points, size, threads):
    p = Packed(points)
    w = p.n - 2 * L
    starts = range(0, w, size)
    work = [(i, j) for i in starts for j in starts if j + size > i]
    lock, found = threading.Lock(), []

    def run():
        while True:
            with lock:
                if not work:
                    return
                i, j = work.pop()
            tile(p, i, min(i + size, w), j, min(j + size, w), found)

    pool = [threading.Thread(target=run) for _ in range(threads)]
    for t in pool:
        t.start()
    for t in pool:
        t.join()
    return sum(len(i) for i, _ in found)


def main():
    points = np.load(sys.argv[1])
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    sizes = [int(sys.argv[3])] if len(sys.argv) > 3 else [128, 192, 256, 384, 512]
    threads = int(sys.argv[4]) if len(sys.argv) > 4 else os.cpu_count()
    best = None
    for size in sizes:  # the best tile size of this machine counts
        times, busy = [], []
        for _ in range(repeats):
            start, before = time.perf_counter(), time.process_time()
            count = search(points, size, threads)
            times.append(time.perf_counter() - start)
            busy.append(time.process_time() - before)
        if best is None or min(busy) < best[3]:
            best = (np.median(times), count, size, min(busy))
    print(f"{best[0]:.6f} {best[1]} {best[2]} {best[3]:.6f}")


if __name__ == "__main__":
    main()
