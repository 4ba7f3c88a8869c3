import type { Trace } from '../../core/trace.ts';
import { isWhole } from '../_kit/completeness.ts';
import { counted, cut, oneLine, stepsText } from '../_kit/text.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { codeBlocks, type FencedBlock, fencedBlocks } from '../_readings/calls/fenced-code.ts';
import { answerSummary } from '../_readings/conduct/answer-line.ts';
import { endsChat } from '../_readings/conduct/chat-end.ts';
import { agentTurns, type ConversationTurn, conversation } from '../_readings/conduct/conversation.ts';
import { codeOf, executions } from '../_readings/conduct/executions.ts';
import { sameRun } from '../_readings/conduct/failed-version.ts';
import { droppedAdvice, droppedCall, droppedText } from '../_readings/conduct/given-calls.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { reportedExitCode } from '../_readings/conduct/run-outcome.ts';
import { needsAnswer } from './abandoned-run.ts';
import type { Verdict } from './verdict.ts';

/** Earlier messages whose code was run; after one only, the next code may be the answer. */
const MIN_RUN_MESSAGES = 2;
/** Maximum share of messages with code that was not run, relative to those whose code was run. */
const MAX_SKIPPED = 0.5;

/** A last line in capitals, with which some programs end a chat (`DONE`, `FERTIG`). */
const ENDS_WITH_MARK = /(?:^|\n)[\s*`_<[]{0,8}\p{Lu}[\p{Lu}_ ]{3,30}[\s*`_.!>\]]{0,8}$/u;

/** A message with code, and the call or execution that ran its code. */
interface RunMessage {
  turn: ConversationTurn;
  run: ToolUse;
}

/**
 * The last message of the run contains new code in a language that the run executed, and nothing ran it, although the code
 * of earlier messages was run, the most recent one among them. A chat that reaches its turn limit ends like this.
 */
export function unrunLastCode(trace: Trace): Verdict | null {
  if (!isWhole(trace) || trace.status === 'error' || !needsAnswer(trace)) return null;
  const last = conversation(trace).at(-1);
  if (last?.by !== 'agent' || last.calls.length > 0 || endsChat(last.text) || ENDS_WITH_MARK.test(last.text))
    return null;
  const blocks = codeIn(last);
  if (blocks.length === 0) return null;
  const byUser = new Set(conversation(trace).flatMap(({ by, step }) => (by === 'user' ? [step] : [])));
  // A person who runs the code of a message may stop without a further word.
  const runs = [...executions(trace).filter(hasRunForm), ...toolUses(trace)].filter(({ step }) => !byUser.has(step));
  if (runs.some(({ step }) => step > last.step)) return null;
  const turns = agentTurns(trace);
  const earlier = turns.filter((turn) => turn !== last && codeIn(turn).length > 0);
  const ran = earlier.flatMap((turn): RunMessage[] => {
    const next = turns.find(({ step }) => step > turn.step)?.step ?? last.step;
    const run = runOf(turn, next, runs);
    return run === undefined ? [] : [{ turn, run }];
  });
  if (ran.length < MIN_RUN_MESSAGES || ran.at(-1)!.turn !== earlier.at(-1)) return null;
  if (earlier.length - ran.length > ran.length * MAX_SKIPPED) return null;
  const languages = new Set(ran.flatMap(({ turn }) => codeIn(turn).map(({ language }) => language)));
  const block = blocks.find(({ language }) => languages.has(language));
  if (block === undefined || sameRun(trace, last) !== null) return null;
  return verdictOf(trace, last, block, ran);
}

/** Whether the message that follows code is the output of a run, and not a comment on the code. */
function hasRunForm(run: ToolUse): boolean {
  return run.failure !== null || reportedExitCode(run) !== null;
}

function codeIn({ text }: ConversationTurn): FencedBlock[] {
  return fencedBlocks(text).filter(({ code }) => code !== '');
}

/** The first call or execution between the message and the next one of an agent that ran code of the message. */
function runOf({ text, step }: ConversationTurn, next: number, runs: readonly ToolUse[]): ToolUse | undefined {
  const blocks = codeBlocks(text).map(withoutSpaces);
  return runs.find((use) => {
    if (use.step <= step || use.step >= next) return false;
    const executed = withoutSpaces(codeOf(use));
    return blocks.some((code) => code !== '' && executed.includes(code));
  });
}

function withoutSpaces(text: string): string {
  return text.replace(/\s+/g, '');
}

function verdictOf(trace: Trace, last: ConversationTurn, block: FencedBlock, ran: readonly RunMessage[]): Verdict {
  const { step, agent, text } = last;
  const who = agent ?? trace.steps[step]!.name;
  const { run } = ran.at(-1)!;
  const result = `"${cut(answerSummary(run.resultText), 140)}"`;
  const line = cut(oneLine(newStatement(block.code, ran)), 80);
  const failed = run.isError ? 'failed' : 'returned';
  const dropped = droppedCall(trace);
  return {
    subtype: 'code_not_run',
    score: 0.7,
    step,
    steps: [step],
    agent,
    title: 'The run ended on code that nothing ran',
    explanation: `The last message of the run, by ${who} at step ${step}, contains code ("${line}") that nothing ran. The code of ${counted(ran.length, 'earlier message')} was run (${stepsText(ran.map((one) => one.run.step))}); the last run, at step ${run.step}, ${failed} ${result}.${droppedText(dropped)}`,
    businessImpact: 'The run ended in the middle of its work: the result of its last code is missing.',
    suggestedAction: `Run the code of step ${step} and let ${who} answer from its result. If the limit of turns ended the run at step ${step}, ask ${who} in the last turn for an answer from what step ${run.step} returned (${result}), without new code.${droppedAdvice(who, dropped)}`,
    evidence: [{ kind: 'text', step, path: 'output', quote: cut(text.slice(text.indexOf('```')).trim(), 280) }],
    fix: checkFix('workflow_change', {
      title: 'End the run on an answer, not on code',
      target: `limit of turns of the run of ${who}`,
      description: `When one turn is left, ask ${who} for its answer from the results so far. Count a message with code as unfinished until its code was run.`,
      after: 'in the last turn: ask for the answer, without new code; if the message contains code, run it first',
      why: 'The last message of the run contains code, and its result is not known.',
    }),
    key: 'code',
  };
}

/** The first line of the code that no earlier message contains; comments and imports do not count if there are others. */
function newStatement(code: string, ran: readonly RunMessage[]): string {
  const known = new Set(ran.flatMap(({ turn }) => turn.text.split('\n').map((line) => line.trim())));
  const lines = code
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const statements = lines.filter((line) => !IS_PREAMBLE.test(line));
  return statements.find((line) => !known.has(line)) ?? statements[0] ?? lines[0] ?? code;
}

const IS_PREAMBLE = /^(?:#|\/\/|--|\/\*|import\s|from\s|use\s|require\b|using\s)/;
