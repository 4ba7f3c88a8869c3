import { isJsonObject, type JsonObject } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { recordedWord } from '../_kit/completeness.ts';
import type { DetectionDraft, DetectorOptions } from '../_kit/define.ts';
import { cut, lengthInLetters, oneLine } from '../_kit/text.ts';
import { differingPieces } from '../_kit/text-difference.ts';
import { fileChange } from '../_readings/calls/argument-roles.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';
import { type CallAdvice, callAdvice } from '../_readings/conduct/call-advice.ts';
import { claimsSuccess } from '../_readings/conduct/claims.ts';
import { codeOf } from '../_readings/conduct/executions.ts';
import { functionBodies } from '../_readings/conduct/function-bodies.ts';
import { droppedCall, droppedText } from '../_readings/conduct/given-calls.ts';
import { runEndAfter } from '../_readings/conduct/run-end.ts';
import { exampleAdvice, unrunExamples } from '../_readings/conduct/task-examples.ts';
import { resultKindsOf } from '../_readings/repeats/acknowledgement.ts';
import { countBefore, type Turns } from '../_readings/repeats/repetition.ts';
import { hasFailed } from './between-calls.ts';
import {
  argumentsOf,
  type CallSubtype,
  callEvidence,
  callsText,
  functionsText,
  resultLine,
  scoreAtEnd,
} from './call-evidence.ts';
import { causeText } from './cause-text.ts';
import { loopGuard, rememberInPrompt } from './fixes.ts';
import { loopImpact } from './loop-impact.ts';
import { repeatedCalls } from './repeated-calls.ts';
import { isAnsweredAfter } from './repetition-advice.ts';
import { type UnchangedPage, unchangedPage, unchangedPageAdvice, unchangedPageText } from './unchanged-page.ts';

/** A shorter result is equal for different arguments by chance, or because it says nothing about them. */
const MIN_CHARACTERS = 80;

/**
 * Consecutive calls of one tool with different arguments and the same result: positions in the list of uses. Calls that one
 * model answer requested count once.
 */
export function findUnchangedResults(uses: readonly ToolUse[], turns: Turns, minLength: number): number[][] {
  const found: number[][] = [];
  const newInformationBefore = countBefore(uses, turns.newInformation);
  const answersBefore = countBefore(uses, turns.model);
  const { isAcknowledged } = resultKindsOf(uses);
  const running = new Map<string, number[]>();
  const close = (actor: string) => {
    const run = running.get(actor) ?? [];
    if (new Set(run.map((at) => uses[at]!.argumentsText)).size >= minLength) found.push(run);
    running.delete(actor);
  };
  for (const [at, use] of uses.entries()) {
    const before = running.get(use.actor)?.at(-1);
    const isSame =
      before !== undefined &&
      isSameAnswer(uses[before]!, use) &&
      newInformationBefore[before] === newInformationBefore[at];
    if (!isSame) close(use.actor);
    if (!isSpecific(use) || isAcknowledged(use)) continue;
    if (!isSame) running.set(use.actor, [at]);
    else if (turns.model.length === 0 || answersBefore[before] !== answersBefore[at]) running.get(use.actor)!.push(at);
  }
  for (const actor of [...running.keys()]) close(actor);
  return found;
}

function isSameAnswer(one: ToolUse, other: ToolUse): boolean {
  return (
    one.name === other.name && (one.resultText === other.resultText || hasSameWords(one.resultText, other.resultText))
  );
}

const MAX_BLANKS = 20;

/** Whether two texts of nearly the same length differ only in blanks and line breaks. */
function hasSameWords(one: string, other: string): boolean {
  return Math.abs(one.length - other.length) <= MAX_BLANKS && oneLine(one) === oneLine(other);
}

function isSpecific(use: ToolUse): boolean {
  const isCandidate = use.command === null && use.hasArguments && !use.isError;
  return isCandidate && isLong(use.resultText) && !isWriteResult(use);
}

function isLong(text: string): boolean {
  return text.length >= MIN_CHARACTERS || lengthInLetters(text) >= MIN_CHARACTERS;
}

/** Whether the result is that of a write: it is the same for each edit of a file, and for each new record. */
function isWriteResult({ arguments: args, resultText }: ToolUse): boolean {
  return fileChange(args) !== null || claimsSuccess(resultText);
}

export function unchangedResultsDetection(
  trace: Trace,
  uses: readonly ToolUse[],
  at: readonly number[],
  options: DetectorOptions,
): DetectionDraft<CallSubtype> {
  const { calls, first, last, repeated, place } = repeatedCalls(trace, uses, at, options);
  const line = resultLine(first);
  const wordings = differingPieces(argumentsOf(first), argumentsOf(last), 80);
  const advice = callAdvice(trace, last);
  const variants = new Set(calls.map(({ argumentsText }) => argumentsText)).size;
  const varied = variants === calls.length ? 'different arguments' : `${variants} different sets of arguments`;
  const isCode = calls.every((call) => functionBodies(codeOf(call)).length > 0);
  const end = runEndAfter(trace, last.step);
  const page = unchangedPage(trace, calls);
  const all = uses.filter(({ name, actor }) => name === first.name && actor === first.actor).length;
  const score = scoreAtEnd(Math.min(0.8, 0.6 + 0.04 * (calls.length - 4)), end);
  return {
    subtype: 'stalled',
    score: !isCode && isEndedByResult(trace, uses, at) ? Math.min(score, ENDED_LIMIT) : score,
    ...place,
    explanation: `${callsText(trace, first, calls.length, true)} with ${isCode ? versionsText(calls, variants) : `${varied}, ${wordings === null ? 'which differ only in whitespace' : `from ${wordings[0]} to ${wordings[1]}`},`} and got the same result each time (${line}).${page === null ? '' : unchangedPageText(first, page)}${all >= 2 * calls.length ? ` The run has ${all} ${recordedWord(trace)}calls of ${first.name}.` : ''}${isCode ? unrunText(trace) : ''}${causeText(trace, place.steps, advice)}${end.text}${isCode ? droppedText(droppedCall(trace)) : ''}`,
    ...loopImpact(trace, calls, end),
    suggestedAction: adviceFor(trace, calls, advice, page),
    evidence: calls.slice(0, 5).map((call) => callEvidence(trace, call)),
    fixes: [advice.fix, loopGuard(repeated), rememberInPrompt(repeated, line)],
    key: first.name,
  };
}

/** A series that another result ended was a search: at most an observation. Versions of code are no search. */
const ENDED_LIMIT = 0.4;

/** Whether the next call of the tool returned something else, and an answer follows it. */
function isEndedByResult(trace: Trace, uses: readonly ToolUse[], at: readonly number[]): boolean {
  const last = uses[at.at(-1)!]!;
  const next = uses.slice(at.at(-1)! + 1).find(({ name, actor }) => name === last.name && actor === last.actor);
  return next !== undefined && !next.isError && next.hasResult && isAnsweredAfter(trace, next);
}

/** `7 versions of the code of \`tide\``: the functions that all versions define. */
function versionsText(calls: readonly ToolUse[], variants: number): string {
  const count = variants === calls.length ? 'another version of the code' : `${variants} versions of the code`;
  return `${count}${functionsText(calls)}${variants === calls.length ? ' each time' : ''},`;
}

/** One sentence with a leading space if no run executes an example of the task. */
function unrunText(trace: Trace): string {
  const examples = unrunExamples(trace);
  if (examples.length === 0) return '';
  return ` No run executes ${examples.length === 1 ? 'the example' : `any of the ${examples.length} examples`} of the task.`;
}

function adviceFor(
  trace: Trace,
  calls: readonly ToolUse[],
  { obstacle, remedy }: CallAdvice,
  page: UnchangedPage | null,
): string {
  const [first, second] = calls as [ToolUse, ToolUse];
  const last = calls.at(-1)!;
  if (page !== null) return unchangedPageAdvice(first, second, page);
  if (obstacle.kind !== 'result' && obstacle.kind !== 'shared_answer') return remedy;
  const who = first.agent ?? 'the agent';
  if (codeOf(last) === null || !hasFailed(trace, last)) return `Have ${who} ${otherWayAdvice(calls)}.`;
  const versions = new Set(calls.map(({ argumentsText }) => argumentsText)).size;
  return `Let ${first.name} return the case that failed, with its expected and actual value: ${versions} versions of the code had the same result.${exampleAdvice(trace, who)}`;
}

/** Advice: the arguments that stayed the same in all calls are what the agent did not vary. */
function otherWayAdvice(calls: readonly ToolUse[]): string {
  const records = calls.map(({ arguments: args }) => args).filter(isJsonObject);
  const [first] = records;
  const name = calls[0]!.name;
  if (first === undefined || records.length < calls.length)
    return `try something other than ${name}: its result does not depend on what was varied`;
  const isFixed = (key: string) => records.every((each) => JSON.stringify(each[key]) === JSON.stringify(first[key]));
  const [fixed, varied] = [Object.keys(first).filter(isFixed), Object.keys(first).filter((key) => !isFixed(key))];
  if (varied.length === 0 || fixed.length === 0)
    return `try something other than ${name}: its result does not depend on ${listed(varied)}`;
  return `change ${fixed
    .slice(0, 3)
    .map((key) => valueText(first, key))
    .join(
      ' or ',
    )} in the call of ${name}, or use another tool: only ${listed(varied)} was varied, and the result did not depend on it`;
}

function listed(keys: readonly string[]): string {
  return keys.length === 0 ? 'the arguments' : keys.slice(0, 3).join(', ');
}

function valueText(record: JsonObject, key: string): string {
  return `${key} (always ${cut(JSON.stringify(record[key]), 60)})`;
}
