import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd, recordedWord } from '../_kit/completeness.ts';
import { atSentenceStart, counted, cut, joined, oneLine, stepsText } from '../_kit/text.ts';
import { onlyText, textsAmong } from '../_readings/calls/argument-roles.ts';
import { hasKnownEffect, type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { codeTools } from '../_readings/calls/code-tools.ts';
import { replySteps } from '../_readings/calls/written-calls.ts';
import { adviceAt } from '../_readings/conduct/call-advice.ts';
import { obstacleOf } from '../_readings/conduct/call-obstacle.ts';
import { type ConversationTurn, conversation } from '../_readings/conduct/conversation.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { isRequestedIn, requestedNames } from '../_readings/conduct/requested-calls.ts';
import { commandForm } from '../_readings/shell/command-form.ts';
import { ENDS_BY_DESIGN, isAnsweredAround, isReportedElsewhere, needsAnswer } from './abandoned-run.ts';
import { asksQuestion } from './asked-question.ts';
import {
  isOffer,
  leadOf,
  type Misses,
  missesOf,
  type QuotedQueries,
  quotedQueries,
  sharedStart,
} from './missed-lookups.ts';
import { type OfferedNames, offeredNames, requestedTexts } from './offered-names.ts';
import { returnedData, returnedList } from './returned-data.ts';
import type { Verdict } from './verdict.ts';

const MAX_ACKNOWLEDGEMENT_LENGTH = 40;
/** A question mark of any script at the end. */
const QUESTION_END = /[?？؟]["'”’»\s]{0,4}$/;

/**
 * A run that ends with the result of a tool whose earlier results the agent answered, although the user asked a question
 * or the tool returns data. The call is part of the loop between model and tools, so it does not end runs by design. An act
 * can be the last one of a task: an order, a click or a move ends the run with its receipt.
 */
export function unansweredResult(trace: Trace): Verdict | null {
  if (!hasKnownEnd(trace) || trace.status === 'error' || !needsAnswer(trace) || isAnsweredByRoot(trace)) return null;
  const uses = toolUses(trace);
  const use = uses.at(-1);
  const last = trace.steps.at(-1)!;
  if (use === undefined || last.index !== use.step || isLastAct(trace, use) || ENDS_BY_DESIGN.test(use.name))
    return null;
  if (last.kind !== 'tool' && !replySteps(trace).has(last.index)) return null;
  if (isPendingQuestion(use)) return null;
  if (isReportedElsewhere(uses) || isAnsweredAround(trace, last)) return null;
  const request = conversation(trace).findLast(({ by }) => by !== 'executor');
  if (request?.by !== 'agent' || request.step >= use.step || !isRequested(trace, request, use)) return null;
  const answered = uses.filter((one) => {
    if (one.name !== use.name || one.step >= request.step) return false;
    const asking = conversation(trace).findLast(({ step }) => step < one.step);
    return asking?.by === 'agent' && isRequested(trace, asking, one);
  });
  const score = answered.length === 0 ? null : scoreOf(trace, [...answered, use]);
  return score === null ? null : unansweredVerdict(trace, use, request, answered, score);
}

/** A call that only follows a message may be a command or code that an executor runs: its result can end the run. */
function isRequested(trace: Trace, turn: ConversationTurn, use: ToolUse): boolean {
  if (isRequestedIn(turn, use)) return true;
  const isExecuted = use.command !== null || codeTools(trace).has(use.name);
  return !isExecuted && requestedNames(trace, turn).includes(use.name);
}

/**
 * How certain it is that the user lacks an answer, judged by the request and the results, not by what the tool is named. It is
 * critical if the user asked a question and the tool returns data, and a warning if the results may be receipts. A list alone
 * is weak: an act can return one, too. Null if neither is the case.
 */
function scoreOf(trace: Trace, uses: readonly ToolUse[]): number | null {
  if (asksQuestion(trace)) return uses.some(returnedData) ? 0.9 : SCORE_OF_QUESTION;
  return uses.some(returnedList) ? WEAK_SCORE : null;
}

/** A warning (`severity-rule.ts`). */
const SCORE_OF_QUESTION = 0.62;
/** At most `info`. */
const WEAK_SCORE = 0.5;

const WEAK_IMPACT = 'The run ended without a text of the agent. The user got no answer if one was expected.';

/** Whether a call may be the act that ends the run. */
function isLastAct(trace: Trace, use: ToolUse): boolean {
  // The output of a command or a program may be what was asked for.
  if (use.command !== null || codeTools(trace).has(use.name)) return true;
  const text = onlyText(use.arguments);
  if (text !== null && commandForm(text) === 'certain') return true;
  return hasKnownEffect(use.name) || use.resultText.trim() === '';
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

function unansweredVerdict(
  trace: Trace,
  use: ToolUse,
  request: ConversationTurn,
  answered: readonly ToolUse[],
  score: number,
): Verdict {
  const who = use.agent ?? request.agent ?? 'the agent';
  const result = cut(oneLine(use.resultText), 80);
  const misses = missesOf([...answered, use]);
  const quoted = misses === null ? null : quotedQueries(misses);
  const found = resultsWithContent(toolUses(trace), misses);
  const offered = misses === null || !isAboutMisses(trace, use, misses) ? null : offeredIn(trace, misses);
  const lead = leadText(trace, use, answered, quoted, offered);
  const step = lead?.step ?? use.step;
  const source = found.length === 0 ? 'say what is missing' : `answer from ${resultsText(found)}`;
  const earlier = answered.length === 1 ? 'the earlier result' : `each of the ${answered.length} earlier results`;
  return {
    subtype: 'result_unanswered',
    score,
    ...(score === WEAK_SCORE ? { businessImpact: WEAK_IMPACT } : {}),
    step,
    steps: [...new Set([step, use.step, answered.at(-1)!.step])],
    agent: use.agent,
    explanation: `The run ended at step ${use.step} with the result of ${use.name}${result === '' ? '' : ` ("${result}")`}. ${atSentenceStart(who)} continued after ${earlier} of ${use.name}, and nothing follows this one: the run has no answer.${lead?.text ?? ''}${repeatedText(use, answered)}${missesText(trace, use, answered.length + 1, misses)}${startText(misses)}${quotedText(use, quoted)}`,
    suggestedAction: `${obstacleAdvice(trace, use)}${adviceOf(trace, who, use, misses, quoted, offered)}`,
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
      description: `When the steps or the time of ${who} are used up, call the model once more without tools, and have it ${source}.`,
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

const MAX_STEPS = 4;

function adviceOf(
  trace: Trace,
  who: string,
  use: ToolUse,
  misses: Misses | null,
  quoted: QuotedQueries | null,
  offered: OfferedNames | null,
): string {
  const uses = toolUses(trace);
  const last = `If the step limit of ${who} ends the run, call its model once more without tools, and have it`;
  const found = resultsWithContent(uses, misses);
  const end = found.length === 0 ? `${last} say what is missing.` : `${last} answer from ${resultsText(found)}.`;
  if (misses === null || !isAboutMisses(trace, use, misses)) return end;
  const plain = quoted?.listed[0]?.name;
  if (plain !== undefined)
    return `Have ${who} request \`${plain}\` again without quotation marks, or remove them before ${use.name} runs. ${end}`;
  const first = quoted === null ? '' : `repeat the queries without quotation marks, then `;
  const other =
    offered === null
      ? `search for something else after the second result "${quoteOf(misses.lead, misses.uses[0]!)}" of ${use.name}`
      : `request one of the names that the results of ${use.name} list and that it never requested (${stepsText(offered.steps)}), for example ${offered.names
          .map((name) => `"${name}"`)
          .join(', ')}`;
  return `Have ${who} ${first}${other}. ${end}`;
}

/** A later result may contain what the failed look-ups were about. */
function isAboutMisses(trace: Trace, use: ToolUse, misses: Misses): boolean {
  return misses.uses.includes(use) || resultsWithContent(toolUses(trace), misses).length === 0;
}

function offeredIn(trace: Trace, misses: Misses): OfferedNames | null {
  return offeredNames(misses.uses, toolUses(trace), (trace.task ?? '').slice(0, TASK_CHARACTERS));
}

/** The first step at which the run could have continued in another way, with one sentence with a leading space. */
function leadText(
  trace: Trace,
  use: ToolUse,
  answered: readonly ToolUse[],
  quoted: QuotedQueries | null,
  offered: OfferedNames | null,
): { step: number; text: string } | null {
  const isSeveral = (one: ToolUse) => obstacleOf(trace, one).kind === 'several_calls';
  if (isSeveral(use)) {
    const { step } = [...answered, use].find(isSeveral)!;
    return { step, text: step === use.step ? '' : ` Step ${step} already passed several calls in one argument.` };
  }
  const listed = quoted?.listed[0];
  if (listed !== undefined) return { step: listed.step, text: '' };
  if (offered === null) return null;
  const [step] = offered.steps;
  const names = offered.first.slice(0, MAX_LISTED + 1).map((name) => `"${name}"`);
  return {
    step: step!,
    text: ` Step ${step} ${step === use.step ? '' : 'already '}lists ${joined(names)}, which the run never requests.`,
  };
}

/** One sentence with a leading space if the failed queries only add words to the same start. */
function startText(misses: Misses | null): string {
  const start = misses === null ? null : sharedStart(misses);
  return start === null
    ? ''
    : ` The queries of these steps all begin with "${cut(start, 80)}" and differ only in the words after it.`;
}

/** The question is at the start; what follows may be notes of earlier attempts. */
const TASK_CHARACTERS = 300;

/**
 * Results that are neither short nor begin like other results of the same tool, which says only that nothing was found. If
 * queries failed, other results of their tool count only if they contain the words that all failed queries share.
 */
function resultsWithContent(uses: readonly ToolUse[], misses: Misses | null): ToolUse[] {
  const wanted = misses === null ? [] : sharedWords(misses);
  return uses.filter((use) => {
    const lead = leadOf(use);
    const isLabel = lead !== null && uses.some((one) => one !== use && one.name === use.name && leadOf(one) === lead);
    const text = use.resultText.toLowerCase();
    const isContent = !use.isError && !isLabel && !isOffer(use) && text.trim().length > MAX_ACKNOWLEDGEMENT_LENGTH;
    return isContent && (use.name !== misses?.uses.at(0)?.name || wanted.every((word) => text.includes(word)));
  });
}

/** Words that all failed queries share: what the run looked for. */
function sharedWords({ uses }: Misses): string[] {
  const queries = uses.map((use) => requestedTexts(use).join(' ').toLowerCase());
  const words = queries[0]?.match(/[\p{L}\p{N}]{3,40}/gu) ?? [];
  return queries.length < 2 ? [] : [...new Set(words)].filter((word) => queries.every((query) => query.includes(word)));
}

/** `the results of search (steps 2 and 10) and lookup (step 12)`; the last ones, if there are many. */
function resultsText(found: readonly ToolUse[]): string {
  const groups = [...Map.groupBy(found.slice(-MAX_STEPS), ({ name }) => name)];
  const texts = groups.map(([name, uses]) => `${name} (${stepsText(uses.map(({ step }) => step))})`);
  return `the ${found.length === 1 ? 'result' : 'results'} of ${texts.join(' and ')}`;
}

/** One sentence with a leading space if the last call is equal to an earlier one. */
function repeatedText(use: ToolUse, answered: readonly ToolUse[]): string {
  const before = answered.findLast((one) => one.argumentsText === use.argumentsText);
  return before === undefined ? '' : ` The call at step ${use.step} is equal to the one at step ${before.step}.`;
}

function missesText(trace: Trace, { name }: ToolUse, all: number, misses: Misses | null): string {
  if (misses === null) return '';
  const { lead, uses } = misses;
  const steps = uses.map((one) => one.step);
  if (uses.length === 1) return '';
  const count = uses.length === all ? `All ${all}` : `${uses.length} of the ${all}`;
  const form = quoteOf(lead, uses[0]!) === lead ? 'are' : 'begin with';
  return ` ${count} ${recordedWord(trace)}results of ${name} ${form} "${lead.trim()}" (${stepsText(steps)}).`;
}

/** Queries in quotation marks, as a sentence with a leading space. */
function quotedText({ name }: ToolUse, quoted: QuotedQueries | null): string {
  if (quoted === null) return '';
  const { steps, listed } = quoted;
  const queries = `The ${steps.length === 1 ? 'query' : 'queries'} at ${stepsText(steps)} ${steps.length === 1 ? 'is' : 'are'} in quotation marks`;
  if (listed.length === 0) return ` ${queries}, which ${name} may take for a part of the name.`;
  const names = [...new Set(listed.map((one) => one.name))].slice(0, MAX_LISTED).map((each) => `\`${each}\``);
  return ` ${queries}, and the ${listed.length === 1 ? 'result' : 'results'} at ${stepsText(listed.map((one) => one.step))} list the requested ${names.length === 1 ? 'name' : 'names'} without them (${names.join(', ')}): ${name} takes the quotation marks for a part of the name.`;
}

const MAX_LISTED = 2;

/** The common start of the results, with an ellipsis unless it is the whole result. */
function quoteOf(lead: string, { resultText }: ToolUse): string {
  return lead === resultText.trim() ? lead : `${lead.trim()}…`;
}
