const Z_95 = 1.959963984540054;

/** 95 % interval of a rate, after Wilson (1927); `[0, 1]` if nothing was counted. */
export function wilsonInterval(hits: number, n: number): [number, number] {
  if (n === 0) return [0, 1];
  const rate = hits / n;
  const z2 = Z_95 * Z_95;
  const centre = (rate + z2 / (2 * n)) / (1 + z2 / n);
  const half = (Z_95 / (1 + z2 / n)) * Math.sqrt((rate * (1 - rate)) / n + z2 / (4 * n * n));
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}
