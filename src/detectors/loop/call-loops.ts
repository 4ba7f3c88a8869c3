import type { Evidence } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import { type ToolUse, toolUses } from '../_kit/calls.ts';
import type { DetectorOptions, Finding } from '../_kit/define.ts';
import { counted, cut } from '../_kit/text.ts';
import { wasteOf } from '../_kit/waste.ts';
import { isUserTurn } from './actors.ts';
import { loopGuard, rememberInPrompt } from './fixes.ts';
import { findPeriodicRuns, type PeriodicRun } from './periodic.ts';
import { callKeys, countBefore, findRepetitions, type Repetition, type Turns } from './repetition.ts';
import { findRephrasings, type Rephrasing } from './rephrasing.ts';

type CallSubtype = 'exact_repetition' | 'stalled' | 'cyclic' | 'retry_storm' | 'rephrasing';

/** Loops of tool calls. What a storm of one error or a cycle explains is not told again call by call. */
export function findCallLoops(trace: Trace, options: DetectorOptions): Finding<CallSubtype>[] {
  const uses = toolUses(trace);
  const { loopDetectionWindow, minMatchesForLoop } = options.thresholds;
  const turns = turnsIn(trace);
  const cycles = findPeriodicRuns(callKeys(uses), loopDetectionWindow, minMatchesForLoop + 1);
  const isInCycle = (at: number) => cycles.some((cycle) => at >= cycle.from && at <= cycle.to);
  const storms = findStorms(uses, turns, minMatchesForLoop + 2).filter((storm) => !storm.every(isInCycle));
  const explained = new Set(storms.flat());
  const isExplained = (at: number) => explained.has(at) || isInCycle(at);
  const repetitions = findRepetitions(uses, turns).filter(({ at }) => !at.every(isExplained));
  const rephrasings = findRephrasings(uses, loopDetectionWindow).filter(({ at }) => !at.every(isExplained));
  return [
    ...cycles.map((cycle) => cycleFinding(trace, uses, cycle, options)),
    ...storms.map((storm) => stormFinding(trace, uses, storm, options)),
    ...repetitions.map((repetition) => repetitionFinding(trace, uses, repetition, options)),
    ...rephrasings.map((rephrasing) => rephrasingFinding(trace, uses, rephrasing, options)),
  ];
}

function turnsIn(trace: Trace): Turns {
  return {
    user: trace.steps.filter(isUserTurn).map((step) => step.index),
    model: trace.steps.filter((step) => step.kind === 'llm').map((step) => step.index),
  };
}

/** Rises with every repetition beyond what the settings allow; one short of it is worth no more than a note. */
function repetitionScore(repeats: number, allowed: number): number {
  return repeats < allowed ? 0.3 * (repeats / allowed) + 0.15 : Math.min(0.98, 0.66 + 0.06 * (repeats - allowed));
}

function repetitionFinding(
  trace: Trace,
  uses: readonly ToolUse[],
  { at, isConsecutive, isResolved }: Repetition,
  { thresholds, models }: DetectorOptions,
): Finding<CallSubtype> {
  const calls = at.map((position) => uses[position]!);
  const [first] = calls as [ToolUse];
  const unproven = isResolved || (!first.hasResult && !first.isError && first.changesState) ? 0.5 : 1;
  const args = cut(argumentsOf(first), 120);
  const result = first.hasResult ? `the same result (${cut(oneLine(first.resultText), 100)})` : 'no recorded result';
  const repeated = {
    framework: trace.framework,
    agent: first.agent,
    what: `${first.name}(${cut(args, 60)})`,
    times: at.length,
  };
  return {
    subtype: isConsecutive ? 'exact_repetition' : 'stalled',
    score: unproven * repetitionScore(at.length - 1, thresholds.minMatchesForLoop),
    step: calls[1]!.step,
    steps: calls.map((call) => call.step),
    agent: first.agent,
    explanation: `${first.agent ?? 'The agent'} called ${first.name} with the same arguments ${args} ${counted(at.length, 'time')}${
      isConsecutive ? ' in a row' : ' with other calls in between, none of which changed anything'
    } and got ${result} each time. From the second call on nothing could be learned.`,
    suggestedAction: `Stop ${first.name} from being called again with unchanged arguments and an unchanged result.`,
    evidence: calls.slice(0, 5).map((call) => callEvidence(trace, call)),
    ...wasteOf(
      trace,
      calls.slice(1).map((call) => call.step),
      models,
    ),
    fixes: [loopGuard(repeated), rememberInPrompt(repeated, cut(oneLine(said), 80))],
    key: first.name,
  };
}

function cycleFinding(
  trace: Trace,
  uses: readonly ToolUse[],
  { from, to, period, rounds }: PeriodicRun,
  { thresholds, models }: DetectorOptions,
): Finding<CallSubtype> {
  const calls = uses.slice(from, to + 1);
  const names = calls.slice(0, period).map((call) => call.name);
  const path = names.join(' → ');
  const agents = [...new Set(calls.map((call) => call.agent ?? 'the agent'))];
  const repeated = { framework: trace.framework, agent: calls[0]!.agent, what: path, times: rounds };
  return {
    subtype: 'cyclic',
    score: Math.min(0.98, repetitionScore(rounds - 1, thresholds.minMatchesForLoop) + 0.06),
    step: calls[period]!.step,
    steps: calls.map((call) => call.step),
    agent: calls[period]!.agent,
    explanation: `${agents.join(' and ')} went through the cycle ${path} ${counted(rounds, 'time')}: each round made the same calls with the same arguments and got the same results, so no round after the first brought anything new.`,
    suggestedAction: `Break the cycle ${path} once a round brings back what is already known.`,
    evidence: calls.slice(0, Math.min(2 * period, 6)).map((call) => callEvidence(trace, call)),
    ...wasteOf(
      trace,
      calls.slice(period).map((call) => call.step),
      models,
    ),
    fixes: [loopGuard(repeated), rememberInPrompt(repeated, '')],
    key: [...names].sort().join(' '),
  };
}

/** Runs of one tool that failed in the same words at least `minLength` times, without a success or a word of the user. */
function findStorms(uses: readonly ToolUse[], turns: Turns, minLength: number): number[][] {
  const running = new Map<string, { message: string; at: number[] }>();
  const userTurnsBefore = countBefore(uses, turns.user);
  const found: number[][] = [];
  const close = (name: string) => {
    const run = running.get(name);
    if (run !== undefined && run.at.length >= minLength) found.push(run.at);
    running.delete(name);
  };
  for (const [at, use] of uses.entries()) {
    if (use.command !== null) continue;
    const name = `${use.agent ?? ''} ${use.name}`;
    const message = use.failure === null ? null : errorShape(use.failure.message);
    const open = running.get(name);
    const isCutShort = open !== undefined && userTurnsBefore[open.at[0]!] !== userTurnsBefore[at];
    if (open?.message !== message || isCutShort) close(name);
    if (message === null) continue;
    const run = running.get(name) ?? { message, at: [] };
    run.at.push(at);
    running.set(name, run);
  }
  for (const name of [...running.keys()]) close(name);
  return found;
}

/** The wording of an error without the values in it. */
function errorShape(message: string): string {
  return message
    .slice(0, 200)
    .replace(/'[^']*'|"[^"]*"/g, '#')
    .replace(/\d+/g, '#')
    .toLowerCase();
}

function stormFinding(
  trace: Trace,
  uses: readonly ToolUse[],
  at: readonly number[],
  { thresholds, models }: DetectorOptions,
): Finding<CallSubtype> {
  const calls = at.map((position) => uses[position]!);
  const [first] = calls as [ToolUse];
  const message = cut(oneLine(first.failure!.message), 140);
  const repeated = { framework: trace.framework, agent: first.agent, what: first.name, times: calls.length };
  return {
    subtype: 'retry_storm',
    score: repetitionScore(calls.length - 2, thresholds.minMatchesForLoop),
    step: calls[1]!.step,
    steps: calls.map((call) => call.step),
    agent: first.agent,
    explanation: `${first.agent ?? 'The agent'} retried ${first.name} ${counted(calls.length, 'time')} in a row though it failed in the same way every time: ${message}. The error does not go away by trying again.`,
    suggestedAction: `Give up on ${first.name} after the second equal error and report it or take another way.`,
    evidence: calls.slice(0, 5).map((call) => ({
      kind: 'error',
      spanId: trace.steps[call.step]!.spanId,
      path: 'error',
      quote: call.failure!.message,
      value: null,
    })),
    ...wasteOf(
      trace,
      calls.slice(1).map((call) => call.step),
      models,
    ),
    fixes: [
      {
        fixType: 'retry_policy',
        title: `Limit retries of ${first.name} to 2 and only for passing errors`,
        description: `Retry ${first.name} at most twice with a growing pause, and only on timeouts, rate limits and 5xx; hand every other error to the agent as final.`,
        rationale: `${counted(calls.length, 'attempt')} met the same error: ${cut(message, 80)}.`,
        confidence: 0.7,
        risk: 'low',
        changes: [
          {
            target: first.name,
            format: 'text',
            before: null,
            after:
              'retries: 2, backoff: exponential from 1 s, retry on: timeout | 429 | 5xx, otherwise: return the error as final',
          },
        ],
        isBreaking: false,
        requiresTesting: true,
      },
      loopGuard(repeated),
    ],
    key: `${first.name} ${errorShape(message)}`,
  };
}

function rephrasingFinding(
  trace: Trace,
  uses: readonly ToolUse[],
  { at, likeness }: Rephrasing,
  { models }: DetectorOptions,
): Finding<CallSubtype> {
  const calls = at.map((position) => uses[position]!);
  const [first, second] = calls as [ToolUse, ToolUse];
  const steps = calls.map((call) => call.step);
  const repeated = { framework: trace.framework, agent: first.agent, what: first.name, times: calls.length };
  return {
    subtype: 'rephrasing',
    score: Math.min(0.56, 0.25 + 0.25 * likeness),
    step: second.step,
    steps,
    agent: first.agent,
    explanation: `${first.agent ?? 'The agent'} asked ${first.name} for much the same thing ${counted(calls.length, 'time')} in other words, from ${cut(argumentsOf(first), 80)} to ${cut(argumentsOf(calls[calls.length - 1]!), 80)}, instead of working with what came back or looking elsewhere.`,
    suggestedAction: `Let the agent read the results of ${first.name} or change the source before it searches again.`,
    evidence: calls.slice(0, 4).map((call) => callEvidence(trace, call)),
    ...wasteOf(trace, steps.slice(1), models),
    fixes: [rememberInPrompt(repeated, ''), loopGuard(repeated)],
    key: first.name,
  };
}

function callEvidence(trace: Trace, call: ToolUse): Evidence {
  return {
    kind: 'repeated_call',
    spanId: trace.steps[call.step]!.spanId,
    path: 'tool.arguments',
    quote: `${call.name}(${argumentsOf(call)})`,
    value: null,
  };
}

function argumentsOf(call: ToolUse): string {
  return call.command ?? (typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments));
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
