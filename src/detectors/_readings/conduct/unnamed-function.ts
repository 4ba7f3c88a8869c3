import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { conversation } from './conversation.ts';
import { codeOf, codeRuns } from './executions.ts';
import { functionBodies, hasWord } from './function-bodies.ts';

/** A function that the code of all runs defines and that no text of the run names, except the agent's own ones. */
export interface UnnamedFunction {
  name: string;
  runs: number;
}

const MIN_RUNS = 2;

/**
 * The one function that all runs define, if neither a user, nor the instructions, nor a result names it: tests call a
 * function by its name. Null if the runs define several functions, or if the task is not recorded.
 */
export const unnamedFunction = memoizeByRef((trace: Trace): UnnamedFunction | null => {
  const runs = codeRuns(trace);
  const turns = conversation(trace).filter(({ by }) => by !== 'agent');
  const task = [trace.task ?? '', ...turns.flatMap(({ by, text }) => (by === 'user' ? [text] : []))];
  if (runs.length < MIN_RUNS || task.every((text) => text.trim() === '')) return null;
  const names = new Set(runs.flatMap((run) => functionBodies(codeOf(run)).map(({ name }) => name)));
  const [name] = names;
  const isInAll = runs.every((run) => functionBodies(codeOf(run)).length > 0);
  if (name === undefined || names.size > 1 || !isInAll) return null;
  const texts = [
    ...task,
    ...turns.map(({ text }) => text),
    ...instructionsOf(trace),
    ...runs.map(({ resultText }) => resultText),
  ];
  return texts.some((text) => hasWord(text, name)) ? null : { name, runs: runs.length };
});

function instructionsOf({ steps }: Trace): string[] {
  return steps.flatMap(({ inputMessages }) =>
    inputMessages.flatMap(({ role, content }) => (role === 'system' || role === 'user' ? [content ?? ''] : [])),
  );
}

/** One sentence with a leading space; empty for null. */
export function unnamedText(found: UnnamedFunction | null): string {
  return found === null
    ? ''
    : ` The code of all ${found.runs} runs defines \`${found.name}\`, a name that neither the task nor a result states.`;
}

/** One sentence with a leading space; empty for null. */
export function unnamedAdvice(found: UnnamedFunction | null): string {
  return found === null ? '' : ' State in the task which function the tests call.';
}
