"""The distance of DESIGN 3.1 as a textbook would write it in NumPy.

Whole-matrix products, one shifted pass per window frame, the full grid, minima by eight comparisons.
Usage: textbook.py CLOUD.npy [REPEATS]   (CLOUD: frames x markers x 3, metres)
Prints the median seconds, the number of minima below 15 cm, and the least processor seconds.
"""

import sys
import time

import numpy as np

L = 7
CEILING = 0.15**2


def distance_grid(points):
    x, y, z = (np.ascontiguousarray(points[:, :, k]) for k in range(3))
    n, m = x.shape
    sigma = 1.0 / m
    rho = (L + 1 - np.abs(np.arange(-L, L + 1))) / (L + 1) ** 2
    re = sigma * (x @ x.T + z @ z.T)
    im = sigma * (z @ x.T - x @ z.T)
    up = sigma * (y @ y.T)
    w = n - 2 * L

    def window(grid):
        out = np.zeros((w, w))
        for r in range(2 * L + 1):
            out += rho[r] * grid[r : r + w, r : r + w]
        return out

    def window1(v):
        return sum(rho[r] * v[r : r + w] for r in range(2 * L + 1))

    mx, mz = window1(x.mean(axis=1)), window1(z.mean(axis=1))
    c = window1((x**2 + y**2 + z**2).mean(axis=1)) - mx**2 - mz**2
    zr = window(re) - np.outer(mx, mx) - np.outer(mz, mz)
    zi = window(im) - np.outer(mz, mx) + np.outer(mx, mz)
    d = c[:, None] + c[None, :] - 2 * window(up) - 2 * np.sqrt(zr**2 + zi**2)
    return np.maximum(d, 0.0)


def minima(d):
    pad = np.pad(d, 1, constant_values=np.inf)
    n = d.shape[0]
    least = d < CEILING
    for di in range(3):
        for dj in range(3):
            if (di, dj) != (1, 1):
                other = pad[di : di + n, dj : dj + n]
                least &= (d < other) if (di, dj) < (1, 1) else (d <= other)
    i, j = np.nonzero(least)
    keep = j - i > 2 * L + 1
    return i[keep] + L, j[keep] + L


def main():
    points = np.load(sys.argv[1])
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    times, busy = [], []
    for _ in range(repeats):
        start, before = time.perf_counter(), time.process_time()
        found = minima(distance_grid(points))
        times.append(time.perf_counter() - start)
        busy.append(time.process_time() - before)
    print(f"{np.median(times):.6f} {len(found[0])} {min(busy):.6f}")


if __name__ == "__main__":
    main()
