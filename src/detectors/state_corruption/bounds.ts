import type { Json } from '../../core/json.ts';
import type { Fault } from './fault.ts';
import { boundKind } from './field-names.ts';
import type { SnapshotPair, SnapshotSeries } from './snapshot-series.ts';

interface RangeViolation {
  score: number;
  what: string;
}

/** The name of a field does not prove its range: `cpu_percent` counts each core. Only info. */
const RANGE_SCORE = 0.5;

/** Numbers that became non-numbers, and numbers outside the range that their name suggests and their earlier values kept. */
export function findBoundViolations(series: SnapshotSeries): Fault[] {
  const reported = new Set<string>();
  const faults: Fault[] = [];
  for (const pair of series.pairs) {
    for (const [path, after] of pair.to.fields) {
      const violation = reported.has(path) ? null : violationOf(path, after, pair, series);
      if (violation === null) continue;
      reported.add(path);
      faults.push({
        subtype: 'bounds',
        path,
        before: pair.from.fields.get(path) ?? null,
        after,
        from: pair.from,
        to: pair.to,
        ...violation,
      });
    }
  }
  return faults;
}

function violationOf(path: string, after: Json, pair: SnapshotPair, series: SnapshotSeries): RangeViolation | null {
  const past = series.entries
    .slice(0, pair.index)
    .map((entry) => entry.fields.get(path))
    .filter((value): value is number => typeof value === 'number');
  const text = nonFinite(after);
  if (text !== null) return past.length > 0 ? { score: 0.85, what: `became ${text}, which is not a number` } : null;
  return typeof after === 'number' && past.length > 0 ? rangeViolation(path, after, past) : null;
}

/** The text of a non-finite number: as JSON writers spell it, or tagged as in our own spans. */
function nonFinite(value: Json): string | null {
  const text = typeof value === 'string' ? value : ((value as { $double?: string } | null)?.$double ?? '');
  return /^[+-]?(?:nan|inf|infinity)$/i.test(text) ? text : null;
}

function rangeViolation(path: string, after: number, past: number[]): RangeViolation | null {
  const stayedWithin = (low: number, high: number) => past.every((value) => value >= low && value <= high);
  switch (boundKind(path)) {
    case 'probability':
      return stayedWithin(0, 1) && isOutside(after, 0, 1) ? { score: RANGE_SCORE, what: rangeText('0 to 1') } : null;
    case 'unit_score':
      return past.length > 1 && past.some((value) => value % 1 !== 0) && stayedWithin(0, 1) && isOutside(after, 0, 1)
        ? { score: RANGE_SCORE, what: rangeText('0 to 1') }
        : null;
    case 'percent':
      return stayedWithin(0, 100) && isOutside(after, 0, 100)
        ? { score: RANGE_SCORE, what: rangeText('0 to 100') }
        : null;
    case 'countable':
    case 'money':
      return stayedWithin(0, Number.MAX_VALUE) && after < 0 ? { score: RANGE_SCORE, what: 'became negative' } : null;
    default:
      return null;
  }
}

const isOutside = (value: number, low: number, high: number) => value < low || value > high;

const rangeText = (range: string) => `left the range ${range} that all its earlier values kept`;
