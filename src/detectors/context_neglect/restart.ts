import type { Step, Trace } from '../../core/trace.ts';
import { wordOverlap, words } from '../_kit/text.ts';

/** The agent that opened the run said its opening again, with work in between. */
export interface Restart {
  first: Step;
  second: Step;
  overlap: number;
}

const SAME_OPENING = 0.6;
const LEAST_CHARACTERS = 200;
/** Fewer steps between are a correction of the opening. */
const LEAST_DISTANCE = 5;
/** An opening in the task's words is a template that comes back with every round: only words of its own count. */
const LEAST_OWN_WORDS = 12;

/**
 * A later message of the first speaker with a Jaccard overlap of .6 or more with its first, over words that are not the task's. Several agents
 * must take part: a single agent comes back to its notes.
 */
export function findRestart(trace: Trace): Restart | null {
  const spoken = trace.steps.filter(({ kind, output, outputMessages }) => {
    const isTalk = outputMessages.every(({ toolCalls }) => toolCalls.length === 0);
    return kind === 'llm' && output.length >= LEAST_CHARACTERS && isTalk;
  });
  const first = spoken[0];
  if (first === undefined || first.agent === null || !hasSeveralAgents(trace)) return null;
  const later = spoken.filter(({ agent, index }) => agent === first.agent && index - first.index >= LEAST_DISTANCE);
  if (later.length === 0) return null;
  const task = new Set(words(trace.task ?? ''));
  const ownWords = ({ output }: Step) => new Set(words(output).filter((word) => !task.has(word)));
  const opening = ownWords(first);
  if (opening.size < LEAST_OWN_WORDS) return null;
  for (const second of later) {
    const overlap = wordOverlap(opening, ownWords(second));
    if (overlap >= SAME_OPENING) return { first, second, overlap };
  }
  return null;
}

function hasSeveralAgents({ steps }: Trace): boolean {
  return new Set(steps.filter(({ kind }) => kind === 'llm').map(({ agent }) => agent)).size > 1;
}
