import { isJsonObject, type Json, parseJson } from '../../../core/json.ts';
import type { Step, Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { toolUses } from '../calls/calls.ts';
import { refusals } from '../coding/refusals.ts';

/** A call that a person was asked to approve, and rejected. */
export interface PersonRejection {
  /** The step that shows the rejection. */
  step: number;
  tool: string;
  arguments: Json;
  /** The rejection as recorded. */
  quote: string;
  /** Where the quote is. */
  path: string;
}

/**
 * Calls that the sender marks as refused by the user, and calls that a LangGraph run was resumed with a rejection of: the
 * person's answer is the input of the run, and the call is the last one that the messages contain.
 */
export const personRejections: (trace: Trace) => readonly PersonRejection[] = memoizeByRef((trace) => [
  ...refusedCalls(trace),
  ...resumedRejections(trace),
]);

function refusedCalls(trace: Trace): PersonRejection[] {
  return refusals(trace)
    .filter(({ by }) => by === 'user')
    .map(({ step, tool, use, reason }) => ({
      step,
      tool,
      arguments: use.hasArguments ? use.arguments : requestedArguments(trace, step, tool),
      quote: reason ?? use.failure?.message ?? use.resultText,
      path: reason === null ? 'error.message' : 'refusal',
    }));
}

/** The arguments of the last request before a step: some senders do not record those of a call that did not run. */
function requestedArguments({ steps }: Trace, before: number, tool: string): Json {
  for (let at = before - 1; at >= 0; at -= 1) {
    const call = steps[at]!.outputMessages.flatMap(({ toolCalls }) => toolCalls).findLast(({ name }) => name === tool);
    if (call !== undefined) return call.arguments;
  }
  return null;
}

function resumedRejections(trace: Trace): PersonRejection[] {
  const root = trace.steps[0];
  const resume = root === undefined ? undefined : resumeIn(root);
  if (root === undefined || resume === undefined || !isRejection(resume)) return [];
  const first = trace.steps.find(({ kind, inputMessages }) => kind === 'llm' && inputMessages.length > 0);
  const request = first?.inputMessages.findLast(({ toolCalls }) => toolCalls.length > 0);
  const call = request?.toolCalls.at(-1);
  if (first === undefined || request === undefined || call === undefined) return [];
  const answers = first.inputMessages.slice(first.inputMessages.indexOf(request) + 1);
  const isRun = toolUses(trace).some(({ step, name }) => step < first.index && name === call.name);
  if (isRun || !answers.some(({ role }) => role === 'tool')) return [];
  const quote = JSON.stringify(resume);
  return [{ step: root.index, tool: call.name, arguments: call.arguments, quote, path: 'input' }];
}

/** What a LangGraph run was resumed with: `{"lg_name":"Command","resume":…}`. */
function resumeIn({ input }: Step): Json | undefined {
  const value = input.includes('"resume"') ? parseJson(input) : undefined;
  return isJsonObject(value) ? value.resume : undefined;
}

/** Types of answers in the human-in-the-loop middleware of LangChain and its predecessor. */
const REJECTING = /^(?:reject(?:ed)?|ignore|den(?:y|ied)|decline[d]?)$/;

/** Whether the person's answer rejects: `false`, `{"approved": false}`, `{"decisions": [{"type": "reject"}]}`. */
function isRejection(answer: Json): boolean {
  if (typeof answer === 'boolean') return !answer;
  if (Array.isArray(answer)) return answer.length > 0 && answer.every((one) => isRejection(one));
  if (!isJsonObject(answer)) return false;
  if (Array.isArray(answer.decisions)) return isRejection(answer.decisions);
  if (typeof answer.type === 'string') return REJECTING.test(answer.type);
  const flags = Object.values(answer).filter((value) => typeof value === 'boolean');
  return flags.length > 0 && flags.every((flag) => !flag);
}
