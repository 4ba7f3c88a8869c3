import { wilsonInterval } from '../../src/features/evaluation/wilson-interval.ts';
import { groupBootstrap } from '../fit/metrics.ts';

/**
 * Whether the records were used before the measurement. `as shipped`: the shipped program, whose rules were written and
 * whose models were fitted with these sets. `out-of-fold`: fitted on other groups of the same sets. `set left out`: fitted
 * on other sets only. `never fitted`: the set is in no fit. `in-sample`: fitted on the same records, so the figure is too
 * optimistic.
 */
export type Basis = 'as shipped' | 'out-of-fold' | 'set left out' | 'never fitted' | 'in-sample';

/** One measured number. */
export interface Figure {
  /** Stable: the gate compares figures of one id. */
  id: string;
  label: string;
  set: string;
  /** Null if nothing could be measured. */
  value: number | null;
  n: number;
  /** 95 %: Wilson for shares, by group bootstrap for the rest; null for plain counts. */
  interval: [number, number] | null;
  basis: Basis;
  /** Which direction is better; `none`: the figure is only reported. */
  better: 'higher' | 'lower' | 'none';
  /** The target of the project; null if there is none. */
  aim: number | null;
}

export interface Section {
  title: string;
  about: string;
  figures: Figure[];
}

/** The description of a figure, without its value. */
export interface Topic {
  id: string;
  label: string;
  set: string;
  basis: Basis;
  better: Figure['better'];
  aim?: number;
}

export function shareFigure(topic: Topic, hits: number, n: number): Figure {
  const value = n === 0 ? null : hits / n;
  return made(topic, value, n, n === 0 ? null : wilsonInterval(hits, n));
}

export function countFigure(topic: Topic, value: number | null, n: number): Figure {
  return made(topic, value, n, null);
}

/** A figure over items whose groups are drawn together in the bootstrap. */
export function groupedFigure<Item>(
  topic: Topic,
  items: readonly Item[],
  groupOf: (item: Item) => string,
  measure: (items: readonly Item[]) => number,
): Figure {
  const value = items.length === 0 ? Number.NaN : measure(items);
  if (!Number.isFinite(value)) return made(topic, null, items.length, null);
  return made(topic, value, items.length, groupBootstrap(items, groupOf, measure));
}

function made(
  { aim = undefined, ...topic }: Topic,
  value: number | null,
  n: number,
  interval: Figure['interval'],
): Figure {
  return {
    ...topic,
    aim: aim ?? null,
    value: value === null ? null : rounded(value),
    n,
    interval: interval === null ? null : [rounded(interval[0]), rounded(interval[1])],
  };
}

function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
