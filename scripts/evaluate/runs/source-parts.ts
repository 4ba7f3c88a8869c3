import type { Basis } from '../figure.ts';
import type { AnalyzedRun } from './analyze-runs.ts';
import { RUN_SOURCES } from './run-sources.ts';

/** Sources that are reported together, left-out ones first. */
export interface SourcePart {
  seen: 'read' | 'known';
  basis: Basis;
  name: string;
}

export const SOURCE_PARTS: readonly SourcePart[] = [
  { seen: 'read', basis: 'never fitted', name: 'left-out sources' },
  { seen: 'known', basis: 'as shipped', name: 'known sources' },
];

export function setsOf({ seen }: Pick<SourcePart, 'seen'>): string[] {
  return RUN_SOURCES.filter((source) => source.seen === seen).map(({ set }) => set);
}

export function runsOf(part: Pick<SourcePart, 'seen'>, runs: readonly AnalyzedRun[]): AnalyzedRun[] {
  const sets = setsOf(part);
  return runs.filter(({ set }) => sets.includes(set));
}

/** Runs in which two or more agents have their own model. */
export function withSeveralModels(runs: readonly AnalyzedRun[]): AnalyzedRun[] {
  return runs.filter(({ features }) => features.includes('several_models'));
}
