import type { Step, Trace } from '../../core/trace.ts';
import { hasKnownEnd } from '../_kit/completeness.ts';
import { enclosingSteps } from '../_kit/enclosing-steps.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import type { Verdict } from './verdict.ts';

/**
 * An agent whose last model call ended its turn with neither text nor a call: the run ended on it, or other agents
 * continued without its part. Only if the finish reason is recorded and other model calls have text; otherwise the sender
 * may omit texts and calls.
 */
export function emptyAnswer(trace: Trace): Verdict | null {
  if (!hasKnownEnd(trace) || trace.status === 'error') return null;
  const answers = trace.steps.filter(({ kind }) => kind === 'llm');
  const answerWithText = answers.find(({ output }) => output.trim() !== '');
  if (answerWithText === undefined) return null;
  const empty = lastOfEach(trace, answers).find(
    (step) => isEmpty(step) && !isFollowedUp(trace, step) && !isAnsweredAround(trace, step),
  );
  if (empty === undefined) return null;
  const isLast = empty === answers.at(-1);
  const name = empty.agent ?? empty.name;
  const end = isLast ? 'The run ended on it.' : 'The run continued without its part.';
  return {
    subtype: 'empty_answer',
    score: 0.7,
    step: empty.index,
    steps: [empty.index],
    agent: empty.agent,
    explanation: `At step ${empty.index} ${name} gave an empty answer: the model returned neither text nor a call. ${end} Other answers of the run have text (step ${answerWithText.index}).`,
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

const ENDED_TURN = /^(?:stop|end_?turn|completed?|finish(?:ed)?|eos(?:_token)?)$/i;

function isEmpty({ output, outputMessages, error, status, finishReasons }: Step): boolean {
  if (error !== null || status === 'error' || output.trim() !== '' || outputMessages.length === 0) return false;
  if (!finishReasons.some((reason) => ENDED_TURN.test(reason))) return false;
  return outputMessages.every(({ content, toolCalls }) => content.trim() === '' && toolCalls.length === 0);
}

/**
 * Whether the agent's span, or the call that requested the agent, has a text output: the answer came from elsewhere. If
 * neither is recorded, any enclosing span decides.
 */
function isAnsweredAround(trace: Trace, step: Step): boolean {
  let hasText = false;
  for (const { kind, output } of enclosingSteps(trace, step.index)) {
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
