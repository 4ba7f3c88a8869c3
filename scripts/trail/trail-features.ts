import type { Step } from '../../src/core/trace.ts';
import { words } from '../../src/detectors/_kit/text.ts';
import { FAULT_KINDS, type Fault, faultOf } from './trail-faults.ts';
import { CODE_WORDINGS, ROLES, SELF_NAMES, TOOL_NAMES, WORDINGS } from './trail-feature-names.ts';
import {
  FINAL_TOOL,
  isEmptyObservation,
  openingOf,
  printsLongExcerpts,
  type TrailRun,
  type Turn,
  toolName,
} from './trail-run.ts';

/** A span that can have a detection, with its features in the order of `TRAIL_FEATURES`. */
export interface TrailCandidate {
  step: Step;
  values: Float64Array;
}

const READ_LENGTH = 12_000;

interface TurnFacts {
  turn: Turn;
  fault: Fault | null;
  words: Set<string>;
  seenWords: Set<string>;
  numbers: string[];
}

/** Model calls and tool calls of a run as candidates; linear in the text, quadratic only in short word sets of a run. */
export function trailCandidates(run: TrailRun): TrailCandidate[] {
  const reader = new CandidateReader(run);
  const tools = run.trace.steps.filter(({ kind }) => kind === 'tool');
  return [...run.turns.map((turn) => reader.ofTurn(turn)), ...tools.map((tool) => reader.ofTool(tool))].sort(
    (a, b) => a.step.index - b.step.index,
  );
}

class CandidateReader {
  readonly run: TrailRun;
  readonly facts: TurnFacts[];
  readonly byStep = new Map<number, TurnFacts>();
  readonly acting: TurnFacts[];
  readonly next = new Map<Turn, TurnFacts>();
  readonly task: Set<string>;
  readonly traceValues: number[];

  constructor(run: TrailRun) {
    this.run = run;
    this.task = new Set(words((run.trace.task ?? '').slice(0, READ_LENGTH)));
    this.facts = run.turns.map(factsOf);
    for (const facts of this.facts) this.byStep.set(facts.turn.step.index, facts);
    this.acting = this.facts.filter(({ turn }) => turn.place >= 0);
    for (const facts of this.acting) if (facts.turn.previous) this.next.set(facts.turn.previous, facts);
    this.traceValues = this.ofTrace();
  }

  ofTrace(): number[] {
    const { run, acting, facts } = this;
    const { trace, turns, tools, delegates } = run;
    const task = trace.task ?? '';
    const final = acting.findLast(({ turn }) => turn.isFinal);
    return [
      log(trace.steps.length),
      log(turns.length),
      acting.length,
      tools.length,
      new Set(tools.map(toolName)).size,
      delegates.length,
      acting.filter(({ fault }) => fault !== null).length,
      acting.filter(({ fault }) => fault?.kind === 'arguments').length,
      acting.filter(({ turn }) => turn.agentRun === acting[0]?.turn.agentRun).length,
      facts.filter(({ turn }) => turn.role === 'plan' || turn.role === 'plan-update').length,
      flag(tools.length === 0 && delegates.length === 0),
      log(this.task.size),
      flag(/attached file/i.test(task)),
      flag(/https?:/.test(task)),
      (task.match(/\d+/g) ?? []).length,
      trace.steps.reduce((most, { depth }) => Math.max(most, depth), 0),
      acting.filter(({ turn }) => turn.isFinal).length,
      acting.length - new Set(acting.map(({ turn }) => turn.modelText)).size,
      log(final?.turn.modelText.length ?? 0),
    ];
  }

  ofTurn(turn: Turn): TrailCandidate {
    const facts = this.byStep.get(turn.step.index)!;
    return this.candidate(turn.step, turn, facts, [0, 0]);
  }

  /** A tool call has the features of the turn that requested it, distinguished by its kind. */
  ofTool(step: Step): TrailCandidate {
    const requester = this.facts.findLast(({ turn }) => turn.actions.includes(step)) ?? null;
    const isFinal = FINAL_TOOL.test(toolName(step));
    const turn = requester?.turn ?? null;
    return this.candidate(step, turn, requester, [1, flag(isFinal)]);
  }

  candidate(step: Step, turn: Turn | null, facts: TurnFacts | null, kind: number[]): TrailCandidate {
    const previous = turn?.previous ? this.byStep.get(turn.previous.step.index)! : null;
    const before = previous?.turn.previous ? this.byStep.get(previous.turn.previous.step.index)! : null;
    const next = turn === null ? null : (this.next.get(turn) ?? null);
    const values = [
      ...kind,
      ...ROLES.map((role) => flag(turn?.role === role)),
      ...this.traceValues,
      ...this.placeOf(step, turn),
      ...(turn && facts ? this.selfOf(turn, facts, previous) : SELF_NAMES.map(() => Number.NaN)),
      ...WORDINGS.map(([, pattern]) => flag(pattern.test(turn?.step.output.slice(0, READ_LENGTH) ?? ''))),
      ...CODE_WORDINGS.map(([, pattern]) => flag(pattern.test(turn?.code.slice(0, READ_LENGTH) ?? ''))),
      ...this.toolFlags(step, turn),
      ...[facts, previous, before, next].flatMap((one) => faultFlags(one?.fault ?? null)),
      ...[previous, next].flatMap((one) => outlineOf(one?.turn ?? null)),
    ];
    return { step, values: Float64Array.from(values) };
  }

  toolFlags(step: Step, turn: Turn | null): number[] {
    const names = step.kind === 'tool' ? [toolName(step)] : (turn?.requested ?? []);
    return TOOL_NAMES.map((name) => flag(names.includes(name)));
  }

  placeOf(step: Step, turn: Turn | null): number[] {
    const { run, acting } = this;
    const total = run.trace.steps.length;
    const inRun = acting.filter((one) => one.turn.agentRun === turn?.agentRun);
    const isBefore = (one: TurnFacts) => one.turn.step.index < step.index;
    const sameRole = this.facts.filter((one) => one.turn.role === turn?.role && one.turn !== turn);
    const toolsBefore = run.tools.filter(({ index }) => index < step.index).length;
    const failures = acting.filter(({ fault }) => fault !== null);
    const runTools = inRun.flatMap((one) => one.turn.actions.filter(({ kind }) => kind === 'tool'));
    const rootRun = acting.find(
      ({ turn: own }) => own.step.depth === Math.min(...acting.map((one) => one.turn.step.depth)),
    );
    return [
      step.index,
      log(step.index),
      log(total - step.index),
      step.index / Math.max(1, total - 1),
      acting.filter(isBefore).length,
      acting.filter((one) => one.turn.step.index > step.index).length,
      toolsBefore,
      run.tools.length - toolsBefore,
      failures.filter(isBefore).length,
      failures.filter((one) => one.turn.step.index > step.index).length,
      sameRole.filter(isBefore).length,
      sameRole.filter((one) => !isBefore(one)).length,
      step.depth,
      flag(turn !== null && turn.agentRun !== (rootRun?.turn.agentRun ?? -1)),
      inRun.filter(isBefore).length,
      inRun.filter((one) => one.turn.step.index > step.index).length,
      inRun.length,
      this.facts.filter((one) => one.turn.agentRun === turn?.agentRun && /^plan/.test(one.turn.role)).length,
      inRun.filter(({ fault }) => fault !== null).length,
      inRun.filter(({ fault }) => fault?.kind === 'arguments').length,
      flag(turn !== null && inRun[0]?.turn === turn),
      flag(turn !== null && inRun.at(-1)?.turn === turn),
      run.delegates.filter(({ index }) => index < step.index).length,
      runTools.length,
      new Set(runTools.map(toolName)).size,
    ];
  }

  selfOf(turn: Turn, facts: TurnFacts, previous: TurnFacts | null): number[] {
    const { run, acting } = this;
    const earlier = acting.filter((one) => one.turn.step.index < turn.step.index);
    const inRun = earlier.filter((one) => one.turn.agentRun === turn.agentRun);
    const tool = turn.requested[0] ?? '';
    const named = [...run.declared].filter((name) => turn.modelText.includes(name));
    const lines = turn.observation.slice(0, READ_LENGTH).split('\n');
    const codeLines = turn.code.split('\n');
    const known = (word: string) =>
      earlier.some((one) => one.words.has(word) || one.seenWords.has(word)) || this.task.has(word);
    const own = [...facts.words].slice(0, 400);
    const code = turn.code.slice(0, READ_LENGTH);
    return [
      log(turn.modelText.length),
      log(turn.prose.length),
      log(turn.code.length),
      log(promptLength(turn.step)),
      log(turn.step.tokens.input ?? 0),
      log(turn.step.tokens.output ?? 0),
      flag(turn.isFinal),
      turn.requested.length,
      turn.actions.length,
      turn.actions.filter(({ kind, name }) => kind === 'tool' && !FINAL_TOOL.test(name)).length,
      turn.actions.filter(({ kind }) => kind === 'agent').length,
      named.length,
      [...run.declared].filter((name) => turn.prose.includes(name)).length,
      named.filter((name) => !turn.requested.includes(name)).length,
      log(turn.observation.length),
      log(lines.length),
      lines.filter((line) => line.length === 1).length / lines.length,
      flag(turn.failure !== ''),
      earlier.filter((one) => one.turn.modelText === turn.modelText).length,
      earlier.filter((one) => one.turn.requested.includes(tool)).length,
      countTrailing(inRun, (one) => one.turn.requested[0] === tool),
      countTrailing(inRun, (one) => one.fault !== null),
      (turn.prose.match(/(?:^|\n)\s?\d{1,2}\. /g) ?? []).length,
      facts.numbers.length,
      facts.numbers.filter((number) => !known(number)).length,
      own.filter((word) => !known(word)).length / Math.max(1, own.length),
      overlap(facts.words, this.task),
      Math.max(0, ...inRun.map((one) => overlap(one.words, facts.words))),
      Math.max(
        0,
        ...acting
          .filter((one) => one.turn.step.index > turn.step.index && one.turn.agentRun === turn.agentRun)
          .map((one) => overlap(one.words, facts.words)),
      ),
      previous === null ? 0 : overlap(previous.words, facts.words),
      newShare(
        facts.seenWords,
        inRun.map((one) => one.seenWords),
      ),
      Math.max(0, ...inRun.map((one) => overlap(one.seenWords, facts.seenWords))),
      newlinesAtEnd(turn.step.output),
      longStrings(code),
      flag(printsLongExcerpts(turn)),
      log(turn.code === '' ? 0 : codeLines.length),
      codeLines.filter((line) => /^\s*#/.test(line)).length / codeLines.length,
      flag(isEmptyObservation(turn)),
      overlap(facts.words, this.task) * facts.words.size,
      log(Math.max(0, ...(code.match(/"[^"\n]*"/g) ?? []).map((text) => text.length))),
      flag(/\b(?:search_agent|browser|calculator|retriever)\b/.test(turn.modelText) && turn.actions.length === 0),
    ];
  }
}

function factsOf(turn: Turn): TurnFacts {
  const result = turn.modelText.slice(0, READ_LENGTH);
  return {
    turn,
    fault: faultOf(turn.failure),
    words: new Set(words(result)),
    seenWords: new Set(words(turn.observation.slice(0, READ_LENGTH))),
    numbers: [...new Set(result.match(/\d[\d.,]*\d|\d/g) ?? [])],
  };
}

function faultFlags(fault: Fault | null): number[] {
  return [flag(fault !== null), ...FAULT_KINDS.map((kind) => flag(fault?.kind === kind))];
}

function outlineOf(turn: Turn | null): number[] {
  if (turn === null) return Array.from({ length: 7 }, () => Number.NaN);
  const lines = turn.observation.slice(0, READ_LENGTH).split('\n');
  return [
    log(turn.observation.length),
    log(turn.modelText.length),
    lines.filter((line) => line.length === 1).length / lines.length,
    flag(isEmptyObservation(turn)),
    flag(turn.isFinal),
    turn.actions.length,
    flag(printsLongExcerpts(turn)),
  ];
}

function promptLength(step: Step): number {
  return step.inputMessages.reduce((sum, { content }) => sum + content.length, 0) + openingOf(step).length;
}

function countTrailing<T>(items: readonly T[], isMatch: (item: T) => boolean): number {
  let count = 0;
  while (count < items.length && isMatch(items[items.length - 1 - count]!)) count += 1;
  return count;
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  let shared = 0;
  for (const word of small) if (large.has(word)) shared += 1;
  return shared / (a.size + b.size - shared);
}

function newShare(own: ReadonlySet<string>, earlier: readonly ReadonlySet<string>[]): number {
  if (own.size === 0) return 0;
  return [...own].filter((word) => !earlier.some((seen) => seen.has(word))).length / own.size;
}

function log(value: number): number {
  return Math.log2(1 + value);
}

function flag(isSet: boolean): number {
  return isSet ? 1 : 0;
}

function newlinesAtEnd(text: string): number {
  let end = text.length;
  while (end > 0 && text[end - 1] === '\n') end -= 1;
  return text.length - end;
}

/** Number of quoted texts of 12 or more characters on one line. Scanned without a regular expression, which could not be proved linear. */
function longStrings(code: string): number {
  let count = 0;
  for (let at = 0; at < code.length; at += 1) {
    const quote = code[at]!;
    if (quote !== '"' && quote !== "'") continue;
    const end = endOfString(code, at + 1, quote);
    if (end - at - 1 < 12 || code[end] !== quote) continue;
    count += 1;
    at = end;
  }
  return count;
}

function endOfString(code: string, from: number, quote: string): number {
  let end = from;
  while (end < code.length && code[end] !== quote && code[end] !== '\n') end += 1;
  return end;
}
