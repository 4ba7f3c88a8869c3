import type { Step, Trace } from '../../core/trace.ts';
import { withoutVolatile } from '../_kit/normalise.ts';
import { wordOverlap, words } from '../_kit/text.ts';
import { toolUses } from '../_readings/calls/calls.ts';

/** The first agent repeated its opening message, with work in between. */
export interface Restart {
  first: Step;
  second: Step;
  overlap: number;
  /** The step after the second opening that repeats the step after the first one; null if the work continued differently. */
  repeated: Step | null;
}

const MIN_OPENING_OVERLAP = 0.6;
const MIN_CHARACTERS = 200;
/** With fewer steps in between, the second message is a correction of the first. */
const MIN_DISTANCE = 5;
/** An opening in the words of the task is a template that recurs in every round. Only words that are not in the task count. */
const MIN_OWN_WORDS = 12;

/**
 * A later message of the first speaker whose words, without those of the task, have a Jaccard overlap of at least 0.6 with
 * its first message. Several agents must take part: a single agent may return to its notes. A message that repeats word for
 * word is reported by `loop`. After a user message, a new opening is an answer to it.
 */
export function findRestart(trace: Trace): Restart | null {
  const first = openingOf(trace);
  if (first === null || !hasSeveralAgents(trace)) return null;
  const later = trace.steps.filter(
    (step) => isPlainMessage(step) && step.agent === first.agent && step.index - first.index >= MIN_DISTANCE,
  );
  if (later.length === 0) return null;
  const task = new Set(words(trace.task ?? ''));
  const opening = new Set(words(first.output).filter((word) => !task.has(word)));
  if (opening.size < MIN_OWN_WORDS) return null;
  const openingText = withoutVolatile(first.output);
  for (const second of later) {
    const overlap = ownOverlap(opening, words(second.output), task);
    if (overlap < MIN_OPENING_OVERLAP || withoutVolatile(second.output) === openingText) continue;
    const isAnswer = trace.steps.slice(first.index + 1, second.index).some(isUserMessage);
    return isAnswer ? null : { first, second, overlap, repeated: repeatedWork(trace, first, second) };
  }
  return null;
}

/**
 * Jaccard overlap of the opening with these words, without those of the task; 0 as soon as too many words are not in the
 * opening, which is the case for most messages.
 */
function ownOverlap(opening: ReadonlySet<string>, others: readonly string[], task: ReadonlySet<string>): number {
  const [shared, added] = [new Set<string>(), new Set<string>()];
  const limit = opening.size / MIN_OPENING_OVERLAP;
  for (const word of others) {
    if (opening.has(word)) shared.add(word);
    else if (!task.has(word)) added.add(word);
    if (opening.size + added.size > limit) return 0;
  }
  return shared.size / (opening.size + added.size);
}

function isPlainMessage({ kind, output, outputMessages }: Step): boolean {
  return (
    kind === 'llm' && output.length >= MIN_CHARACTERS && outputMessages.every(({ toolCalls }) => toolCalls.length === 0)
  );
}

/** The first message or call of an agent, if it is a long message. */
function openingOf({ steps }: Trace): Step | null {
  const first = steps.find(({ kind }) => kind === 'llm' || kind === 'tool');
  return first === undefined || first.agent === null || !isPlainMessage(first) ? null : first;
}

function isUserMessage({ kind, name, agent, outputMessages }: Step): boolean {
  return kind === 'message' && [name, agent, outputMessages[0]?.role].includes('user');
}

/** The same call, or nearly the same words of the same agent, directly after both openings. */
function repeatedWork(trace: Trace, first: Step, second: Step): Step | null {
  const uses = toolUses(trace);
  const firstUse = uses.find(({ step }) => step > first.index && step < second.index);
  const secondUse = uses.find(({ step }) => step > second.index);
  if (firstUse && secondUse && firstUse.name === secondUse.name && firstUse.argumentsText === secondUse.argumentsText)
    return trace.steps[secondUse.step]!;
  const next = (from: number) =>
    trace.steps.slice(from + 1).find(({ kind, output }) => kind === 'llm' && output.trim() !== '');
  const [one, other] = [next(first.index), next(second.index)];
  if (one === undefined || other === undefined || one.index >= second.index || one.agent !== other.agent) return null;
  return wordOverlap(new Set(words(one.output)), new Set(words(other.output))) >= MIN_OPENING_OVERLAP ? other : null;
}

function hasSeveralAgents({ steps }: Trace): boolean {
  return new Set(steps.filter(({ kind }) => kind === 'llm').map(({ agent }) => agent)).size > 1;
}
