import type { ModelCatalog } from '../../core/model-catalog.ts';
import type { Trace } from '../../core/trace.ts';
import { compactionRereads } from '../../detectors/_readings/coding/compactions.ts';
import { failingCalls } from '../../detectors/_readings/coding/failing-calls.ts';
import { failingTests } from '../../detectors/_readings/coding/failing-tests.ts';
import { interrupts } from '../../detectors/_readings/coding/interrupts.ts';
import { isDecided, refusals } from '../../detectors/_readings/coding/refusals.ts';
import { correctingInstructions, type LostInstruction, lostInstructions } from './instructions.ts';
import { type Detour, detoursOf } from './session-detours.ts';
import { shorten } from './shorten.ts';

/** Figures of one coding agent session for lists and weekly summaries, small enough to store per session. */
export interface SessionDigest {
  /** The session that this one was forked from, or that started it as a subagent. */
  parentId: string | null;
  /** Tool calls that a user or a policy did not allow. */
  refusals: number;
  interrupts: number;
  /** Tool calls that ran and failed. */
  failures: number;
  compactions: number;
  /** Files read again after a compaction. */
  rereads: number;
  /** Models with token usage but without a known price: the cost excludes them. */
  unpricedModels: string[];
  /** Model calls whose recorded output tokens are a lower bound. */
  partialUsageCalls: number;
  /** The user's corrections. */
  corrections: string[];
  failingTests: { name: string; runs: number; isSolved: boolean }[];
  /** The most expensive first. */
  detours: Pick<Detour, 'kind' | 'text' | 'costUsd' | 'tokens'>[];
  lostInstructions: Pick<LostInstruction, 'text' | 'before'>[];
}

const MAX_ITEMS = 20;
const MAX_DETOURS = 5;
const NAME_CHARACTERS = 120;
/** Maximum failures of one test in a weekly summary. */
const MIN_RUNS = 2;

/** Null for a trace that is not a coding agent session. */
export function sessionDigest(trace: Trace, models: ModelCatalog): SessionDigest | null {
  if (trace.codingSession === undefined) return null;
  const compacted = compactionRereads(trace);
  return {
    parentId: trace.codingSession.parentId,
    refusals: refusals(trace).filter(isDecided).length,
    interrupts: interrupts(trace).length,
    failures: failingCalls(trace).length,
    compactions: compacted.length,
    rereads: new Set(compacted.flatMap(({ rereads }) => rereads.map(({ path }) => path))).size,
    unpricedModels: unpricedModels(trace),
    partialUsageCalls: trace.steps.filter(({ isUsagePartial }) => isUsagePartial).length,
    corrections: correctingInstructions(trace)
      .map(({ text }) => text)
      .slice(0, MAX_ITEMS),
    failingTests: failingTests(trace)
      .filter(({ runs }) => runs.length >= MIN_RUNS)
      .map(({ name, command, runs, isSolved }) => ({
        name: shorten(name ?? command, NAME_CHARACTERS),
        runs: runs.length,
        isSolved,
      }))
      .slice(0, MAX_ITEMS),
    detours: detoursOf(trace, models)
      .map(({ kind, text, costUsd, tokens }) => ({ kind, text, costUsd, tokens }))
      .slice(0, MAX_DETOURS),
    lostInstructions: lostInstructions(trace)
      .map(({ text, before }) => ({ text, before }))
      .slice(0, MAX_ITEMS),
  };
}

/** In order of first use. */
export function unpricedModels({ steps }: Trace): string[] {
  const unpriced = steps.filter(
    ({ kind, model, tokens, costUsd }) =>
      kind === 'llm' && model !== null && (tokens.total ?? 0) > 0 && costUsd === null,
  );
  return [...new Set(unpriced.map(({ model }) => model as string))];
}
