import type { Step, Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { toolUses } from '../calls/calls.ts';
import { replySteps, USER_NAMES } from '../calls/written-calls.ts';
import { chatParticipants } from './participants.ts';
import { type StatedText, statedTexts } from './stated-texts.ts';

/** A message of a user or an agent. Each message occurs once, in order. */
export interface ConversationTurn {
  step: number;
  agent: string | null;
  /** `executor`: the output of code or of a call that ran, forwarded as a message. */
  by: 'user' | 'agent' | 'system' | 'executor';
  text: string;
  /** Names of the tools called in the same turn. */
  calls: readonly string[];
}

/**
 * The conversation of a run: model answers and messages of the steps, user turns that occur only in the message history of
 * a model call, and texts that occur only in the graph state. Results of calls that a program hands to the model as messages
 * of the user are not turns. Computed once per trace.
 */
export const conversation: (trace: Trace) => readonly ConversationTurn[] = memoizeByRef(readConversation);

/** The turns of agents. Computed once per trace. */
export const agentTurns = memoizeByRef((trace: Trace): readonly ConversationTurn[] =>
  conversation(trace).filter(({ by }) => by === 'agent'),
);

function readConversation(trace: Trace): ConversationTurn[] {
  const turns: ConversationTurn[] = [];
  const seen = new SeenTexts();
  const stated = statedTexts(trace);
  const participants = chatParticipants(trace);
  const isResult = resultsOf(trace);
  const parents = new Set(trace.steps.map(({ parent }) => parent));
  for (const step of trace.steps) {
    if (step.kind === 'message' && replySteps(trace).has(step.index))
      turns.push({ step: step.index, agent: step.agent, by: 'executor', text: step.output, calls: [] });
    else if (step.kind === 'message') turns.push(...messageTurn(step, turns.at(-1), participants));
    else if (step.kind === 'agent' && !parents.has(step.index)) turns.push(...agentTurn(step, turns.at(-1)));
    if (step.kind === 'message') seen.add(step.output);
    if (step.kind !== 'tool') turns.push(...statedTurns(step, stated.get(step.index) ?? [], seen));
    if (step.kind !== 'llm') continue;
    turns.push(...newUserTurns(step, seen).filter(({ text }) => !isResult(text, step.index)));
    const text = step.output.trim() === '' ? '' : step.output;
    const calls = step.outputMessages.flatMap(({ toolCalls }) => toolCalls.map(({ name }) => name));
    if (text !== '' || calls.length > 0) turns.push({ step: step.index, agent: step.agent, by: 'agent', text, calls });
  }
  return turns;
}

/** A user message can occur both in the state and in a model call. */
function statedTurns(step: Step, texts: readonly StatedText[], seen: SeenTexts): ConversationTurn[] {
  return texts
    .filter(({ by, text }) => by !== 'user' || seen.newIn([text]).length > 0)
    .map(({ by, text, name }) => {
      const agent = by === 'agent' ? (name ?? step.agent ?? step.node) : step.agent;
      return { step: step.index, agent, by, text, calls: [] };
    });
}

function messageTurn(
  step: Step,
  before: ConversationTurn | undefined,
  participants: ReadonlySet<string>,
): ConversationTurn[] {
  const role = step.outputMessages[0]?.role ?? step.name;
  if (step.output.trim() === '') return [];
  const isParticipant = step.agent !== null && participants.has(step.agent);
  if ((role === 'user' && !isParticipant) || role === 'system') return [turnOf(step, role)];
  return [turnOf(step, isRunOutput(step, before) ? 'executor' : 'agent')];
}

/** The message of an agent whose span has no model call inside. */
function agentTurn(step: Step, before: ConversationTurn | undefined): ConversationTurn[] {
  if (step.output.trim() === '') return [];
  if (step.agent !== null && USER_NAMES.has(step.agent.toLowerCase())) return [turnOf(step, 'user')];
  return [turnOf(step, isRunOutput(step, before) ? 'executor' : 'agent')];
}

function turnOf({ index, agent, output }: Step, by: ConversationTurn['by']): ConversationTurn {
  return { step: index, agent, by, text: output, calls: [] };
}

function isRunOutput({ agent, output }: Step, before: ConversationTurn | undefined): boolean {
  const answersCode = before?.by === 'agent' && before.agent !== agent && before.text.includes('```');
  return !output.includes('```') && (answersCode || RUN_OUTPUT.test(output.slice(0, 400)));
}

function newUserTurns(step: Step, seen: SeenTexts): ConversationTurn[] {
  const said = step.inputMessages.filter(({ role, content }) => role === 'user' && content.trim() !== '');
  return seen
    .newIn(said.map(({ content }) => content))
    .map((text) => ({ step: step.index, agent: step.agent, by: 'user', text, calls: [] }));
}

/** How often each text was said. A history repeats all earlier texts; a text that it has once more was said again. */
class SeenTexts {
  private readonly counts = new Map<string, number>();

  add(text: string): void {
    this.counts.set(text, (this.counts.get(text) ?? 0) + 1);
  }

  /** The texts of a history that are new, in order. */
  newIn(history: readonly string[]): string[] {
    const inHistory = new Map<string, number>();
    return history.filter((text) => {
      const nth = (inHistory.get(text) ?? 0) + 1;
      inHistory.set(text, nth);
      if (nth <= (this.counts.get(text) ?? 0)) return false;
      this.counts.set(text, nth);
      return true;
    });
  }
}

/** Texts of this many characters at least are compared; a short one can be the answer of a person. */
const MIN_RESULT = 4;
const COMPARED_CHARACTERS = 60;

/** Tells whether a text starts with the first line of a result that was returned before a step. */
function resultsOf(trace: Trace): (text: string, step: number) => boolean {
  const firstSteps = new Map<string, number>();
  for (const { step, resultText, failure } of toolUses(trace))
    for (const text of [resultText, failure?.message ?? '']) {
      const start = startOf(text);
      if (start.length >= MIN_RESULT && !firstSteps.has(start)) firstSteps.set(start, step);
    }
  return (text, step) => (firstSteps.get(startOf(text)) ?? Number.POSITIVE_INFINITY) < step;
}

/** The start of the first line. Some programs escape the line breaks of a result. */
function startOf(text: string): string {
  const head = text.trimStart().slice(0, COMPARED_CHARACTERS);
  return head.split(/\\n|\n/, 1)[0]!.trimEnd();
}

/** Output of code runners in group chats: exit codes, tracebacks, or bare numbers. */
const RUN_OUTPUT =
  /^\s{0,20}(?:exitcode:|Traceback \(most recent call last\)|No output found|Error: Traceback|[-+$]?[\d.,]{1,40}\s{0,20}$)/i;
