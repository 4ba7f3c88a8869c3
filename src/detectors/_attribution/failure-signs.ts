import type { Trace } from '../../core/trace.ts';
import { counted } from '../_kit/text.ts';
import type { RunReading } from './run-columns.ts';
import { readRun } from './run-features.ts';
import { runKind } from './run-kind.ts';

interface Sign {
  holds(run: RunReading): boolean;
  words(run: RunReading): string;
}

/** Each was true of failed runs clearly more often than of all runs in the sets it was measured on (see the README). */
const SIGNS: readonly Sign[] = [
  {
    holds: (run) => runKind(run) === 'conversation' && run.calls.correctedWrites > 0,
    words: () => 'a tool that changes something failed and was tried again with other arguments',
  },
  {
    holds: (run) => runKind(run) === 'conversation' && run.calls.writes >= 3,
    words: ({ calls }) => `${counted(calls.writes, 'change')} were made in one conversation`,
  },
  {
    holds: (run) => runKind(run) !== 'shell' && run.calls.writeErrors > 0,
    words: () => 'a tool that changes something failed',
  },
  {
    holds: (run) => runKind(run) === 'conversation' && userTurns(run) >= 10,
    words: (run) => `the user had to speak ${counted(userTurns(run), 'time')}`,
  },
  {
    holds: ({ calls }) => calls.handoversAfterWrite > 0,
    words: () => 'it was handed over after something had been changed',
  },
  {
    holds: (run) => runKind(run) === 'shell' && run.calls.edits > 0 && run.calls.suiteRuns === 0,
    words: () => 'files were edited and no test suite was run',
  },
  {
    holds: ({ answer }) => answer.isBoxed && answer.hasNumber && !answer.isShown,
    words: () => 'the number it ends on was never printed by a tool',
  },
  { holds: (run) => runKind(run) === 'tools' && run.calls.endsInError, words: () => 'its last call failed' },
];

/** What speaks for a failure, in words; empty where nothing does. */
export function failureSigns(trace: Trace): string[] {
  const run = readRun(trace);
  return SIGNS.filter(({ holds }) => holds(run)).map(({ words }) => words(run));
}

function userTurns({ views }: RunReading): number {
  return views.filter(({ act }) => act.kind === 'user').length;
}
