/** The maximum of the scale: the smallest 1, 2 or 5 times a power of ten that is at least the largest value; 1 for zeros. */
export function chartScale(values: readonly number[]): number {
  const max = Math.max(0, ...values);
  if (max === 0) return 1;
  const power = 10 ** Math.floor(Math.log10(max));
  return [1, 2, 5, 10].map((factor) => factor * power).find((stepWidth) => stepWidth >= max) ?? max;
}

/** The points of each segment between gaps; a single value between gaps becomes a short stroke. */
export function linePoints(
  values: readonly (number | null)[],
  top: number,
  { width, height }: { width: number; height: number },
): string[] {
  const stepWidth = values.length > 1 ? width / (values.length - 1) : width;
  const segments: string[][] = [];
  let isConnected = false;
  for (const [index, value] of values.entries()) {
    if (value === null) {
      isConnected = false;
      continue;
    }
    if (!isConnected) segments.push([]);
    isConnected = true;
    segments.at(-1)!.push(`${round(index * stepWidth)},${round(height - (value / top) * height)}`);
  }
  return segments.map((points) => (points.length > 1 ? points : [points[0]!, strokeEnd(points[0]!)]).join(' '));
}

function strokeEnd(point: string): string {
  const [x, y] = point.split(',');
  return `${Number(x) + 2},${y}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
