/** Steps that are shown even if they have no values, so that a single bar is not as wide as the chart. */
const MIN_STEPS = 7;

type Values = readonly (number | null)[];

/** The first step to show: leading steps without values are omitted, but at least `MIN_STEPS` steps remain. */
export function firstShownStep(series: readonly Values[], steps: number): number {
  const first = Array.from({ length: steps }, (_, index) => index).find((index) =>
    series.some((values) => values[index]),
  );
  return Math.max(0, Math.min(first ?? steps, steps - MIN_STEPS));
}

/** The step with the highest sum over all series; null if all values are zero or missing. */
export function highestStep(series: readonly Values[], steps: number): { index: number; sum: number } | null {
  let highest: { index: number; sum: number } | null = null;
  for (let index = 0; index < steps; index++) {
    const sum = series.reduce((total, values) => total + (values[index] ?? 0), 0);
    if (sum > (highest?.sum ?? 0)) highest = { index, sum };
  }
  return highest;
}
