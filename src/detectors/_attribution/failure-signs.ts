import type { Trace } from '../../core/trace.ts';
import { counted } from '../_kit/text.ts';
import type { RunReading } from './run-columns.ts';
import { readRun } from './run-features.ts';
import { runKind } from './run-kind.ts';

/** What a sign is about; names the remedy. */
export type SignName =
  | 'corrected_change'
  | 'many_changes'
  | 'failed_change'
  | 'many_user_turns'
  | 'handed_over_late'
  | 'untested_edits'
  | 'unprinted_number'
  | 'last_call_failed';

export interface FailureSign {
  name: SignName;
  words: string;
  /** Where it shows, indices into `Trace.steps`; at least one. */
  steps: readonly number[];
}

interface Rule {
  name: SignName;
  holds(run: RunReading): boolean;
  words(run: RunReading): string;
  steps(run: RunReading): readonly number[];
}

/** Each was true of failed runs clearly more often than of all runs in the sets it was measured on (see the README). */
const RULES: readonly Rule[] = [
  {
    name: 'corrected_change',
    holds: (run) => runKind(run) === 'conversation' && run.calls.correctedWrites > 0,
    words: () => 'a tool that changes something failed and was tried again with other arguments',
    steps: ({ calls }) => calls.at.correctedWrites,
  },
  {
    name: 'many_changes',
    holds: (run) => runKind(run) === 'conversation' && run.calls.writes >= 3,
    words: ({ calls }) => `${counted(calls.writes, 'change')} were made in one conversation`,
    steps: ({ calls }) => calls.at.writes,
  },
  {
    name: 'failed_change',
    holds: (run) => runKind(run) !== 'shell' && run.calls.writeErrors > 0,
    words: () => 'a tool that changes something failed',
    steps: ({ calls }) => calls.at.writeErrors,
  },
  {
    name: 'many_user_turns',
    holds: (run) => runKind(run) === 'conversation' && userSteps(run).length >= 10,
    words: (run) => `the user had to speak ${counted(userSteps(run).length, 'time')}`,
    steps: userSteps,
  },
  {
    name: 'handed_over_late',
    holds: ({ calls }) => calls.handoversAfterWrite > 0,
    words: () => 'it was handed over after something had been changed',
    steps: ({ calls }) => calls.at.handoversAfterWrite,
  },
  {
    name: 'untested_edits',
    holds: (run) => runKind(run) === 'shell' && run.calls.edits > 0 && run.calls.suiteRuns === 0,
    words: () => 'files were edited and no test suite was run',
    steps: ({ calls }) => calls.at.edits,
  },
  {
    name: 'unprinted_number',
    holds: ({ answer, views }) => answer.isBoxed && answer.hasNumber && !answer.isShown && views.length > 0,
    words: () => 'the number it ends on was never printed by a tool',
    steps: ({ views }) => [views[views[0]!.run.finalAct]!.act.step],
  },
  {
    name: 'last_call_failed',
    holds: (run) => runKind(run) === 'tools' && run.calls.endsInError,
    words: () => 'its last call failed',
    steps: ({ calls }) => calls.at.last,
  },
];

/** What speaks for a failure, and where; empty where nothing does. */
export function failureSigns(trace: Trace): FailureSign[] {
  const run = readRun(trace);
  return RULES.filter(({ holds }) => holds(run)).map(({ name, words, steps }) => ({
    name,
    words: words(run),
    steps: steps(run),
  }));
}

function userSteps({ views }: RunReading): number[] {
  return views.filter(({ act }) => act.kind === 'user').map(({ act }) => act.step);
}
