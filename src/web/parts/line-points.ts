/** The top of the scale: the next of 1, 2, 5 times a power of ten that is not below any value. 1 for nothing but zeros. */
export function chartScale(values: readonly number[]): number {
  const most = Math.max(0, ...values);
  if (most === 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= most) ?? most;
}

/** The points of each unbroken piece of a line; a single value between gaps is a short stroke. */
export function linePoints(
  values: readonly (number | null)[],
  top: number,
  { width, height }: { width: number; height: number },
): string[] {
  const step = values.length > 1 ? width / (values.length - 1) : width;
  const pieces: string[][] = [];
  let isOpen = false;
  for (const [at, value] of values.entries()) {
    if (value === null) {
      isOpen = false;
      continue;
    }
    if (!isOpen) pieces.push([]);
    isOpen = true;
    pieces.at(-1)!.push(`${rounded(at * step)},${rounded(height - (value / top) * height)}`);
  }
  return pieces.map((points) => (points.length > 1 ? points : [points[0]!, strokeEnd(points[0]!)]).join(' '));
}

function strokeEnd(point: string): string {
  const [x, y] = point.split(',');
  return `${Number(x) + 2},${y}`;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
