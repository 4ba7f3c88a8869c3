import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd, isComplete } from '../_kit/completeness.ts';
import { systemPrompt } from '../_kit/prompt-rule.ts';
import { cut, oneLine } from '../_kit/text.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { isRequestedCall, isWholeMessage } from '../_readings/conduct/requested-calls.ts';
import { hasTextAfter, isCutOff } from '../_readings/conduct/run-end.ts';
import { closingCall, isSubmissionName } from '../_readings/conduct/submissions.ts';
import { comparedUses } from '../_readings/repeats/compared-uses.ts';

/** How a run stopped after a repetition, without its agent having finished it. */
export interface RunStop {
  /** One sentence with a leading space. */
  text: string;
  impact: string;
  /** Call or command that ends the task and that the run did not make, as the trace names it; null if it names none. */
  finishing: string | null;
}

/** Null if the run did not stop like this, or if its end is not known. */
export function runStopAfter(trace: Trace, { step, agent }: ToolUse): RunStop | null {
  if (!hasKnownEnd(trace)) return null;
  return limitStop(trace, agent) ?? unansweredStop(trace, step);
}

/** Short last messages with which programs state that a limit ended the run. The group is the kind of limit. */
const LIMIT_MESSAGES: readonly RegExp[] = [
  /\b(?:exit|stop|terminat|abort|end)\w{0,6} (?:due to|because of|at|by|on) (?:the |its )?(?:max(?:imum)? )?(cost|budget|step|time|token|turn|iteration|context)s? limit\b/i,
  /^(?:the )?(?:max(?:imum)? )?(cost|budget|step|time|token|turn|iteration|context)s? limit (?:was |has been )?(?:reached|exceeded|hit)\b/i,
  /^(?:reached|exceeded|hit) (?:the |its )?(?:max(?:imum)? )?(cost|budget|step|time|token|turn|iteration|context)s? limit\b/i,
];
const MESSAGE_CHARACTERS = 120;

/** The run ended at a limit, and the work was not submitted. */
function limitStop(trace: Trace, agent: string | null): RunStop | null {
  const limit = limitOf(trace);
  if (limit === null) return null;
  const finishing = finishingCall(trace, agent);
  const text = ` The run ended at ${limit}`;
  return finishing === null
    ? { text: `${text}.`, impact: `The run ended at ${limit}.`, finishing }
    : {
        text: isComplete(trace)
          ? `${text}, and ${finishing} was never called.`
          : `${text}, and no call of ${finishing} is recorded.`,
        impact: 'The run ended at a limit before the work was submitted: the task is not done.',
        finishing,
      };
}

/** The limit, as a phrase of a sentence. */
function limitOf({ steps, codingSession }: Trace): string | null {
  const last = steps.findLast(({ kind, output }) => (kind === 'llm' || kind === 'message') && output.trim() !== '');
  const message = oneLine(last?.output ?? '');
  if (message.length <= MESSAGE_CHARACTERS)
    for (const form of LIMIT_MESSAGES) {
      const kind = form.exec(message)?.[1];
      if (kind !== undefined) return `its ${kind.toLowerCase()} limit (step ${last!.index}: "${message}")`;
    }
  return codingSession?.endedBy === 'limit' ? 'a limit' : null;
}

const FINISHING =
  /(?:^|\n)[ \t*-]{0,8}[`"']?(submit|finish|final_answer|attempt_completion|submit_and_exit)[`"']?[ \t]{0,4}[:([]|[`"'](submit|finish|final_answer|attempt_completion|submit_and_exit)[`"']/i;
const READ_CHARACTERS = 40_000;

/** A declared tool, or a command of the instructions, that ends the task; null if none is known or the run called it. */
function finishingCall(trace: Trace, agent: string | null): string | null {
  const uses = toolUses(trace);
  const isCalled = (name: string) =>
    uses.some((use) => use.name === name || (use.command ?? use.argumentsText).trim().split(/\s/)[0] === name);
  const firstCall = uses[0]?.step ?? 0;
  const instructions = [
    systemPrompt(trace, agent) ?? '',
    ...trace.steps.filter(({ index, kind }) => index < firstCall && kind === 'message').map(({ output }) => output),
  ].join('\n');
  const written = FINISHING.exec(instructions.slice(0, READ_CHARACTERS));
  const name =
    trace.toolDefinitions.find((tool) => isSubmissionName(trace, tool.name))?.name ?? written?.[1] ?? written?.[2];
  return name === undefined || isCalled(name) ? null : name;
}

const RESULT_CHARACTERS = 80;

/** The run ended on a later call that an agent had requested, without an answer and without a closing call. */
function unansweredStop(trace: Trace, step: number): RunStop | null {
  const last = comparedUses(trace).at(-1);
  if (last === undefined || last.step <= step || last !== toolUses(trace).at(-1)) return null;
  const isClosing = closingCall(trace) === last || isSubmissionName(trace, last.name);
  if (isClosing || hasTextAfter(trace, last.step) || isCutOff(trace)) return null;
  if (isWholeMessage(trace, last) || !isRequestedCall(trace, last)) return null;
  const line = cut(oneLine(last.failure?.message || last.resultText), RESULT_CHARACTERS);
  return {
    text: ` The run ended with ${last.name} at step ${last.step}${line === '' ? '' : ` ("${line}")`}, without an answer.`,
    impact: 'The run ended without an answer.',
    finishing: null,
  };
}
