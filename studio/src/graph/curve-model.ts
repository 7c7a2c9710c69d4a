/** Curves of what one number for every pair would give: reading between their points, and axes that people can read. */

/** Straight between the points; the ends hold. */
export function valueAt(xs: readonly number[], ys: readonly number[], x: number): number {
  if (xs.length === 0) return 0;
  let k = xs.findIndex((v) => v >= x);
  if (k === 0) return ys[0] ?? 0;
  if (k < 0) return ys.at(-1) ?? 0;
  const x0 = xs[k - 1] ?? 0;
  const x1 = xs[k] ?? x0;
  const y0 = ys[k - 1] ?? 0;
  const y1 = ys[k] ?? y0;
  k = x1 > x0 ? (x - x0) / (x1 - x0) : 0;
  return y0 + (y1 - y0) * k;
}

/** Round steps (1, 2, 5 times a power of ten) for about `count` ticks up to `max`. */
export function ticks(max: number, count: number): number[] {
  if (!(max > 0) || count < 1) return [0];
  const raw = max / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5, 10].find((m) => m * power >= raw) ?? 10) * power;
  const out: number[] = [];
  for (let k = 0; k * step <= max * (1 + 1e-9); k++) out.push(Number((k * step).toPrecision(12)));
  return out;
}
