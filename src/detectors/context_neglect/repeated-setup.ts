import type { Step, Trace } from '../../core/trace.ts';
import { textKey } from '../_kit/text.ts';

/** The set-up line of the run occurs again after work, and the work continued from there. */
export interface RepeatedSetup {
  first: Step;
  second: Step;
  /** Number of agent turns that were lost. */
  turnsBefore: number;
  /** Agent that continued after it. */
  next: Step;
}

/** After a single turn it may still be the same start. */
const MIN_TURNS_BEFORE = 2;
/** With fewer turns after it, the line may be part of the log's end. */
const MIN_TURNS_AFTER = 3;
const SETS_UP =
  /\b(?:initiali[sz](?:ed|ing)|set(?:ting)? up|start(?:ed|ing)(?: up)?|boot(?:ed|ing)?|launch(?:ed|ing))\b/i;
const MAX_LOG_LINE_LENGTH = 400;

/**
 * A log line from the beginning of the run that reports a set-up, repeated word for word in the middle of the work. Only
 * lines before the first agent turn count, and only if agents have turns on both sides.
 */
export function findRepeatedSetup({ steps }: Trace): RepeatedSetup | null {
  const opening = new Map<string, Step>();
  const turns = steps.filter(({ kind, output }) => kind === 'llm' && output.trim() !== '').map(({ index }) => index);
  const begin = turns[0] ?? 0;
  for (const step of steps) {
    if (!isSetUpLine(step)) continue;
    const key = textKey(step.output);
    const first = opening.get(key);
    if (step.index < begin) opening.set(key, first ?? step);
    else if (first !== undefined) {
      const turnsBefore = turns.filter((index) => index < step.index).length;
      const isMidWork = turnsBefore >= MIN_TURNS_BEFORE && turns.length - turnsBefore >= MIN_TURNS_AFTER;
      if (isMidWork) return { first, second: step, turnsBefore, next: steps[turns[turnsBefore]!]! };
    }
  }
  return null;
}

function isSetUpLine({ kind, outputMessages, output }: Step): boolean {
  return (
    kind === 'message' &&
    outputMessages[0]?.role === 'system' &&
    output.length <= MAX_LOG_LINE_LENGTH &&
    SETS_UP.test(output)
  );
}
