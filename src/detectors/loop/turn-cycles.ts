import type { Evidence } from '../../core/detection.ts';
import { canonicalJson, isJsonObject, type Json } from '../../core/json.ts';
import type { Thresholds } from '../../core/thresholds.ts';
import type { Trace } from '../../core/trace.ts';
import { inARow } from '../_kit/completeness.ts';
import type { DetectionDraft, DetectorOptions } from '../_kit/define.ts';
import { withoutRepeatedTexts } from '../_kit/evidence.ts';
import { counted, cut, joined, oneLine, words } from '../_kit/text.ts';
import { wasteOf } from '../_readings/calls/waste.ts';
import { isMessage, type Turn } from '../_readings/repeats/actors.ts';
import { loopGuard, preventDuplicateSend, preventEqualRound } from './fixes.ts';
import { findPeriodicRuns, type PeriodicRun } from './periodic.ts';
import type { ComparedTurn } from './turn-keys.ts';

/** Whether the same actors recur in the same order often enough. A single actor counts if states are recorded. */
export function mayCycle(
  trace: Trace,
  turns: readonly Turn[],
  { loopDetectionWindow, minMatchesForLoop }: Thresholds,
): boolean {
  const actors = turns.map(({ actor }) => actor);
  return (
    findPeriodicRuns(actors, loopDetectionWindow, minMatchesForLoop + 1, trace.states.length > 0 ? 1 : 2).length > 0
  );
}

/** Rounds of nodes or agents in which every member produced the same as in the previous round. */
export function findTurnCycles(
  trace: Trace,
  turns: readonly ComparedTurn[],
  { loopDetectionWindow, minMatchesForLoop }: Thresholds,
): PeriodicRun[] {
  const keys = turns.map(({ key }) => key);
  return findPeriodicRuns(keys, loopDetectionWindow, minMatchesForLoop + 1, 1)
    .map((run) => ({ ...run, to: run.from + run.rounds * run.period - 1 }))
    .filter((run) => isProven(trace, turns.slice(run.from, run.to + 1), run.period));
}

/** A text of this length does not repeat by chance. */
const MIN_WORDS = 3;

/**
 * Whether the output of a member was recorded: a state, calls, or more than "ok". Repetitions of a single actor are left to
 * its calls and messages, unless the state shows no progress.
 */
function isProven(trace: Trace, turns: readonly ComparedTurn[], period: number): boolean {
  const members = turns.slice(0, period).filter(({ isRouting }) => !isRouting);
  if (new Set(turns.slice(0, period).map(({ actor }) => actor)).size === 1)
    return members.some(({ hasState }) => hasState) && isInSequence(trace, turns);
  return members.some(({ hasState, hasCalls, output }) => hasState || hasCalls || words(output).length >= MIN_WORDS);
}

/** Whether rounds are sequential. Nodes that process parts of a list in parallel are not rounds. */
function isInSequence(trace: Trace, turns: readonly ComparedTurn[]): boolean {
  return turns.every(({ step }, at) => {
    const end = at === 0 ? null : trace.steps[turns[at - 1]!.step]!.endMs;
    const { startMs } = trace.steps[step]!;
    return end === null || startMs === null || startMs >= end;
  });
}

export function turnCycleDetection(
  trace: Trace,
  turns: readonly ComparedTurn[],
  run: PeriodicRun,
  { thresholds, models }: DetectorOptions,
): DetectionDraft<'cyclic'> {
  const { from, to, period, rounds } = run;
  const all = turns.slice(from, to + 1);
  const members = all.slice(0, period);
  const path = members.map(({ actor }) => actor).join(' → ');
  const repeated = { trace, agent: members[0]!.actor, what: path, times: rounds };
  return {
    subtype: 'cyclic',
    score: scoreOf(trace, turns, run, thresholds),
    step: all[period]!.step,
    steps: all.map(({ step }) => step),
    agent: members[0]!.actor,
    explanation: `${period === 1 ? path : `The cycle ${path}`} ran ${counted(rounds, 'time')}${period === 1 ? inARow(trace, all[0]!.step) : ''}. ${samenessText(members)} Rounds 2 to ${rounds} added nothing else that the trace shows.`,
    suggestedAction: exitText(
      members,
      all[period]!.step,
      period === 1
        ? `the edge from ${path} back to itself`
        : `the edge from ${members[period - 1]!.actor} back to ${members[0]!.actor}`,
    ),
    evidence: cycleEvidence(trace, all, period),
    ...wasteOf(
      trace,
      all.slice(period).map(({ step }) => step),
      models,
    ),
    fixes: [loopGuard(repeated), hasTexts(members) ? preventDuplicateSend(repeated) : preventEqualRound(repeated)],
    key: members
      .map(({ actor }) => actor)
      .sort()
      .join(' '),
  };
}

/** Factor for a cycle that ended with something new: it may have been a wait. A short one is at most info. */
const LEFT_FACTOR = 0.5;
const LEFT_LIMIT = 0.75;
/**
 * Limit for runs that continue with other work: rounds over the items of a list look the same if only a counter is
 * recorded.
 */
const PASSED_ON_LIMIT = 0.54;
/** Limit for runs that ended well; critical is for a run that is still active or did not end well. */
const ENDED_WELL_LIMIT = 0.8;

function scoreOf(
  trace: Trace,
  turns: readonly ComparedTurn[],
  { from, to, period, rounds }: PeriodicRun,
  { minMatchesForLoop }: Thresholds,
): number {
  const all = turns.slice(from, to + 1);
  const members = all.slice(0, period);
  const later = turns.slice(to + 1);
  const first = all.every(({ step }) => isMessage(trace.steps[step]!)) ? 0.54 : 0.72;
  const score = Math.min(limitOf(trace, later, all, members), first + 0.06 * (rounds - 1 - minMatchesForLoop));
  if (!continuesDifferently(later, members)) return score;
  const isLong = rounds > minMatchesForLoop + 2 && hasModelCall(trace, all);
  return isLong ? Math.min(score, LEFT_LIMIT) : score * LEFT_FACTOR;
}

function limitOf(
  trace: Trace,
  later: readonly ComparedTurn[],
  all: readonly ComparedTurn[],
  members: readonly ComparedTurn[],
): number {
  if (!trace.isSettled || trace.status === 'error') return 0.95;
  const actors = new Set(members.map(({ actor }) => actor));
  const isPassedOn = later.some(({ actor, isKnown, isRouting }) => isKnown && !isRouting && !actors.has(actor));
  if (!isPassedOn) return ENDED_WELL_LIMIT;
  const isArgued =
    all.length / members.length >= MIN_ARGUED_ROUNDS && hasModelCall(trace, all) && haveLongOutputs(members);
  return isArgued ? LEFT_LIMIT : PASSED_ON_LIMIT;
}

/** From this number of rounds, a repeated long text of a model is not about successive items of a list. */
const MIN_ARGUED_ROUNDS = 5;
const MIN_LONG_OUTPUT_WORDS = 8;

function haveLongOutputs(members: readonly ComparedTurn[]): boolean {
  return members.every(({ isRouting, output }) => isRouting || words(output).length >= MIN_LONG_OUTPUT_WORDS);
}

function continuesDifferently(later: readonly ComparedTurn[], members: readonly ComparedTurn[]): boolean {
  const known = new Set(members.map(({ key }) => key));
  const actors = new Set(members.filter(({ isRouting }) => !isRouting).map(({ actor }) => actor));
  return later.some(
    ({ actor, key, isRouting, isKnown }) => isKnown && !isRouting && actors.has(actor) && !known.has(key),
  );
}

function hasModelCall(trace: Trace, turns: readonly ComparedTurn[]): boolean {
  const last = turns.at(-1)!;
  return trace.steps.slice(turns[0]!.step, last.step + 1).some(({ kind, model }) => kind === 'llm' || model !== null);
}

/** What was equal, according to the recorded data. */
function samenessText(members: readonly ComparedTurn[]): string {
  const membersWithText = members.filter(({ hasText, isRouting }) => hasText && !isRouting);
  const calling = members.filter(({ hasCalls }) => hasCalls);
  const parts = [
    ...(membersWithText.length === 0 ? [] : [`${namesOf(membersWithText)} gave the same output`]),
    ...(calling.length === 0 ? [] : [`${namesOf(calling)} made the same calls with the same results`]),
    ...(members.some(({ hasState }) => hasState) ? [stateWords(members)] : []),
  ];
  return `In every round ${parts.join(', and ')}.`;
}

function hasTexts(members: readonly ComparedTurn[]): boolean {
  return members.some(({ hasText, isRouting }) => hasText && !isRouting);
}

function stateWords(members: readonly ComparedTurn[]): string {
  return members.every(({ stateChange }) => (stateChange ?? '') === '')
    ? 'the state did not change, apart from counters'
    : 'the state changed in the same way';
}

function namesOf(turns: readonly ComparedTurn[]): string {
  return joined([...new Set(turns.map(({ actor }) => actor))]);
}

/** What each member repeated: its output, and the part of the state that stayed the same over the rounds. */
function cycleEvidence(trace: Trace, turns: readonly ComparedTurn[], period: number): Evidence[] {
  const states = new Map(trace.states.map(({ step, state }) => [step, state]));
  const unchanged = turns.slice(0, period).map((_, place) => {
    const own = turns.filter((_turn, at) => at % period === place);
    return unchangedText(own.flatMap(({ step }) => states.get(step) ?? []));
  });
  const evidence = turns.flatMap((turn, at) => turnEvidence(trace, turn, unchanged[at % period]!));
  const shown = evidence.filter(({ quote, value }) => quote !== null || value !== null);
  return withoutRepeatedTexts(shown.length > 0 ? shown : evidence).slice(0, MAX_EVIDENCE_PER_MEMBER * period);
}

const MAX_EVIDENCE_PER_MEMBER = 2;

function turnEvidence(trace: Trace, turn: ComparedTurn, unchanged: string): Evidence[] {
  const { step, output, outputStep, stateHash, stateChange } = turn;
  const { spanId } = trace.steps[step]!;
  const outputSpan = trace.steps[outputStep]!.spanId;
  const hasState = stateHash !== null && unchanged !== '';
  const evidence: Evidence[] = [
    ...(output === '' ? [] : [{ kind: 'message', spanId: outputSpan, path: 'output', quote: output, value: null }]),
    ...(hasState ? [{ kind: 'state', spanId, path: 'state', quote: unchanged, value: null }] : []),
  ];
  if (evidence.length > 0) return evidence;
  const value = (stateChange ?? '') === '' ? null : cut(oneLine(stateChange!), MAX_CHANGE_CHARACTERS);
  return [{ kind: value === null ? 'turn' : 'state_change', spanId, path: null, quote: null, value }];
}

const MAX_CHANGE_CHARACTERS = 200;

/** The members that are equal in all states, as JSON: those without counters. Empty if all members differ. */
function unchangedText([first, ...others]: readonly Json[]): string {
  if (first === undefined) return '';
  const same = others.reduce<Json | undefined>(
    (part, state) => (part === undefined ? undefined : unchangedPart(part, state)),
    first,
  );
  return same === undefined ? '' : JSON.stringify(same);
}

function unchangedPart(one: Json, other: Json): Json | undefined {
  if (!isJsonObject(one) || !isJsonObject(other)) return canonicalJson(one) === canonicalJson(other) ? one : undefined;
  const members = Object.entries(one).flatMap(([name, member]) => {
    const theirs = other[name];
    const same = theirs === undefined ? undefined : unchangedPart(member, theirs);
    return same === undefined ? [] : [[name, same] as const];
  });
  return members.length === 0 && Object.keys(one).length > 0 ? undefined : Object.fromEntries(members);
}

/** The edge at which the cycle repeats, and the condition to leave it, from the answer of the last member with content. */
function exitText(members: readonly ComparedTurn[], second: number, edge: string): string {
  const informative = members.findLast(({ isRouting, output }) => !isRouting && output.trim() !== '');
  const what =
    informative === undefined
      ? 'does not change the state'
      : `repeats what ${informative.actor} returned at step ${informative.step} ("${cut(oneLine(informative.output), 80)}")`;
  return `Put a condition on ${edge}: end the run, or leave for another node, when a round ${what}, as at step ${second}.`;
}
