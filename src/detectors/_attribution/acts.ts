import type { Step, Trace } from '../../core/trace.ts';
import { failureInResult } from '../_readings/calls/failure-text.ts';
import { type ActRole, baseAgent, roleOf } from './act-role.ts';

/** A step in which an agent, user or tool produced output. Spans that only contain other steps are omitted. */
export interface Act {
  /** Index into `Trace.steps`. */
  step: number;
  kind: 'llm' | 'tool' | 'user' | 'system' | 'other';
  role: ActRole;
  /** Name without an addressee: `Orchestrator (-> WebSurfer)` is `Orchestrator`. */
  agent: string;
  /** False if the sender named no agent; the name is then the kind of speaker. */
  hasAgent: boolean;
  /** Whether the step addresses another agent by name. */
  isAddressed: boolean;
  /** Output including calls; at most `TEXT_LIMIT` characters, cut in the middle. */
  output: string;
  outputLength: number;
  /** Last input: the arguments of a tool, or the newest message before a model's answer. */
  given: string;
  promptLength: number;
  callCount: number;
  isError: boolean;
  depth: number;
}

/** Bounds the time for a single step; two thirds from the beginning, one third from the end. */
const TEXT_LIMIT = 9000;

export function actsOf(trace: Trace): Act[] {
  const hasChildren = new Set(trace.steps.map((step) => step.parent));
  return trace.steps.filter((step) => isAct(step, hasChildren.has(step.index))).map(actOf);
}

function isAct(step: Step, hasChildren: boolean): boolean {
  if (step.kind === 'chain' || step.kind === 'agent' || step.kind === 'other')
    return !hasChildren && (step.output !== '' || step.error !== null);
  return step.kind !== 'embedding';
}

function actOf(step: Step): Act {
  const kind = actKind(step);
  const name = speakerOf(step, kind);
  const output = outputOf(step);
  const given = inputTextOf(step);
  return {
    step: step.index,
    kind,
    role: roleOf(name, kind),
    agent: baseAgent(name),
    hasAgent: step.agent !== null,
    isAddressed: /\(?->/.test(name) || step.goto.length > 0,
    output: bounded(output),
    outputLength: output.length,
    given: bounded(given),
    promptLength: step.inputMessages.reduce((sum, message) => sum + message.content.length, 0) || step.input.length,
    callCount: step.outputMessages.reduce((sum, message) => sum + message.toolCalls.length, 0),
    isError: hasFailed(step, kind, output),
    depth: step.depth,
  };
}

function actKind(step: Step): Act['kind'] {
  if (step.kind === 'llm') return 'llm';
  if (step.kind === 'tool' || step.kind === 'retrieval') return 'tool';
  if (step.kind !== 'message') return 'other';
  const role = step.outputMessages[0]?.role ?? step.name;
  return role === 'system' ? 'system' : role === 'tool' ? 'tool' : 'user';
}

function speakerOf(step: Step, kind: Act['kind']): string {
  return step.agent ?? (kind === 'llm' ? 'assistant' : step.name);
}

function outputOf(step: Step): string {
  const calls = step.outputMessages.flatMap((message) => message.toolCalls);
  if (calls.length === 0) return step.output || (step.error?.message ?? '');
  const written = calls.map((call) => `${call.name}(${textOf(call.arguments)})`).join('\n');
  return step.output.includes(calls[0]!.name) ? step.output : `${step.output}\n${written}`;
}

function inputTextOf(step: Step): string {
  if (step.tool !== null) return `${step.tool.name} ${textOf(step.tool.arguments)}`;
  return step.inputMessages[step.inputMessages.length - 1]?.content ?? step.input;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

function bounded(text: string): string {
  if (text.length <= TEXT_LIMIT) return text;
  return `${text.slice(0, (TEXT_LIMIT / 3) * 2)}\n${text.slice(-TEXT_LIMIT / 3)}`;
}

const FAILED_RUN =
  /exitcode: [1-9]|execution failed|<returncode>[1-9]|Traceback \(most recent call last\)|^\w{0,40}(?:Error|Exception):/m;

function hasFailed(step: Step, kind: Act['kind'], output: string): boolean {
  if (step.status === 'error' || step.error !== null) return true;
  return kind === 'tool' && (failureInResult(output) !== null || FAILED_RUN.test(output.slice(0, 600)));
}
