import type { Json } from '../../../src/core/json.ts';
import type { Message } from '../../../src/core/trace.ts';

interface ActHead {
  /** The acting agent if it is not the agent of the run. */
  agent?: string;
  /** Unix milliseconds; without them, one second for each act. */
  time?: { startMs: number; endMs: number };
}

export interface RequestedCall {
  id: string;
  name: string;
  args: Json;
}

/** An answer of a model with the calls that it requests. */
export interface Answer extends ActHead {
  kind: 'answer';
  text: string;
  calls?: RequestedCall[];
  /** Messages that the model received; the task alone if omitted. */
  sent?: readonly Message[];
  /** Null if it is not known; the default model if omitted. */
  model?: string | null;
  tokens?: { input: number | null; output: number | null };
}

/** A call that ran. */
export interface Call extends ActHead, RequestedCall {
  kind: 'call';
  /** Of a failed call without `error`, the message of the error. */
  result: string;
  hasFailed?: true;
  /** The error of a call that has a result too. */
  error?: { type: string; message: string };
}

/** A text of a user or an instruction; with an agent, a message of that agent. */
export interface Said extends ActHead {
  kind: 'message';
  role: string;
  text: string;
}

export type Act = Answer | Call | Said;

/** A run, independent of an encoding. */
export interface PlainRun {
  agent: string;
  /** As the user said it. */
  task: string;
  /** The task as the sender describes it, if that is not what the user said. */
  statedTask?: string;
  acts: readonly Act[];
}

export const DEFAULT_MODEL = 'gpt-4o';

export function hasFailed(act: Act): boolean {
  return act.kind === 'call' && act.hasFailed === true;
}

export function errorOf(act: Act): string {
  if (act.kind !== 'call') return act.text;
  return act.error?.message ?? act.result;
}

/** The result of a call; undefined if it failed without one. */
export function resultOf(call: Call): string | undefined {
  return call.hasFailed === true && call.error === undefined ? undefined : call.result;
}

export function callsOf(act: Act): readonly RequestedCall[] {
  return act.kind === 'answer' ? (act.calls ?? []) : [];
}

export function agentOf(act: Act, run: PlainRun): string {
  return act.agent ?? run.agent;
}

export function modelOf(answer: Answer): string | null {
  return answer.model === undefined ? DEFAULT_MODEL : answer.model;
}

export function sentTo(answer: Answer, { task }: PlainRun): readonly Message[] {
  return answer.sent ?? [{ role: 'user', name: null, content: task, toolCalls: [], toolCallId: null }];
}

/** Whether the act is a message of a user or an instruction: in spans it is only part of what the next answer received. */
export function isGiven(act: Act): boolean {
  return act.kind === 'message' && (act.agent === undefined || act.role === 'system');
}
