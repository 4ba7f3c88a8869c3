import type { Step, Trace } from '../../core/trace.ts';
import type { DetectorOptions, Finding } from '../_kit/define.ts';
import { withoutVolatile } from '../_kit/normalise.ts';
import { counted, cut, textKey, wordOverlap, words } from '../_kit/text.ts';
import { wasteOf } from '../_kit/waste.ts';
import { isMessage, isUserTurn, type Turn, turnsOf } from './actors.ts';
import { loopGuard, rememberInPrompt } from './fixes.ts';
import { findPeriodicRuns, type PeriodicRun } from './periodic.ts';

type MessageSubtype = 'cyclic' | 'message_repetition';

/** Shorter messages ("Done.", "Continue.") come back in healthy conversations. */
const LONG_MESSAGE_CHARACTERS = 80;

/** Loops of talk: actors going round in the same words, and one agent sending the same long message again. */
export function findMessageLoops(trace: Trace, options: DetectorOptions): Finding<MessageSubtype>[] {
  const turns = turnsOf(trace);
  const { loopDetectionWindow, minMatchesForLoop, semanticThreshold } = options.thresholds;
  const actors = turns.map((turn) => turn.actor);
  const cycles = findPeriodicRuns(actors, loopDetectionWindow, minMatchesForLoop + 1)
    .flatMap((run) => sameWordsPart(turns, run, semanticThreshold))
    .filter((run) => run.rounds > minMatchesForLoop);
  const inCycle = new Set(cycles.flatMap((run) => turns.slice(run.from, run.to + 1).map((turn) => turn.step)));
  const repeats = repeatedMessages(trace).filter((steps) => !steps.every((step) => inCycle.has(step.index)));
  return [
    ...cycles.map((run) => cycleFinding(trace, turns, run, options)),
    ...repeats.map((steps) => repetitionFinding(trace, steps, options)),
  ];
}

/** The longest part of the run in which each actor says what it said a round before. */
function sameWordsPart(turns: readonly Turn[], run: PeriodicRun, threshold: number): PeriodicRun[] {
  const said = turns.slice(run.from, run.to + 1).map((turn) => new Set(words(turn.output)));
  let best = { from: 0, length: 0 };
  let matched = 0;
  for (let at = run.period; at < said.length; at += 1) {
    const isSame = said[at]!.size > 0 && wordOverlap(said[at]!, said[at - run.period]!) >= threshold;
    matched = isSame ? matched + 1 : 0;
    if (matched > best.length) best = { from: at - matched - run.period + 1, length: matched };
  }
  const rounds = Math.floor(best.length / run.period) + 1;
  const from = run.from + best.from;
  return rounds < 2 ? [] : [{ from, to: from + rounds * run.period - 1, period: run.period, rounds }];
}

function cycleFinding(
  trace: Trace,
  turns: readonly Turn[],
  { from, to, period, rounds }: PeriodicRun,
  { thresholds, models }: DetectorOptions,
): Finding<MessageSubtype> {
  const members = turns.slice(from, to + 1);
  const path = members
    .slice(0, period)
    .map((turn) => turn.actor)
    .join(' → ');
  const repeated = { framework: trace.framework, agent: members[0]!.actor, what: path, times: rounds };
  return {
    subtype: 'cyclic',
    score: Math.min(0.98, 0.72 + 0.06 * (rounds - 1 - thresholds.minMatchesForLoop)),
    step: members[period]!.step,
    steps: members.map((turn) => turn.step),
    agent: members[0]!.actor,
    explanation: `${path} went round ${counted(rounds, 'time')}, and each said in every round what it had said before. Nothing was decided or added after the first round.`,
    suggestedAction: `Let ${members[period - 1]!.actor} decide after one round, or end the exchange when nothing changes.`,
    evidence: members.slice(0, 2 * period).map((turn) => ({
      kind: 'message',
      spanId: trace.steps[turn.step]!.spanId,
      path: 'output',
      quote: turn.output,
      value: null,
    })),
    ...wasteOf(
      trace,
      members.slice(period).map((turn) => turn.step),
      models,
    ),
    fixes: [loopGuard(repeated), rememberInPrompt(repeated, '')],
    key: members
      .slice(0, period)
      .map((turn) => turn.actor)
      .sort()
      .join(' '),
  };
}

/** A run in pieces repeats everything; the most repeated messages tell the story. */
const MOST_MESSAGES = 5;

/** Groups of equal long messages of one agent, in order; text that only announces a tool call is left to the calls. */
function repeatedMessages(trace: Trace): Step[][] {
  const groups = new Map<string, Step[]>();
  for (const step of trace.steps) {
    if (!isOwnMessage(step) || announcesCall(trace, step)) continue;
    const key = `${step.agent ?? ''}\n${textKey(withoutVolatile(step.output))}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [step]);
    else group.push(step);
  }
  const repeated = [...groups.values()].filter((steps) => steps.length > 1);
  return repeated.sort((a, b) => b.length - a.length).slice(0, MOST_MESSAGES);
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

function repetitionFinding(
  trace: Trace,
  steps: readonly Step[],
  { thresholds, models }: DetectorOptions,
): Finding<MessageSubtype> {
  const [first, second] = steps as [Step, Step];
  const agent = first.agent;
  const repeats = steps.length - 1;
  const isLoop = repeats >= thresholds.minMatchesForLoop;
  const quote = cut(first.output.replace(/\s+/g, ' '), 100);
  const repeated = { framework: trace.framework, agent, what: 'the same message', times: steps.length };
  return {
    subtype: 'message_repetition',
    score: isLoop ? Math.min(0.95, 0.62 + 0.06 * (repeats - thresholds.minMatchesForLoop)) : 0.3,
    step: second.index,
    steps: steps.map((step) => step.index),
    agent,
    explanation: `${agent ?? first.name} sent the same message ${counted(steps.length, 'time')}, word for word: "${quote}". What came in between did not change its course.`,
    suggestedAction: `Have ${agent ?? first.name} notice that its message was already sent and take another way.`,
    evidence: steps.slice(0, 4).map((step) => ({
      kind: 'message',
      spanId: step.spanId,
      path: 'output',
      quote: step.output,
      value: null,
    })),
    ...wasteOf(
      trace,
      steps.slice(1).map((step) => step.index),
      models,
    ),
    fixes: [loopGuard(repeated), rememberInPrompt(repeated, cut(quote, 60))],
    key: `${agent ?? ''} message`,
  };
}
