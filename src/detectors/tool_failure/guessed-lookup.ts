import { isJsonObject, type Json } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd } from '../_kit/completeness.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { cut, words } from '../_kit/text.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { classifyFailure } from '../_readings/calls/failure-class.ts';
import { agentTurns, conversation } from '../_readings/conduct/conversation.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { isConfirmedFailure } from './confirmed-failure.ts';

/** The last read of a run: it searched for a value that no message or result contains, and found nothing. */
interface GuessedLookup {
  use: ToolUse;
  /** The value as in the call. */
  guess: string;
  /** Step of the answer after it. */
  answeredAt: number;
}

/** Calls that hand over the run or submit the work; they read nothing. */
const CLOSES = /transfer|hand_?(?:off|over)|escalat|finish|submit|terminat|final_/i;
const EMPTY = new Set(['', '[]', '{}', 'null', 'None', '""', "''"]);

export function guessedLookup(trace: Trace): GuessedLookup | null {
  if (!hasKnownEnd(trace) || trace.status === 'error') return null;
  const uses = toolUses(trace).filter(({ name }) => !CLOSES.test(name));
  const use = uses.at(-1);
  if (use === undefined || !foundNothing(use)) return null;
  if (use.failure !== null && isConfirmedFailure(trace, use)) return null;
  const answer = agentTurns(trace).find(({ step, text }) => step > use.step && text !== '');
  if (answer === undefined) return null;
  const texts = textsIn(use.arguments).filter(isFreeText);
  if (texts.length === 0) return null;
  const known = knownText(trace, uses, use);
  const guess = texts.find((text) => !known.includes(plain(text)));
  return guess === undefined ? null : { use, guess, answeredAt: answer.step };
}

function foundNothing({ failure, refusal, command, changesState, hasResult, resultText }: ToolUse): boolean {
  if (command !== null || refusal !== null) return false;
  // An empty list is the result of a read, whatever the tool is called.
  if (hasResult && failure === null && resultText.replace(/\s/g, '') === '[]') return true;
  if (changesState) return false;
  if (failure !== null) return classifyFailure(failure) === 'not_found';
  return hasResult && EMPTY.has(resultText.replace(/\s/g, ''));
}

/**
 * Whether a value is free text: two words, or a name with a punctuation mark. A single word may be one of the values that
 * the tool accepts.
 */
function isFreeText(text: string): boolean {
  return words(text).filter((word) => /\p{L}{3}/u.test(word)).length >= 2 && text.length <= MAX_GUESS_LENGTH;
}

const MAX_GUESS_LENGTH = 200;

/** User messages, instructions and all earlier results. */
function knownText(trace: Trace, uses: readonly ToolUse[], last: ToolUse): string {
  const messages = conversation(trace).filter(({ by, step }) => by !== 'agent' && step < last.step);
  const found = uses
    .filter((use) => use !== last)
    .flatMap(({ resultText, failure }) => [resultText, failure?.message ?? '']);
  return plain([trace.task ?? '', ...messages.map(({ text }) => text), ...found].join('\n'));
}

/** Without case, punctuation and differences in white space. */
function plain(text: string): string {
  return words(text).join(' ');
}

function textsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.slice(0, 50).flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

export function guessedLookupDetection(
  trace: Trace,
  { use, guess, answeredAt }: GuessedLookup,
): DetectionDraft<'guess_not_found'> {
  const { name, agent, step } = use;
  const who = agent ?? trace.steps[answeredAt]!.name;
  return {
    subtype: 'guess_not_found',
    // Another form or language of the user's words is also a guess, and an empty result may be right: info.
    score: 0.5,
    step,
    steps: [step, answeredAt],
    agent,
    explanation: `The last look-up of the run, ${name} at step ${step}, asked for "${cut(guess, 80)}", which no message and no earlier result contains, and it found nothing. ${who} answered at step ${answeredAt} and tried no other call.`,
    suggestedAction: `Have ${who} try other words or list the existing entries before it answers that nothing exists.`,
    evidence: [
      {
        kind: 'call',
        spanId: trace.steps[step]!.spanId,
        path: 'tool',
        quote: cut(`${name} ${use.argumentsText}`, 250),
        value: null,
      },
    ],
    fixes: [
      checkFix('tool_change', {
        title: `Have ${name} return similar names`,
        target: `empty results of ${name}`,
        description: `When ${name} finds nothing, return the nearest names or the number of all entries, and the call that lists them, so that the agent can correct its words.`,
        after: `${name}: {"found": 0, "nearest": ["…"], "hint": "fewer words, or list all with …"}`,
        why: 'The agent guessed the words, and an empty result does not exclude other words.',
      }),
    ],
    key: name,
  };
}
