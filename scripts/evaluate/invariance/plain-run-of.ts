import type { Message, Step, Trace } from '../../../src/core/trace.ts';
import type { Act, Answer, Call, PlainRun } from '../../../test/support/invariance/plain-run.ts';

/** Characters of all messages that the answers of a run receive, above which an answer receives only the new ones. */
const LONGEST_HISTORY = 4_000_000;

/** The run of a record. */
export interface RecordedRun extends PlainRun {
  /** Whether the record contains what the answers received. */
  hasInputs: boolean;
}

/**
 * The run of a decoded record, independent of an encoding. An answer without recorded input received all messages before
 * it, as in a chat; in a very long run, only those since the answer before it. Null if the run has other steps than
 * messages, answers and calls.
 */
export function plainRunOf(trace: Trace): RecordedRun | null {
  if (trace.steps.some(({ kind }) => kind !== 'llm' && kind !== 'tool' && kind !== 'message')) return null;
  const sent = sentMessages(trace.steps);
  const acts = inOrder(trace.steps).map((step): Act => {
    if (step.kind === 'message') return saidIn(step);
    return step.kind === 'tool' ? callIn(step) : answerIn(step, sent.get(step.index)!);
  });
  const agent = trace.agents[0] ?? 'assistant';
  const said = trace.steps.find(isOfUser)?.output;
  const stated = trace.task ?? '';
  const hasInputs = trace.steps.some(({ kind, inputMessages }) => kind === 'llm' && inputMessages.length > 0);
  return { agent, task: said ?? stated, statedTask: stated, acts, hasInputs };
}

/** Spans of the same time have no order: each step starts at least a microsecond after the step before it. */
function inOrder(steps: readonly Step[]): Step[] {
  let last = 0;
  return steps.map((step) => {
    if (step.startMs === null) return step;
    last = Math.max(step.startMs, last + 0.001);
    return { ...step, startMs: last, endMs: Math.max(step.endMs ?? last, last) };
  });
}

function saidIn(step: Step): Act {
  return { kind: 'message', role: roleOf(step), text: step.output, ...agentIn(step), ...timeIn(step) };
}

/** Whether the step is a message of a user, and not of an agent that speaks in the role of the user. */
export function isOfUser(step: Step): boolean {
  return step.kind === 'message' && step.agent === null && roleOf(step) === 'user';
}

function roleOf(step: Step): string {
  return step.outputMessages[0]?.role ?? 'user';
}

function answerIn(step: Step, sent: readonly Message[]): Answer {
  const calls = step.outputMessages.flatMap(({ toolCalls }) => toolCalls);
  const { input, output } = step.tokens;
  return {
    kind: 'answer',
    text: textOf(step),
    calls: calls.map(({ id, name, arguments: args }) => ({ id: id ?? '', name, args })),
    sent,
    model: step.model,
    ...(input === null && output === null ? {} : { tokens: { input, output } }),
    ...agentIn(step),
    ...timeIn(step),
  };
}

function callIn(step: Step): Call {
  const { id, name, arguments: args } = step.tool!;
  const call = { kind: 'call', id: id ?? '', name, args, ...agentIn(step), ...timeIn(step) } as const;
  if (step.status !== 'error') return { ...call, result: step.output };
  if (step.tool!.result === null) return { ...call, result: step.error?.message ?? '', hasFailed: true };
  const { type, message } = step.error ?? { type: '', message: '' };
  return { ...call, result: step.output, hasFailed: true, error: { type, message } };
}

function textOf(step: Step): string {
  return step.outputMessages.map(({ content }) => content).join('\n');
}

function agentIn({ agent }: Step): { agent?: string } {
  return agent === null ? {} : { agent };
}

function timeIn({ startMs, endMs }: Step): Pick<Act, 'time'> {
  return startMs === null || endMs === null ? {} : { time: { startMs, endMs } };
}

/** The messages that each answer received, by the index of its step. */
function sentMessages(steps: readonly Step[]): Map<number, readonly Message[]> {
  const messages = steps.map(messageOf);
  const isLong = historyLength(steps, messages) > LONGEST_HISTORY;
  const sent = new Map<number, readonly Message[]>();
  let since = 0;
  for (const { index, kind, inputMessages } of steps) {
    if (kind !== 'llm') continue;
    sent.set(index, inputMessages.length > 0 ? inputMessages : messages.slice(isLong ? since : 0, index));
    since = index;
  }
  return sent;
}

function historyLength(steps: readonly Step[], messages: readonly Message[]): number {
  let before = 0;
  let sum = 0;
  for (const { index, kind } of steps) {
    if (kind === 'llm') sum += before;
    before += messages[index]!.content.length;
  }
  return sum;
}

function messageOf(step: Step): Message {
  const message = { name: step.agent, content: step.output, toolCalls: [], toolCallId: null };
  if (step.kind === 'message') return { ...message, role: roleOf(step) };
  if (step.kind === 'tool') return { ...message, role: 'tool', name: step.tool!.name, toolCallId: step.tool!.id };
  const toolCalls = step.outputMessages.flatMap((answer) => answer.toolCalls);
  return { ...message, role: 'assistant', content: textOf(step), toolCalls };
}
