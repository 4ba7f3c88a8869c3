import type { Step, Trace } from '../../core/trace.ts';
import { hasKnownEnd } from '../_kit/completeness.ts';
import { enclosingSteps } from '../_kit/enclosing-steps.ts';
import { hasKnownEffect, type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { ENDS_BY_DESIGN, needsAnswer } from './abandoned-run.ts';
import { asksQuestion } from './asked-question.ts';
import type { Verdict } from './verdict.ts';

/**
 * An agent whose last model call ended its turn with neither text nor a call: the run ended on it, or other agents
 * continued without its part. Only if the sender records what models answer: other model calls have text and the finish
 * reason is recorded, or the run ends with the empty answer to a question of the user and its other contents are recorded.
 */
export function emptyAnswer(trace: Trace): Verdict | null {
  if (!hasKnownEnd(trace) || trace.status === 'error') return null;
  const answers = trace.steps.filter(({ kind }) => kind === 'llm');
  const answerWithText = answers.find(({ output }) => output.trim() !== '');
  const filtered = filteredAnswer(trace, answers);
  if (filtered !== undefined) return filteredVerdict(filtered);
  const empty =
    answerWithText === undefined
      ? unansweredQuestion(trace, answers)
      : lastOfEach(trace, answers).find(
          (step) => isEmpty(step) && endedTurn(step) && !isFollowedUp(trace, step) && !isAnsweredAround(trace, step),
        );
  if (empty === undefined) return null;
  return verdictOn(empty, empty === answers.at(-1), recordedText(answers, answerWithText));
}

/** The finish reason of a content filter: OpenAI and Azure, Vercel, Google, Bedrock. */
const FILTERED = /^(?:content[_-]filter(?:ed)?|safety|prohibited_content|blocklist|spii|guardrail_intervened)$/i;

/** The model call that ends a run without a text because a content filter stopped it. */
function filteredAnswer(trace: Trace, answers: readonly Step[]): Step | undefined {
  const last = answers.at(-1);
  if (last === undefined || !isEmpty(last) || !last.finishReasons.some((reason) => FILTERED.test(reason)))
    return undefined;
  return isFollowedUp(trace, last) || isAnsweredAround(trace, last) ? undefined : last;
}

function filteredVerdict(step: Step): Verdict {
  const reason = step.finishReasons.find((text) => FILTERED.test(text))!;
  const verdict = verdictOn(step, true, '');
  return {
    ...verdict,
    title: 'A content filter stopped the answer',
    explanation: `${verdict.explanation} Its finish reason is ${reason}.`,
    suggestedAction: `Check the finish reason of ${verdict.key}: for ${reason}, tell the user that the answer was stopped, and offer another way.`,
    fix: checkFix('workflow_change', {
      title: 'Report a stopped answer',
      target: `model call of ${verdict.key}`,
      description: `When the finish reason of ${verdict.key} is ${reason}, return a message that the answer was stopped in place of the empty text.`,
      after: `if the finish reason is ${reason}: tell the user that the answer was stopped`,
      why: 'The run ended with an empty answer that a content filter stopped.',
    }),
  };
}

/** What shows that the sender records answers, as a sentence with a leading space. */
function recordedText(answers: readonly Step[], answerWithText: Step | undefined): string {
  if (answerWithText !== undefined) return ` Other answers of the run have text (step ${answerWithText.index}).`;
  const request = answers.find(requestsCall);
  const recorded =
    request === undefined ? '' : ` The answer at step ${request.index} was recorded with the call that it requests.`;
  return ` The user asked a question and got no text.${recorded}`;
}

function verdictOn(empty: Step, isLast: boolean, recorded: string): Verdict {
  const name = empty.agent ?? empty.name;
  const end = isLast ? 'The run ended on it.' : 'The run continued without its part.';
  return {
    subtype: 'empty_answer',
    score: 0.7,
    step: empty.index,
    steps: [empty.index],
    agent: empty.agent,
    explanation: `At step ${empty.index} ${name} gave an empty answer: the model returned neither text nor a call. ${end}${recorded}`,
    suggestedAction: `Ask the model of ${name} once more when it returns an empty answer, and report a failure when it does so again.`,
    evidence: [
      {
        kind: 'sign',
        step: empty.index,
        path: empty.model === null ? 'name' : 'model',
        quote: empty.model ?? empty.name,
      },
    ],
    fix: checkFix('retry_policy', {
      title: 'Ask again after an empty answer',
      target: `model call of ${name}`,
      description: `Treat an answer of ${name} without text and without a call as a failed call of the model: repeat it once, then report an error.`,
      after: 'if the answer has no text and no call: retry once; on the second empty answer fail',
      why: 'An empty answer was taken for a result.',
    }),
    key: name,
  };
}

/** The last model call of each agent with a span of its own, and of each other agent name. */
function lastOfEach(trace: Trace, answers: readonly Step[]): Step[] {
  return [...new Map(answers.map((step) => [actorOf(trace, step), step])).values()];
}

function actorOf(trace: Trace, step: Step): string {
  for (const { index, kind, node } of enclosingSteps(trace, step.index))
    if (kind === 'agent' || (node !== null && node === step.node)) return `${index}`;
  return step.agent ?? '';
}

/**
 * The model call that ends a run without any text, if the user asked a question. A run can end on an act by design, and
 * its instructions can permit an empty answer.
 */
function unansweredQuestion(trace: Trace, answers: readonly Step[]): Step | undefined {
  const last = trace.steps.findLast(({ kind }) => kind === 'llm' || kind === 'tool' || kind === 'message');
  if (last === undefined || last !== answers.at(-1) || !isEmpty(last) || isAnsweredAround(trace, last))
    return undefined;
  if (!endedTurn(last) && !isTurnOfConversation(trace, last)) return undefined;
  if (!needsAnswer(trace) || !asksQuestion(trace) || isSilencePermitted(trace)) return undefined;
  const uses = toolUses(trace);
  if (uses.some(mayAnswer)) return undefined;
  // If neither a requested call nor an output around the call is recorded, the sender may omit what models answer.
  const isRecorded =
    answers.some(requestsCall) ||
    isTurnOfConversation(trace, last) ||
    [...enclosingSteps(trace, last.index)].some(({ outputMessages }) => outputMessages.length > 0);
  return isRecorded ? last : undefined;
}

function requestsCall({ outputMessages }: Step): boolean {
  return outputMessages.some(({ toolCalls }) => toolCalls.length > 0);
}

/** A conversation is recorded as its messages, without finish reasons. */
function isTurnOfConversation({ steps }: Trace, { parent, finishReasons }: Step): boolean {
  return parent !== null && steps[parent]!.kind === 'message' && finishReasons.length === 0;
}

/** Whether a call may pass the answer to the user, or be the act that the user expects: it changes something or gives a receipt. */
function mayAnswer(use: ToolUse): boolean {
  return hasKnownEffect(use.name) || ENDS_BY_DESIGN.test(use.name) || isReceipt(use);
}

/** A result without data: nothing, flags, or a word. An empty list says that nothing was found. */
function isReceipt({ resultText, isError }: ToolUse): boolean {
  const text = resultText.trim();
  return !isError && text !== '[]' && !/\d/.test(text) && text.length <= MAX_RECEIPT_LENGTH;
}

const MAX_RECEIPT_LENGTH = 40;

/** Instructions that mention silence or an empty answer. */
const PERMITS_SILENCE =
  /empty|blank|silen[ct]|nothing|no[_ -]?reply|no (?:answer|response|output|text)|(?:not|n['’]t) (?:reply|respond|answer)|(?<!\p{L})leer|schweig|nichts|nicht antworten|vac[ií][ao]|silen[zc]io|(?<!\p{L})(?:nada|vide|rien)(?!\p{L})|vuot[ao]|niente|vazi[ao]|沉默|不回复|不回答|空|黙|返信しない|무응답|молч|ничего/iu;

function isSilencePermitted({ steps }: Trace): boolean {
  return steps.some(({ inputMessages, outputMessages }) =>
    [...inputMessages, ...outputMessages].some(
      ({ role, content }) => (role === 'system' || role === 'developer') && PERMITS_SILENCE.test(content),
    ),
  );
}

const ENDED_TURN = /^(?:stop|end_?turn|completed?|finish(?:ed)?|eos(?:_token)?)$/i;

function endedTurn({ finishReasons }: Step): boolean {
  return finishReasons.some((reason) => ENDED_TURN.test(reason));
}

function isEmpty({ output, outputMessages, error, status }: Step): boolean {
  if (error !== null || status === 'error' || output.trim() !== '' || outputMessages.length === 0) return false;
  return outputMessages.every(({ content, toolCalls }) => content.trim() === '' && toolCalls.length === 0);
}

/**
 * Whether the agent's span, or the call that requested the agent, has a text output: the answer came from elsewhere. If
 * neither is recorded, any enclosing span decides. The first message of a conversation is the parent of the later ones and
 * contains no answer to them.
 */
function isAnsweredAround(trace: Trace, step: Step): boolean {
  let hasText = false;
  for (const { kind, output } of enclosingSteps(trace, step.index)) {
    if (kind === 'message') continue;
    if (kind === 'agent' || kind === 'tool') return output.trim() !== '';
    hasText ||= output.trim() !== '';
  }
  return hasText;
}

/** Whether the same agent next calls a tool or sends a message. */
function isFollowedUp(trace: Trace, step: Step): boolean {
  const actor = actorOf(trace, step);
  return trace.steps
    .slice(step.index + 1)
    .some((later) => (later.kind === 'tool' || later.kind === 'message') && actorOf(trace, later) === actor);
}
