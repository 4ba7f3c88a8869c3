import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd, isComplete } from '../_kit/completeness.ts';
import { cut, oneLine, splitSentences } from '../_kit/text.ts';
import { toolUses } from '../_readings/calls/calls.ts';
import { agentTurns, type ConversationTurn, conversation } from '../_readings/conduct/conversation.ts';
import { endsWithQuestion } from '../_readings/conduct/open-question.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { SERVICE_ACTS, type ServiceAct } from './service-acts.ts';
import { namesInInstructions } from './untried-calls.ts';
import type { Verdict } from './verdict.ts';

const ANSWER_LIMIT = 1_500;
/** The act depends on something, is only explained, or is a question. */
const IS_CONDITIONAL =
  /\b(?:if|once|when|after|as soon as|unless|until|before|how to|please|shall I|would you|wenn|sobald|falls|bitte|cuando|si|una vez|dès que|quand|lorsque|se|quando|assim que|jeśli|gdy|kiedy|proszę)\b|(?<!\p{L})(?:если|когда|после|пожалуйста)(?!\p{L})|[?？]|如果|一旦|之后|请|もし|たら|場合/iu;

const NEGATION =
  /\b(?:not|never|cannot|unable|nor|\w{2,7}n['’]t)\b|(?<!\p{L})(?:nicht|keine?[rsnm]?|ne|n['’]ai|n['’]est|pas|no|não|nie|не|нельзя)(?!\p{L})|不|没|未|無|ない|ません/iu;

/**
 * The last message announces an act, or says that the act was carried out, a tool for it is declared, and no call of the run
 * carries it out. Null if another agent, another call or a command may have done it.
 */
export function declaredActMissing(trace: Trace): Verdict | null {
  if (!hasKnownEnd(trace) || !isComplete(trace) || trace.status === 'error' || trace.codingSession !== undefined)
    return null;
  const last = agentTurns(trace).at(-1);
  if (last === undefined || last !== conversation(trace).at(-1) || last.calls.length > 0) return null;
  if (
    last.text.length > ANSWER_LIMIT ||
    endsWithQuestion(trace) ||
    toolUses(trace).some(({ step, command }) => step > last.step || command !== null)
  )
    return null;
  const sentences = splitSentences(last.text.trim()).filter(
    (each) => !IS_CONDITIONAL.test(each) && !NEGATION.test(each),
  );
  for (const act of SERVICE_ACTS) {
    const sentence = sentences.find((each) => isStated(act, each));
    if (sentence === undefined) continue;
    const tool = toolFor(trace, last, act);
    if (tool !== null && !mayBeDone(trace, last, act)) return verdictOf(trace, last, oneLine(sentence), tool, act);
  }
  return null;
}

function isStated({ stated }: ServiceAct, text: string): boolean {
  return stated.some((form) => form.test(text));
}

/** A declared tool for the act, or one that the instructions of the agent name; null without one. */
function toolFor(trace: Trace, { agent }: ConversationTurn, { tool }: ServiceAct): string | null {
  const declared = trace.toolDefinitions.find(({ name, description }) =>
    tool.test(`${wordsOf(name)} ${description ?? ''}`),
  );
  if (declared !== undefined) return declared.name;
  return namesInInstructions(trace, agent).find((name) => tool.test(wordsOf(name))) ?? null;
}

/** `transfer to human` for `transfer_to_human` and `transferToHuman`. */
function wordsOf(name: string): string {
  return name.replace(/([\p{Ll}\d])(?=\p{Lu})/gu, '$1 ').replace(/[_.:/-]/g, ' ');
}

/**
 * Whether a call of the run, or of an earlier turn of the conversation, may have carried out the act: its tool, its arguments
 * or, if it changes something, its result contain the words of the act.
 */
function mayBeDone(trace: Trace, last: ConversationTurn, act: ServiceAct): boolean {
  if (act.name === 'transfer' && agentTurns(trace).some(({ agent }) => agent !== last.agent)) return true;
  const called = toolUses(trace).some(
    ({ name, argumentsText, resultText, changesState, isError }) =>
      act.tool.test(wordsOf(name)) ||
      (changesState && !isError && act.tool.test(`${argumentsText} ${resultText.slice(0, RESULT_CHARACTERS)}`)),
  );
  const history = trace.steps.flatMap(({ inputMessages }) => inputMessages);
  const earlier = history.some(({ role, content, toolCalls }) =>
    role === 'assistant' ? toolCalls.some(({ name }) => act.tool.test(wordsOf(name))) || isStated(act, content) : false,
  );
  const before = agentTurns(trace).some((turn) => turn !== last && turn.text !== last.text && isStated(act, turn.text));
  // Earlier turns of a session may be in traces of their own, with calls that this one does not show.
  const isLaterTurn = trace.sessionId !== null || trace.threadId !== null;
  return (
    called ||
    earlier ||
    before ||
    (isLaterTurn && !history.some(({ role }) => role === 'system' || role === 'assistant'))
  );
}

const RESULT_CHARACTERS = 2_000;

function verdictOf(
  trace: Trace,
  { step, agent }: ConversationTurn,
  sentence: string,
  tool: string,
  act: ServiceAct,
): Verdict {
  const name = agent ?? trace.steps[step]!.name;
  const calls = toolUses(trace).length === 0 ? 'the run made no call at all' : `no call of the run is of ${tool}`;
  return {
    subtype: 'announced_call_missing',
    title: `The answer states the ${act.name}, and no call carries it out`,
    score: 0.66,
    step,
    steps: [step],
    agent,
    explanation: `The run ended at step ${step} with ${name} saying "${cut(sentence, 140)}". The tool ${tool} is offered for this, and ${calls}.`,
    suggestedAction: `Continue the run when ${name} states the ${act.name} without a call of ${tool}: ask it to make the call or to say that it was not done.`,
    evidence: [{ kind: 'text', step, path: 'output', quote: sentence }],
    fix: checkFix('workflow_change', {
      title: `Check that ${tool} was called before the answer states the ${act.name}`,
      target: `stop condition of ${name}`,
      description: `If the answer of ${name} announces or confirms the ${act.name} and the run contains no successful call of ${tool}, ask ${name} once to make the call or to correct its answer.`,
      after: `if the answer states the ${act.name} and ${tool} was not called: ask the agent to call it, at most twice`,
      why: 'The user relies on an act that no call carried out.',
    }),
    key: `${name} ${tool}`,
  };
}
