import type { Trace } from '../../core/trace.ts';
import { counted, cut, oneLine } from '../_kit/text.ts';
import { textsAmong } from '../_readings/calls/argument-roles.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { replySteps } from '../_readings/calls/written-calls.ts';
import { adviceAt } from '../_readings/conduct/call-advice.ts';
import { obstacleOf } from '../_readings/conduct/call-obstacle.ts';
import { type ConversationTurn, conversation } from '../_readings/conduct/conversation.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { isRequestedCall, isRequestedIn } from '../_readings/conduct/requested-calls.ts';
import { ENDS_BY_DESIGN, isReportedElsewhere, needsAnswer } from './abandoned-run.ts';
import { offeredNames } from './offered-names.ts';
import type { Verdict } from './verdict.ts';

const MAX_ACKNOWLEDGEMENT_LENGTH = 40;
/** A question mark of any script at the end. */
const QUESTION_END = /[?？؟]["'”’»\s]{0,4}$/;

/**
 * A run that ends with the result of a call whose earlier results the agent answered. The call is part of the loop between
 * model and tools, so it does not end runs by design.
 */
export function unansweredResult(trace: Trace): Verdict | null {
  if (!trace.isSettled || trace.status === 'error' || !needsAnswer(trace) || isAnsweredByRoot(trace)) return null;
  const uses = toolUses(trace);
  const use = uses.at(-1);
  const last = trace.steps.at(-1)!;
  if (use === undefined || last.index !== use.step || ENDS_BY_DESIGN.test(use.name)) return null;
  if (last.kind !== 'tool' && !replySteps(trace).has(last.index)) return null;
  if (isPendingQuestion(use)) return null;
  if (isReportedElsewhere(uses) || (last.parent !== null && trace.steps[last.parent]!.output !== '')) return null;
  const request = conversation(trace).findLast(({ by }) => by !== 'executor');
  if (request?.by !== 'agent' || request.step >= use.step || !isRequestedIn(request, use)) return null;
  if (request.calls.includes(use.name) && isAcknowledgement(use)) return null;
  const answered = uses.filter(
    (one) => one.name === use.name && one.step < request.step && isRequestedCall(trace, one),
  );
  return answered.length === 0 ? null : unansweredVerdict(trace, use, request, answered);
}

/** Whether the outermost span contains the answer. */
function isAnsweredByRoot({ finalOutput, steps }: Trace): boolean {
  const answer = finalOutput?.trim() ?? '';
  return answer !== '' && !steps.some(({ kind, output }) => kind === 'llm' && output.trim() === answer);
}

/** Whether the call asks a person something and only an acknowledgement came back: the run waits for the answer. */
function isPendingQuestion({ arguments: args, resultText }: ToolUse): boolean {
  return (
    resultText.trim().length <= MAX_ACKNOWLEDGEMENT_LENGTH && textsAmong(args).some((text) => QUESTION_END.test(text))
  );
}

/** Whether a result is an acknowledgement. The result of a write may end a run by design. */
function isAcknowledgement({ changesState, resultText }: ToolUse): boolean {
  return changesState && resultText.trim().length <= MAX_ACKNOWLEDGEMENT_LENGTH;
}

function unansweredVerdict(
  trace: Trace,
  use: ToolUse,
  request: ConversationTurn,
  answered: readonly ToolUse[],
): Verdict {
  const who = use.agent ?? request.agent ?? 'the agent';
  const result = cut(oneLine(use.resultText), 80);
  const earlier = answered.length === 1 ? 'the earlier result' : `each of the ${answered.length} earlier results`;
  return {
    subtype: 'result_unanswered',
    score: 0.9,
    step: use.step,
    steps: [use.step, answered.at(-1)!.step],
    agent: use.agent,
    explanation: `The run ended at step ${use.step} with the result of ${use.name}${result === '' ? '' : ` ("${result}")`}. ${capitalised(who)} continued after ${earlier} of ${use.name}, and nothing follows this one: the run has no answer.${repeatedText(use, answered)}${sameText(use, answered)}`,
    suggestedAction: `${obstacleAdvice(trace, use)}${adviceOf(trace, who, use, answered)}`,
    evidence: [
      { kind: 'call', step: use.step, path: 'tool', quote: `${use.name} ${use.argumentsText}` },
      {
        kind: 'sign',
        step: answered.at(-1)!.step,
        path: null,
        quote: `the agent continued after ${counted(answered.length, 'earlier result')}`,
      },
    ],
    fix: checkFix('workflow_change', {
      title: 'Give the agent a last turn when its steps are used up',
      target: `step limit of ${who}`,
      description: `When the steps or the time of ${who} are used up, call the model once more without tools, and have it answer with what ${use.name} returned so far.`,
      after:
        'on the last allowed step: call the model without tools and ask for the best answer so far and what is missing',
      why: 'The trace shows no answer after the last result.',
    }),
    key: use.name,
  };
}

/** How to correct the last call, if its argument contains further calls and so cannot be found. */
function obstacleAdvice(trace: Trace, use: ToolUse): string {
  const action = obstacleOf(trace, use).kind === 'several_calls' ? adviceAt(trace, use.step)?.action : undefined;
  return action === undefined ? '' : `${action} `;
}

const MAX_NAMES = 5;
const MAX_STEPS = 4;

function adviceOf(trace: Trace, who: string, use: ToolUse, answered: readonly ToolUse[]): string {
  const uses = toolUses(trace);
  const same = sameResults(use, answered);
  const last = `If the step limit of ${who} ends the run, call its model once more without tools, and have it`;
  const found = resultsWithContent(uses);
  const end = found.length === 0 ? `${last} say what is missing.` : `${last} answer from ${resultsText(found)}.`;
  if (same === null) return end;
  const offered = offeredNames(same.uses, uses);
  const other =
    offered === null
      ? `search for something else after the second result "${quoteOf(same.lead, use)}" of ${use.name}`
      : `request one of the names that the results of ${use.name} list and that it never requested (${stepsText(offered.steps)}), for example ${offered.names
          .slice(0, MAX_NAMES)
          .map((name) => `"${name}"`)
          .join(', ')}`;
  return `Have ${who} ${other}. ${end}`;
}

/** Results that are neither short nor begin like other results of the same tool, which says only that nothing was found. */
function resultsWithContent(uses: readonly ToolUse[]): ToolUse[] {
  return uses.filter((use) => {
    const lead = leadOf(use);
    const isLabel = lead !== null && uses.some((one) => one !== use && one.name === use.name && leadOf(one) === lead);
    return !use.isError && !isLabel && use.resultText.trim().length > MAX_ACKNOWLEDGEMENT_LENGTH;
  });
}

/** `the results of search (steps 2 and 10) and lookup (step 12)`; the last ones, if there are many. */
function resultsText(found: readonly ToolUse[]): string {
  const groups = [...Map.groupBy(found.slice(-MAX_STEPS), ({ name }) => name)];
  const texts = groups.map(([name, uses]) => `${name} (${stepsText(uses.map(({ step }) => step))})`);
  return `the ${found.length === 1 ? 'result' : 'results'} of ${texts.join(' and ')}`;
}

function stepsText(steps: readonly number[]): string {
  if (steps.length === 1) return `step ${steps[0]}`;
  return `steps ${steps.slice(0, -1).join(', ')} and ${steps.at(-1)}`;
}

/** One sentence with a leading space if the last call is equal to an earlier one. */
function repeatedText(use: ToolUse, answered: readonly ToolUse[]): string {
  const before = answered.findLast((one) => one.argumentsText === use.argumentsText);
  return before === undefined ? '' : ` The call at step ${use.step} is equal to the one at step ${before.step}.`;
}

/** Results of the tool that begin with the same words, if they are at least half of its results. */
function sameResults(use: ToolUse, answered: readonly ToolUse[]): { lead: string; uses: readonly ToolUse[] } | null {
  const lead = leadOf(use);
  const uses = lead === null ? [] : [...answered, use].filter((one) => leadOf(one) === lead);
  return lead !== null && uses.length > 1 && 2 * uses.length >= answered.length + 1 ? { lead, uses } : null;
}

function sameText(use: ToolUse, answered: readonly ToolUse[]): string {
  const same = sameResults(use, answered);
  if (same === null) return '';
  const all = answered.length + 1;
  const count = same.uses.length === all ? `All ${all}` : `${same.uses.length} of the ${all}`;
  const form = quoteOf(same.lead, use) === same.lead ? 'are' : 'begin with';
  return ` ${count} results of ${use.name} ${form} "${same.lead.trim()}" (steps ${same.uses.map(({ step }) => step).join(', ')}).`;
}

/** The common start of the results, with an ellipsis unless it is the whole result. */
function quoteOf(lead: string, { resultText }: ToolUse): string {
  return lead === resultText.trim() ? lead : `${lead.trim()}…`;
}

const MAX_LEAD_LENGTH = 60;

/** A result of this length that several calls returned says only that nothing was found. */
const MAX_LABEL_LENGTH = 60;

/** The part of a result before the argument that it repeats, or the whole result if it is a short label. */
function leadOf({ arguments: args, resultText }: ToolUse): string | null {
  const text = resultText.trim();
  const at = typeof args === 'string' && args.trim() !== '' ? text.indexOf(args.trim()) : -1;
  if (at > 0 && at <= MAX_LEAD_LENGTH) return text.slice(0, at);
  return text !== '' && text.length <= MAX_LABEL_LENGTH ? text : null;
}

function capitalised(text: string): string {
  return text === 'the agent' ? 'The agent' : text;
}
