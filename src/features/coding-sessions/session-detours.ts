import type { ModelCatalog } from '../../core/model-catalog.ts';
import type { Trace } from '../../core/trace.ts';
import { wasteOf } from '../../detectors/_readings/calls/waste.ts';
import { compactionRereads } from '../../detectors/_readings/coding/compactions.ts';
import { failedEdits } from '../../detectors/_readings/coding/failed-edits.ts';
import { failingTests } from '../../detectors/_readings/coding/failing-tests.ts';
import { polling } from '../../detectors/_readings/coding/polling.ts';
import { repeatedSubagentWork } from '../../detectors/_readings/coding/subagents.ts';
import { unchangedRereads } from '../../detectors/_readings/coding/unchanged-rereads.ts';
import { shorten } from './shorten.ts';

export const DETOUR_KINDS = [
  'failing_test',
  'polling',
  'compaction_rereads',
  'rereads',
  'failed_edits',
  'repeated_subagent_work',
] as const;
export type DetourKind = (typeof DETOUR_KINDS)[number];

/** Steps without progress, and their cost. */
export interface Detour {
  kind: DetourKind;
  text: string;
  /** In order. */
  steps: number[];
  tokens: number;
  costUsd: number;
}

const MIN_POLLS = 20;
const MIN_RUNS = 3;
const MIN_FAILED_EDITS = 3;
const MIN_REREADS = 3;
const MAX_PER_KIND = 5;
const NAME_CHARACTERS = 100;

/** The most expensive first. */
export function detoursOf(trace: Trace, models: ModelCatalog): Detour[] {
  const found = [
    ...testDetours(trace),
    ...pollingDetours(trace),
    ...compactionDetours(trace),
    ...rereadDetours(trace),
    ...editDetours(trace),
    ...subagentDetours(trace),
  ];
  return found
    .map(({ kind, text, steps }): Detour => {
      const { wastedTokens, wastedCostUsd } = wasteOf(trace, steps, models);
      return { kind, text, steps, tokens: wastedTokens, costUsd: wastedCostUsd };
    })
    .sort((one, other) => other.costUsd - one.costUsd || one.steps[0]! - other.steps[0]!);
}

type Found = Pick<Detour, 'kind' | 'text' | 'steps'>;

function testDetours(trace: Trace): Found[] {
  return failingTests(trace)
    .filter(({ runs }) => runs.length >= MIN_RUNS)
    .slice(0, MAX_PER_KIND)
    .map(({ name, command, runs, edits, isSolved }) => ({
      kind: 'failing_test',
      text: `${shorten(name ?? command, NAME_CHARACTERS)} failed in ${runs.length} runs with ${counted(edits.length, 'edit')} in between${isSolved ? ', then passed' : ''}`,
      steps: [...runs.slice(1), ...edits].sort((one, other) => one - other),
    }));
}

function pollingDetours(trace: Trace): Found[] {
  return polling(trace)
    .filter(({ steps }) => steps.length >= MIN_POLLS)
    .slice(0, MAX_PER_KIND)
    .map(({ tools, steps }) => ({
      kind: 'polling',
      text: `asked ${steps.length} times for a command that had not ended (${shorten(tools.join(', '), NAME_CHARACTERS)})`,
      steps,
    }));
}

function compactionDetours(trace: Trace): Found[] {
  const compactions = compactionRereads(trace).filter(({ rereads }) => rereads.length > 0);
  if (compactions.length === 0) return [];
  const rereads = compactions.flatMap((each) => each.rereads);
  const files = new Set(rereads.map(({ path }) => path)).size;
  const when = compactions.length === 1 ? 'a compaction' : `${compactions.length} compactions`;
  const steps = [...new Set(rereads.map(({ step }) => step))];
  return [{ kind: 'compaction_rereads', text: `read ${counted(files, 'file')} again after ${when}`, steps }];
}

function rereadDetours(trace: Trace): Found[] {
  const rereads = unchangedRereads(trace);
  const steps = rereads.flatMap((each) => each.steps.slice(1)).sort((one, other) => one - other);
  if (steps.length < MIN_REREADS) return [];
  const times = steps.length === 1 ? 'once' : `${steps.length} times`;
  return [{ kind: 'rereads', text: `read ${counted(rereads.length, 'unchanged file')} again, ${times} in all`, steps }];
}

function editDetours(trace: Trace): Found[] {
  const failed = failedEdits(trace);
  if (failed.length < MIN_FAILED_EDITS) return [];
  const text = `${failed.length} edits were rejected by the tool`;
  return [{ kind: 'failed_edits', text, steps: failed.map(({ step }) => step) }];
}

function subagentDetours(trace: Trace): Found[] {
  return repeatedSubagentWork(trace)
    .slice(0, MAX_PER_KIND)
    .map(({ step, task, repeated }) => ({
      kind: 'repeated_subagent_work',
      text: `did the work of a subagent that could not do it: ${shorten(task, NAME_CHARACTERS)}`,
      steps: [step, ...repeated],
    }));
}

function counted(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}
