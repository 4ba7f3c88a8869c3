import type { Fix } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import { isWhole } from '../_kit/completeness.ts';
import { counted, cut, oneLine, stepsText } from '../_kit/text.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { codeIn } from '../_readings/calls/fenced-code.ts';
import { answerLine } from '../_readings/conduct/answer-line.ts';
import { actOf } from '../_readings/conduct/call-acts.ts';
import { otherFailure } from '../_readings/conduct/call-obstacle.ts';
import { endsChat } from '../_readings/conduct/chat-end.ts';
import { quotedSentence, statedOutcome } from '../_readings/conduct/closing-sentence.ts';
import { type ConversationTurn, conversation } from '../_readings/conduct/conversation.ts';
import { codeOf, executions } from '../_readings/conduct/executions.ts';
import { failedVersion, hasRunFailed, programsOf, programText, sameRun } from '../_readings/conduct/failed-version.ts';
import { functionBodies } from '../_readings/conduct/function-bodies.ts';
import { inventedOutputs, inventedText } from '../_readings/conduct/invented-output.ts';
import type { StrayBlock } from '../_readings/conduct/obstacle.ts';
import {
  redefinedAdvice,
  redefinedImport,
  redefinedText,
  writtenModule,
} from '../_readings/conduct/redefined-imports.ts';
import { checkFix, repairFix } from '../_readings/conduct/remedy.ts';
import { statedFailure, statedVerdict } from '../_readings/conduct/run-outcome.ts';
import { strayAdvice, strayBlock, strayText } from '../_readings/conduct/stray-block.ts';
import { exampleAdvice } from '../_readings/conduct/task-examples.ts';
import { undefinedAdvice, undefinedCalls, undefinedText } from '../_readings/conduct/undefined-calls.ts';
import { unnamedAdvice, unnamedFunction, unnamedText } from '../_readings/conduct/unnamed-function.ts';
import { unwrittenFunctions } from '../_readings/conduct/unwritten-functions.ts';
import type { GateGap } from './gap.ts';

/** A run whose last executed code failed, by its exit code or by what its tests state, and that ended without another run. */
export function lastRunGap(trace: Trace): GateGap | null {
  // Code without a body fails every test; `completion` reports it.
  if (!isWhole(trace) || unwrittenFunctions(trace).length > 0) return null;
  const inChat = executions(trace);
  const runs = inChat.length > 0 ? inChat : codeRunAtEnd(trace);
  const last = runs.at(-1);
  if (last === undefined) return null;
  if (DEFINITION.test(codeOf(last)) && verdictOf(last) === false) return statedGap(trace, runs, last);
  return inChat.length > 0 && last.failure !== null && verdictOf(last) !== true
    ? failedGap(trace, runs, last, last.failure.message)
    : null;
}

/** The exit code of the last code reports a failure. */
function failedGap(trace: Trace, runs: readonly ToolUse[], last: ToolUse, message: string): GateGap {
  const isSecond = runs.at(-2)?.isError === true;
  const redefined = redefinedImport(trace);
  const isAnswered = trace.steps.some(({ index, output }) => index > last.step && output.trim() !== '');
  const author = authorOf(trace, last);
  const repair =
    redefined === null
      ? `Have ${author} correct the code of step ${last.requestedAt} for "${cut(answerLine(last.resultText), 140)}" and run it again`
      : `${redefinedAdvice(author, redefined)} Run the corrected code`;
  return {
    subtype: 'failed_run_left',
    // One failed run after successful ones is often a side check, and a following answer may report an expected failure:
    // info.
    score: isSecond && !isAnswered ? 0.88 : 0.5,
    step: last.step,
    steps: [last.step],
    agent: last.agent,
    explanation: `The last code of ${author} that ${last.name} ran failed at step ${last.step} ("${cut(oneLine(message), 140)}"). No other run of code follows.${redefinedText(redefined)} ${endText(trace, [last])}`,
    suggestedAction: `${repair}, or have ${author} say in the answer that it failed.`,
    ...impactOf(trace, last),
    quote: last.resultText,
    path: 'output',
    causeFix: correctionFix(author, `${repair}.`),
    fix: runAgainFix(author, last.name),
    key: `${author} ${last.name}`,
  };
}

/** The tests of the last code state a failure. */
function statedGap(trace: Trace, runs: readonly ToolUse[], last: ToolUse): GateGap {
  const failing = runs.slice(runs.findLastIndex((run) => !hasRunFailed(run)) + 1);
  const program = programText(codeOf(last));
  const unnamed = unnamedFunction(trace);
  // A name that the code guesses is wrong from the first version on.
  const first = unnamed === null ? failing.find((run) => testedPrograms(trace, run).includes(program))! : failing[0]!;
  const author = authorOf(trace, last);
  const line = statedFailure(last.resultText, codeOf(last));
  const redefined = redefinedImport(trace);
  const undefinedNames = undefinedCalls(trace, last);
  const repeats = repeatedRuns(trace, failing);
  const stray = strayBlock(trace, last);
  const redefinition = `${undefinedAdvice(author, undefinedNames)}${redefined === null ? '' : `${redefinedAdvice(author, redefined)} `}`;
  const advice = adviceOn(trace, { author, last, line, repeated: repeats[0], stray });
  return {
    subtype: 'failed_run_left',
    // Code that is known to fail is no result, whether or not a message reports the failure.
    score: 0.88,
    step: first.step,
    steps: failing.map(({ step }) => step),
    agent: last.agent,
    explanation: `The tests of the last code of ${author}, which ${last.name} ran at step ${last.step}, state: "${cut(line, 140)}".${allText(failing)}${unchangedText(repeats)}${firstText(first, failing)}${undefinedText(undefinedNames, last)}${advice.isCaseShown ? '' : unnamedText(unnamed)}${strayText(stray, last.name)}${redefinedText(redefined)}${inventedText(inventedOutputs(trace))} ${endText(trace, failing)}`,
    suggestedAction: `${redefinition}${advice.repair} ${advice.end}`,
    ...impactOf(trace, last),
    quote: first.resultText,
    path: 'output',
    causeFix:
      advice.isCaseShown || redefinition !== ''
        ? correctionFix(author, `${redefinition}${advice.repair}`)
        : checkFix('tool_change', {
            title: 'Let the tests print the case that failed',
            target: `tests that ${last.name} runs`,
            description: advice.repair,
            after: 'on a failure: print the call, the expected and the actual value',
            why: `"${cut(line, 80)}" names no case.`,
          }),
    fix: runAgainFix(author, last.name),
    key: `${author} ${last.name}`,
  };
}

function allText(failing: readonly ToolUse[]): string {
  if (failing.length === 1) return '';
  const what = failing.every((run) => verdictOf(run) === false) ? 'state a failure, and none of them passed' : 'failed';
  return ` The ${failing.length} runs from step ${failing[0]!.step} on all ${what}.`;
}

/** Why the named step is not that of the first failure. */
function firstText(first: ToolUse, failing: readonly ToolUse[]): string {
  return first === failing[0] || first === failing.at(-1)
    ? ''
    : ` Step ${first.step} is the first run of the code that the run ended on.`;
}

interface FailedTests {
  author: string;
  last: ToolUse;
  /** The line that states the failure. */
  line: string;
  /** The first run that repeats the code of an earlier one. */
  repeated: RepeatedRun | undefined;
  stray: StrayBlock | null;
}

interface TestAdvice {
  /** What to correct. */
  repair: string;
  /** When the run may end. */
  end: string;
  /** Whether the result shows the failing case. */
  isCaseShown: boolean;
}

function adviceOn(trace: Trace, { author, last, line, repeated, stray }: FailedTests): TestAdvice {
  const returned =
    repeated === undefined
      ? ''
      : `Do not run unchanged code again: tell ${author} that the code of step ${repeated.step} is that of step ${repeated.equalTo}, which failed. `;
  // The line above the verdict may show the failing case.
  const shown = lineAbove(last, line);
  if (shown !== null)
    return {
      repair: `${returned}Have ${author} correct the code for "${cut(shown, 140)}" at step ${last.step}.`,
      end: 'Do not end the run before the tests have passed.',
      isCaseShown: true,
    };
  const other = otherFailure(last.resultText, line);
  const beside =
    stray !== null
      ? strayAdvice(stray, author, last.name)
      : other === null
        ? ''
        : ` The same result has another failure ("${other}"): have ${author} correct it, too.`;
  const received = beside === '' ? `${author} received only "${cut(line, 80)}"` : `"${cut(line, 80)}" names none`;
  return {
    repair: `${returned}Have the tests print the failing case with the expected and the actual value: ${received}.${unnamedAdvice(unnamedFunction(trace))}${exampleAdvice(trace, author)}${beside}`,
    end: 'Do not end the run before a corrected version has passed.',
    isCaseShown: false,
  };
}

interface RepeatedRun {
  step: number;
  /** Step of the first run of the same code. */
  equalTo: number;
}

/** The program of a run; if its tests state a failure, also those of the single blocks of its message. */
function testedPrograms(trace: Trace, run: ToolUse): readonly string[] {
  return verdictOf(run) === false ? programsOf(trace, run) : [programText(codeOf(run))];
}

/** The runs that repeat the code of an earlier one. */
function repeatedRuns(trace: Trace, runs: readonly ToolUse[]): readonly RepeatedRun[] {
  const programs = runs.map((run) => testedPrograms(trace, run));
  return runs.flatMap(({ step }, at) => {
    const first = programs.findIndex((each) => each.includes(programs[at]![0]!));
    return first < at ? [{ step, equalTo: runs[first]!.step }] : [];
  });
}

function unchangedText(repeated: readonly RepeatedRun[]): string {
  if (repeated.length === 0) return '';
  return ` ${counted(repeated.length, 'of these runs has', 'of these runs have')} the code of an earlier one, unchanged (${stepsText(repeated.map(({ step }) => step))}).`;
}

/** The impact if the last message contains other code that nothing ran; else that of the subtype. */
function impactOf(trace: Trace, last: ToolUse): Pick<GateGap, 'businessImpact'> {
  const next = conversation(trace).find(({ by, step }) => by === 'agent' && step > last.step);
  const isUnrun =
    next?.text.includes('```') === true && failedVersion(trace, next) === null && sameRun(trace, next) === null;
  return isUnrun ? { businessImpact: 'The last code that ran failed, and the code after it was not run.' } : {};
}

/** What follows the last run of code. */
function endText(trace: Trace, failing: readonly ToolUse[]): string {
  const next = conversation(trace).find(({ by, step }) => by === 'agent' && step > failing.at(-1)!.step);
  if (next === undefined) return 'The run ended there.';
  const end = endsChat(next.text) ? 'and ends the chat with TERMINATE' : 'and the run ended';
  return `${contentText(trace, next, failing.at(-1)!, end)}${saidText(next.text)}`;
}

/** The code of the message after the last run. */
function contentText(trace: Trace, message: ConversationTurn, last: ToolUse, end: string): string {
  const { step, text } = message;
  if (!text.includes('```')) return `Step ${step} contains no corrected code, ${end}.`;
  const equal = failedVersion(trace, message);
  return equal === null
    ? unrunText(trace, message, last, end)
    : `Step ${step} contains the code that had failed at step ${equal.step}, unchanged, ${end}.`;
}

/** One sentence with a leading space that quotes what a message says about its own work; empty without a sentence. */
function saidText(text: string): string {
  const said = statedOutcome(text);
  return said === null ? '' : ` That message says ${quotedSentence(said, 120)}`;
}

/** Code in the last message that nothing ran after it. It may leave the failing functions as they are. */
function unrunText(trace: Trace, message: ConversationTurn, last: ToolUse, end: string): string {
  const { step, text } = message;
  const same = sameRun(trace, message);
  if (same !== null) return `Step ${step} contains the code that step ${same.step} had run, ${end}.`;
  const code = codeIn(text);
  const failing = functionBodies(codeOf(last)).map(({ name }) => name);
  const written = functionBodies(code).map(({ name }) => name);
  if (failing.length === 0 || failing.some((name) => written.includes(name)))
    return `Step ${step} contains code that nothing ran, ${end}.`;
  const file = writtenModule(trace, code);
  return file === null
    ? `Step ${step} contains code that does not define \`${failing[0]!}\` and that nothing ran, ${end}.`
    : `Step ${step} writes another version of the user's file ${file} and leaves \`${failing[0]!}\` unchanged. Nothing ran that, and the run ended.`;
}

/** Lines around the output that name only the exit code or the start of the output. */
const FRAME = /^(?:exit ?code|return ?code|exit status|code output|output|stdout|stderr)\b/i;

/** `Testing tide...` */
const PROGRESS = /(?:\.\.\.|…)$/;

/** The line of the output above the verdict, which may show the failing case; null if there is none. */
function lineAbove(use: ToolUse, verdict: string): string | null {
  const { resultText } = use;
  const code = codeOf(use);
  const lines = resultText.split('\n').map((each) => each.trim());
  const above = lines.slice(0, lines.lastIndexOf(verdict));
  const isShown = (each: string) => /\w/.test(each) && each !== verdict && !FRAME.test(each);
  // A line that the code contains as a text says nothing about the case.
  return above.findLast((each) => isShown(each) && !PROGRESS.test(each) && !code.includes(each)) ?? null;
}

function authorOf({ steps }: Trace, { agent, step }: ToolUse): string {
  return agent ?? steps[step]!.name;
}

function correctionFix(author: string, repair: string): Fix {
  const why = 'The last recorded run of the code failed.';
  return repairFix(author, { title: 'Correct the code that failed', repair, why });
}

function runAgainFix(author: string, runner: string) {
  return checkFix('workflow_change', {
    title: 'Do not end on a failed run',
    target: `stop condition of the chat between ${author} and ${runner}`,
    description: `Before the chat ends, look at the last message of ${runner}: after a failure, ask ${author} for a correction that runs.`,
    after: `on end: if the last run of ${runner} failed, continue with its error, at most 3 times; then report the failure`,
    why: 'The last recorded run of the code failed.',
  });
}

/** Code that defines something is work of the agent; code without a definition may only run the tests that the user asked for. */
const DEFINITION = /\b(?:def|function|func|fn|fun|class|struct|impl)\s{1,4}\w|=>/;

/** The calls that executed code, if one of them is the last call of the run. */
function codeRunAtEnd(trace: Trace): readonly ToolUse[] {
  const uses = toolUses(trace);
  const isRun = (use: ToolUse) => actOf(trace, use) === 'code';
  return uses.length > 0 && trace.status !== 'error' && isRun(uses.at(-1)!) ? uses.filter(isRun) : [];
}

function verdictOf(use: ToolUse): boolean | null {
  return statedVerdict(use.resultText, codeOf(use));
}
