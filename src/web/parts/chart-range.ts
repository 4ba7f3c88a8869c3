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

/** Steps of a chart that share the highest sum over all series. */
export interface HighestSteps {
  /** At least one. */
  indexes: number[];
  sum: number;
}

/** The steps with the highest sum; null if all values are zero or missing. */
export function highestSteps(series: readonly Values[], steps: number): HighestSteps | null {
  const sums = Array.from({ length: steps }, (_, index) =>
    series.reduce((total, values) => total + (values[index] ?? 0), 0),
  );
  const sum = Math.max(0, ...sums);
  return sum === 0 ? null : { indexes: sums.flatMap((one, index) => (one === sum ? [index] : [])), sum };
}

const MAX_NAMED = 2;

/** `2 on Nov 26 and Nov 27`; more than two days are only counted. @param dayText the name of the day at an index */
export function highestText(
  { indexes, sum }: HighestSteps,
  valueText: (value: number) => string,
  dayText: (index: number) => string,
): string {
  const days = indexes.length > MAX_NAMED ? `${indexes.length} days` : indexes.map(dayText).join(' and ');
  return `${valueText(sum)} on ${days}`;
}
