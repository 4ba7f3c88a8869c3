import type { Evidence } from '../../core/detection.ts';
import type { Step, Trace } from '../../core/trace.ts';
import type { DetectionDraft, DetectorOptions } from '../_kit/define.ts';
import { withoutRepeatedTexts } from '../_kit/evidence.ts';
import { withoutVolatile } from '../_kit/normalise.ts';
import { outputPunctuation } from '../_kit/punctuation-hash.ts';
import { counted, cut, textKey } from '../_kit/text.ts';
import { wasteOf } from '../_readings/calls/waste.ts';
import { isMessage, isUserTurn, turnsOf } from '../_readings/repeats/actors.ts';
import { loopGuard, preventDuplicateSend } from './fixes.ts';
import { areSamples } from './restated.ts';
import { findTurnCycles, mayCycle, turnCycleDetection } from './turn-cycles.ts';
import { compareTurns } from './turn-keys.ts';

/** Shorter messages ("Done.", "Continue.") recur in healthy conversations. */
const LONG_MESSAGE_CHARACTERS = 80;

/** Loops of messages: actors that repeat the same rounds, and an agent that repeats the same long message. */
export function findMessageLoops(
  trace: Trace,
  options: DetectorOptions,
): DetectionDraft<'cyclic' | 'message_repetition'>[] {
  const allTurns = turnsOf(trace);
  // Outputs of turns are compared only if the same actors recur.
  const turns = mayCycle(trace, allTurns, options.thresholds) ? compareTurns(trace, allTurns, options.thresholds) : [];
  const cycles = findTurnCycles(trace, turns, options.thresholds);
  const inCycle = new Set(
    cycles.flatMap(({ from, to }) => turns.slice(from, to + 1).flatMap(({ step, outputStep }) => [step, outputStep])),
  );
  const repeats = repeatedMessages(trace).filter(
    (steps) => !steps.every((step) => inCycle.has(step.index)) && !areSamples(trace, steps),
  );
  return [
    ...cycles.map((cycle) => turnCycleDetection(trace, turns, cycle, options)),
    ...repeats.map((steps) => repetitionDetection(trace, steps, options)),
  ];
}

/** Score of a repeated message: by its number, its author and what followed it. */
function repetitionScore(trace: Trace, steps: readonly Step[], allowed: number): number {
  const repeats = steps.length - 1;
  if (repeats < allowed) return 0.3;
  const isFreeText = steps.some(({ kind, output }) => kind === 'llm' && !isRecord(output));
  return isFreeText
    ? Math.min(0.95, 0.62 + 0.06 * (repeats - allowed) + endingAdjustment(trace, steps))
    : TEMPLATE_SCORE;
}

/**
 * Score of templates. A text that no model wrote is a template, for example of a proxy that prompts an agent, and a record
 * that a model fills in is equal for equal inputs. Only info, however often.
 */
const TEMPLATE_SCORE = 0.45;

function isRecord(text: string): boolean {
  return /^\s{0,9}(?:```\w{0,9}\s{0,9})?[{[]/.test(text) && /[}\]]\s{0,9}(?:```)?\s{0,9}$/.test(text.slice(-40));
}

/** Higher if the run ended during the repetition, lower if longer work followed. */
function endingAdjustment(trace: Trace, steps: readonly Step[]): number {
  const [first, last] = [steps[0]!.index, steps[steps.length - 1]!.index];
  const lasted = last - first;
  const after = trace.steps.length - 1 - last;
  if (after > lasted) return -0.04;
  return after <= lasted / (steps.length - 1) ? 0.06 : 0;
}

/** Limit: a run in failure repeats everything; only the most repeated messages are reported. */
const MAX_MESSAGES = 5;

/**
 * Groups of equal long messages of one agent, in order. Texts that only announce a tool call are left to the rules for
 * calls.
 */
function repeatedMessages(trace: Trace): Step[][] {
  const own = trace.steps.filter((step) => isOwnMessage(step) && !announcesCall(trace, step));
  const similar = Map.groupBy(own, (step) => `${step.agent ?? ''} ${outputPunctuation(step)}`);
  const groups = [...similar.values()]
    .filter((steps) => steps.length > 1)
    .flatMap((steps) => [...Map.groupBy(steps, ({ output }) => textKey(withoutVolatile(output))).values()]);
  const repeated = groups.filter((steps) => steps.length > 1);
  return repeated.sort((a, b) => b.length - a.length || a[0]!.index - b[0]!.index).slice(0, MAX_MESSAGES);
}

function isOwnMessage(step: Step): boolean {
  if ((step.kind !== 'llm' && !isMessage(step)) || isUserTurn(step)) return false;
  const isOutside = ['system', 'tool'].some((name) => step.agent === name || step.name === name);
  return !isOutside && step.output.length >= LONG_MESSAGE_CHARACTERS;
}

function announcesCall(trace: Trace, step: Step): boolean {
  const next = trace.steps[step.index + 1];
  return step.outputMessages.some((message) => message.toolCalls.length > 0) || next?.kind === 'tool';
}

const MAX_QUOTED = 4;

function messageEvidence({ spanId, output }: Step): Evidence {
  return { kind: 'message', spanId, path: 'output', quote: output, value: null };
}

function repetitionDetection(
  trace: Trace,
  steps: readonly Step[],
  { thresholds, models }: DetectorOptions,
): DetectionDraft<'message_repetition'> {
  const [first, second] = steps as [Step, Step];
  const agent = first.agent;
  const quote = cut(first.output.replace(/\s+/g, ' '), 100);
  const repeated = { trace, agent, what: 'the same message', times: steps.length };
  return {
    subtype: 'message_repetition',
    score: repetitionScore(trace, steps, thresholds.minMatchesForLoop),
    step: second.index,
    steps: steps.map((step) => step.index),
    agent,
    explanation: `${agent ?? first.name} sent the same message ${counted(steps.length, 'time')}, word for word: "${quote}".`,
    suggestedAction: `Before step ${second.index}, give ${agent ?? first.name} something that it did not have at step ${first.index}, or end the run there: its message ("${cut(quote, 60)}") is the same.`,
    evidence: withoutRepeatedTexts(steps.map(messageEvidence)).slice(0, MAX_QUOTED),
    ...wasteOf(
      trace,
      steps.slice(1).map((step) => step.index),
      models,
    ),
    fixes: [loopGuard(repeated), preventDuplicateSend(repeated)],
    key: `${agent ?? ''} message`,
  };
}
