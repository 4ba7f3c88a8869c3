import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { cut } from '../../_kit/text.ts';
import { outputText, type ToolUse } from '../calls/calls.ts';
import { codeIn } from '../calls/fenced-code.ts';
import { agentTurns, conversation } from './conversation.ts';
import { codeOf, codeRuns } from './executions.ts';
import { type FunctionBody, functionBodies, hasWord } from './function-bodies.ts';
import { statedVerdict } from './run-outcome.ts';

/** A function that the user requested and whose body the run left out. */
export interface UnwrittenFunction {
  name: string;
  /** Agent of the first version without a body. */
  agent: string | null;
  /** Steps with a version without a body, in order; at least one. None of them is followed by a version with a body. */
  steps: readonly number[];
  /** What the first of these versions holds in place of a body; empty if nothing. */
  placeholder: string;
  /** The name that it returns although nothing assigns it; empty if it returns no such name. */
  unassigned: string;
  /** The same of the last of these versions. */
  last: { placeholder: string; unassigned: string };
  /** Step of the last version with a body; null if no code of the run implements the function. */
  writtenAt: number | null;
  /** Step of the last run that failed with the body of that version; null if none did. */
  failedAt: number | null;
}

interface CodeVersion {
  step: number;
  agent: string | null;
  code: string;
  isExecuted: boolean;
}

interface FunctionVersion extends CodeVersion, FunctionBody {
  /** Whether the code may be the requested work without this function: it has assertions or other functions. */
  isOther: boolean;
  /** Whether the same code also defines the function with comments only: Python does not run such code. */
  isShadowed: boolean;
}

/**
 * Functions that the code of a run defines without a statement in the body: in all versions, or in the versions since the
 * last one with a body, if the last run of code was one of these and failed. Either a message of the user gives the function
 * without a body, or it names the function and the run executed the code. Omitted are code in files, because an edit can
 * change a body without its head, and code with tests or other functions, which may be what was requested, unless the last
 * run reports that a body is missing. Computed once per trace.
 */
export const unwrittenFunctions = memoizeByRef((trace: Trace): readonly UnwrittenFunction[] => {
  const versions = functionVersions(trace);
  const last = codeRuns(trace).at(-1);
  const names = new Set(versions.filter(({ isStub }) => isStub).map(({ name }) => name));
  return [...names].flatMap((name): UnwrittenFunction[] => {
    const left = leftVersions(versions, name, last);
    const isExecuted = left?.stubs.some((version) => version.isExecuted) === true;
    if (left === null || !isRequested(trace, name, left.stubs[0]!.step, isExecuted)) return [];
    return [unwrittenFrom(trace, left)];
  });
});

/** The versions of a function without a body that the run ended on, and the last one with a body before them. */
interface LeftVersions {
  stubs: readonly FunctionVersion[];
  written: FunctionVersion | undefined;
}

function leftVersions(
  versions: readonly FunctionVersion[],
  name: string,
  last: ToolUse | undefined,
): LeftVersions | null {
  const all = versions.filter((version) => version.name === name);
  const isLast = (version: FunctionVersion) => version.step === last?.requestedAt;
  const lacksBody = last !== undefined && reportsMissingBody(last) && all.some((each) => each.isBlank && isLast(each));
  const effective = lacksBody ? all.filter(({ isShadowed }) => !isShadowed) : all;
  const stubs = effective.slice(effective.findLastIndex(({ isStub }) => !isStub) + 1);
  if (stubs.length === 0 || (stubs.some(({ isOther }) => isOther) && !lacksBody)) return null;
  const written = all.findLast(({ isStub, step }) => !isStub && step <= stubs[0]!.step);
  const hasFailed = lacksBody || (last !== undefined && stubs.some(isLast) && isFailed(last));
  return written !== undefined && !hasFailed ? null : { stubs, written };
}

function unwrittenFrom(trace: Trace, { stubs, written }: LeftVersions): UnwrittenFunction {
  const { name, agent, placeholder, unassigned } = stubs[0]!;
  const steps = [...new Set(stubs.map(({ step }) => step))];
  const end = stubs.at(-1)!;
  const last = { placeholder: end.placeholder, unassigned: end.unassigned };
  const failedAt = written === undefined ? null : failedWith(trace, written);
  return { name, agent, steps, placeholder, unassigned, last, writtenAt: written?.step ?? null, failedAt };
}

/** Step of the last run with the body of this version whose tests state a failure; null if there is none. */
function failedWith(trace: Trace, { name, statements }: FunctionVersion): number | null {
  if (statements === '') return null;
  const hasBody = (run: ToolUse) =>
    functionBodies(codeOf(run)).findLast((each) => each.name === name)?.statements === statements;
  const run = codeRuns(trace).findLast(
    (each) => statedVerdict(each.resultText, codeOf(each)) !== null && hasBody(each),
  );
  return run !== undefined && statedVerdict(run.resultText, codeOf(run)) === false ? run.step : null;
}

/**
 * The function without a body in the code of a call: one that the run ended on, or one whose body Python reports as missing
 * in the result of the call. Null if every function has a body.
 */
export function missingBody(trace: Trace, use: ToolUse): UnwrittenFunction | null {
  const { step, requestedAt } = use;
  const left = unwrittenFunctions(trace).find(({ steps }) => steps.includes(requestedAt) || steps.includes(step));
  if (left !== undefined || !reportsMissingBody(use)) return left ?? null;
  const versions = functionVersions(trace).filter((version) => version.step <= requestedAt && !version.isShadowed);
  const blank = versions.findLast((version) => version.step === requestedAt && version.isBlank);
  if (blank === undefined) return null;
  const all = versions.filter(({ name }) => name === blank.name);
  const stubs = all.slice(all.findLastIndex(({ isStub }) => !isStub) + 1);
  const written = functionVersions(trace).findLast(
    (version) => version.name === blank.name && !version.isStub && version.step <= stubs[0]!.step,
  );
  return unwrittenFrom(trace, { stubs, written });
}

/** Python reports a body that has only comments as missing. */
function reportsMissingBody(use: ToolUse): boolean {
  return LACKS_BODY.test(outputText(use));
}

const LACKS_BODY = /\bIndentationError: expected an indented block/;

function isFailed(run: ToolUse): boolean {
  return run.failure !== null || statedVerdict(run.resultText, codeOf(run)) === false;
}

/** All functions that the code of the run defines, in order. */
const functionVersions = memoizeByRef((trace: Trace): readonly FunctionVersion[] => {
  const codes = [...answeredCode(trace), ...executedCode(trace)];
  return codes.flatMap((version) => versionsIn(version, codes)).sort((a, b) => a.step - b.step);
});

/** The functions of one code. A name that other code assigns may be known when the function is called. */
function versionsIn(version: CodeVersion, codes: readonly CodeVersion[]): FunctionVersion[] {
  const found = functionBodies(version.code)
    .filter(({ isCut }) => !isCut)
    .map((body) => (isKnownElsewhere(body, codes) ? { ...body, isStub: false } : body));
  const hasAssertion = ASSERTION.test(version.code);
  return found.map((body) => {
    const isOther = hasAssertion || found.some(({ name, isStub }) => !isStub && name !== body.name);
    const isShadowed = !body.isStub && found.some(({ name, isBlank }) => isBlank && name === body.name);
    return { ...version, ...body, isOther, isShadowed };
  });
}

function isKnownElsewhere({ name, unassigned }: FunctionBody, codes: readonly CodeVersion[]): boolean {
  return unassigned !== '' && codes.some(({ code }) => hasWord(code, unassigned) && !hasWord(code, name));
}

/** What a body holds in place of statements: `only a comment ("# later")`. */
export function heldText({ placeholder, unassigned }: UnwrittenFunction): string {
  if (placeholder === '') return 'no statement';
  const isComment = /^(?:#|\/)/.test(placeholder);
  const held = isComment ? `only a comment ("${cut(placeholder, 80)}")` : `only \`${cut(placeholder, 80)}\``;
  return `${held}${returnedText(unassigned)}`;
}

/** One sentence with a leading space: since when the body is missing, and where it was written before. */
export function missingBodyText(missing: UnwrittenFunction): string {
  const { name, steps, writtenAt } = missing;
  const since = steps[0]!;
  const source = writtenAt === since ? `another block of step ${writtenAt}` : `step ${writtenAt}`;
  const before = writtenAt === null ? '' : `, and the body that ${source} wrote is not part of it`;
  return ` The body of \`${name}\` has ${heldText(missing)} since step ${since}${before}.`;
}

/** Advice without a full stop: write the body, or include the one that the run wrote before. */
export function bodyAdvice(who: string, missing: UnwrittenFunction, step: number): string {
  const { name, writtenAt, failedAt } = missing;
  const body = `the body of \`${name}\``;
  const act =
    writtenAt === null
      ? `write ${body}`
      : `${failedAt === null ? 'include' : 'correct and include'} ${body} that step ${writtenAt} wrote`;
  const tested = failedAt === null ? '' : ` (the tests failed with it at step ${failedAt})`;
  return `Have ${who} ${act}${tested}: in the code of step ${step} it has ${heldText(missing)}`;
}

/** The phrase for a name that is returned and never assigned; empty for an empty name. */
export function returnedText(unassigned: string): string {
  return unassigned === '' ? '' : ` and the return of \`${unassigned}\`, which nothing assigns`;
}

const ASSERTION = /^\s{0,40}(?:assert\b|expect\()/m;
function isRequested(trace: Trace, name: string, before: number, isExecuted: boolean): boolean {
  const requests = conversation(trace).filter(({ by, step }) => by === 'user' && step <= before);
  if (isExecuted) return requests.some(({ text }) => hasWord(text, name));
  return requests.some(({ text }) => functionBodies(codeIn(text)).some((given) => given.name === name && given.isStub));
}

function answeredCode(trace: Trace): CodeVersion[] {
  return agentTurns(trace)
    .map(({ step, agent, text }) => ({ step, agent, code: codeIn(text), isExecuted: false }))
    .filter(({ code }) => code !== '');
}

function executedCode(trace: Trace): CodeVersion[] {
  return codeRuns(trace).map((use) => ({
    step: use.requestedAt,
    agent: use.agent,
    code: codeOf(use),
    isExecuted: true,
  }));
}
