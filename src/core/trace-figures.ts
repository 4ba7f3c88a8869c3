/**
 * Dimensions of the daily figures. Meaning of `amount`: `framework`: traces with model calls, but without a known price; `score` (label: tens of
 * the score): the sum of scores in tenths; `loop` (label: subtype): the sum of lengths in steps; unused otherwise.
 */
export const FIGURE_DIMENSIONS = ['framework', 'model', 'score', 'detection', 'loop', 'loop_agent'] as const;
export type FigureDimension = (typeof FIGURE_DIMENSIONS)[number];

/** Integers only: their sums do not depend on the order, and can be subtracted again. */
export interface FigureShare {
  dimension: FigureDimension;
  label: string;
  count: number;
  tokens: number;
  /** Billionths of a dollar. */
  costNanoUsd: number;
  amount: number;
}

/** What one trace adds to the figures of its workflow. */
export interface WorkflowShare {
  workflowId: string;
  /** The framework. */
  source: string;
  serviceName: string | null;
  name: string;
  stepCount: number;
  tokens: number;
  costNanoUsd: number;
  /** Null if the run has no score yet. */
  scoreTenths: number | null;
  /** Unix milliseconds. */
  seenAt: number;
}

/** Everything that one trace adds, as of its last analysis. */
export interface TraceFigures {
  /** UTC day of its start, counted from 1970-01-01. */
  day: number;
  shares: FigureShare[];
  workflow: WorkflowShare;
}

const DAY_MS = 86_400_000;

/** The UTC day of a time in Unix milliseconds, counted from 1970-01-01. */
export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** `2026-01-31`. */
export function dateOfDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

export function toNanoUsd(usd: number): number {
  return Math.round(usd * 1e9);
}

export function fromNanoUsd(nano: number): number {
  return nano / 1e9;
}
