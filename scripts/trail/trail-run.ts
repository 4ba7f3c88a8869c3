import type { Step, Trace } from '../../src/core/trace.ts';

/** Purpose of a model call: collecting facts, planning, acting by code or by tool calls, answering, or none of these. */
export type TurnRole = 'facts' | 'facts-update' | 'plan' | 'plan-update' | 'code' | 'call' | 'answer' | 'other';

/** A model call and its consequences. */
export interface Turn {
  step: Step;
  role: TurnRole;
  /** Index of the step of the nearest agent above, -1 if there is none. */
  agentRun: number;
  /** Zero-based among the acting turns of its agent run; -1 for turns that do not act. */
  place: number;
  /** The complete output of the model, requested calls included. */
  modelText: string;
  /** The fenced code in the output; empty if absent. */
  code: string;
  /** The output without the code. */
  prose: string;
  /** Tools and agents that ran because of this turn. */
  actions: Step[];
  /** Names of tools called in structured form or in code, whether they ran or not. */
  requested: string[];
  /** The error of the step as text; empty if there is none. */
  failure: string;
  /** The results that the turn produced. */
  observation: string;
  /** The acting turn before this one in the same agent run. */
  previous: Turn | null;
  /** Whether the turn submits an answer. */
  isFinal: boolean;
}

export interface TrailRun {
  trace: Trace;
  turns: Turn[];
  /** Executed tools except those that submit the answer. */
  tools: Step[];
  /** Agents working for another agent. */
  delegates: Step[];
  /** Tools and helpers that prompts or definitions declare. */
  declared: Set<string>;
}

export const FINAL_TOOL = /^(?:final_?answer|submit(?:_answer)?|finish|attempt_completion)$/i;
const OPENING_LENGTH = 1500;

/** The run as turns in order; linear in the size of the trace. */
export function readTrailRun(trace: Trace): TrailRun {
  const tree = readTree(trace);
  const declared = declaredTools(trace);
  const lastTurn = new Map<number, Turn>();
  const turns = trace.steps
    .filter(({ kind }) => kind === 'llm')
    .map((step) => {
      const turn = readTurn(step, trace, tree, declared);
      if (turn.role !== 'code' && turn.role !== 'call') return turn;
      turn.previous = lastTurn.get(turn.agentRun) ?? null;
      turn.place = (turn.previous?.place ?? -1) + 1;
      lastTurn.set(turn.agentRun, turn);
      return turn;
    });
  const tools = trace.steps.filter(({ kind, tool, name }) => kind === 'tool' && !FINAL_TOOL.test(tool?.name ?? name));
  const agents = trace.steps.filter(({ kind }) => kind === 'agent');
  return { trace, turns, tools, delegates: agents.filter((step) => tree.agentAbove[step.index]! >= 0), declared };
}

interface Tree {
  /** Number of model calls directly below each step. */
  modelCalls: number[];
  /** Tools and agents that followed each model call under the same parent, before the next model call. */
  actions: Step[][];
  /** Index of the nearest agent above each step, -1 if there is none. */
  agentAbove: number[];
}

function readTree(trace: Trace): Tree {
  const modelCalls = trace.steps.map(() => 0);
  const actions: Step[][] = trace.steps.map(() => []);
  const agentAbove = trace.steps.map(() => -1);
  const lastCall = new Map<number | null, number>();
  for (const { index, parent, kind } of trace.steps) {
    if (parent !== null)
      agentAbove[index] = trace.steps[parent]?.kind === 'agent' ? parent : (agentAbove[parent] ?? -1);
    const modelCall = lastCall.get(parent);
    if (kind === 'llm') {
      lastCall.set(parent, index);
      if (parent !== null) modelCalls[parent] = (modelCalls[parent] ?? 0) + 1;
    } else if (modelCall !== undefined && (kind === 'tool' || kind === 'agent'))
      actions[modelCall]!.push(trace.steps[index]!);
  }
  return { modelCalls, actions, agentAbove };
}

function readTurn(step: Step, trace: Trace, tree: Tree, declared: ReadonlySet<string>): Turn {
  const parent = step.parent === null ? null : (trace.steps[step.parent] ?? null);
  const frame = parent !== null && isFrame(parent, tree) ? parent : null;
  const actions = tree.actions[step.index] ?? [];
  const calls = step.outputMessages.flatMap(({ toolCalls }) => toolCalls);
  const structured = calls.map(({ name, arguments: given }) => `${name} ${JSON.stringify(given)}`).join('\n');
  const texts = [step.output, structured].filter(Boolean).join('\n');
  const code = fencedCode(step.output);
  const prose = code === '' ? step.output : step.output.slice(0, Math.max(0, step.output.indexOf('```')));
  const requested = [...calls.map(({ name }) => name), ...calledInCode(code, declared)];
  const failed = actions.find(({ status }) => status === 'error');
  return {
    step,
    role: roleOf(step, parent, requested, code, actions),
    agentRun: tree.agentAbove[step.index] ?? -1,
    place: -1,
    modelText: texts,
    code,
    prose,
    actions,
    requested,
    failure: frame?.error?.message || failed?.error?.message || (failed ? 'error' : ''),
    observation: frame?.output || actions.map(({ output }) => output).join('\n'),
    previous: null,
    isFinal: requested.some((name) => FINAL_TOOL.test(name)) || actions.some(({ name }) => FINAL_TOOL.test(name)),
  };
}

/** Whether a step represents one turn: it contains one model call and the steps that this call started. */
function isFrame(parent: Step, { modelCalls, agentAbove }: Tree): boolean {
  return parent.kind !== 'agent' && modelCalls[parent.index] === 1 && agentAbove[parent.index]! >= 0;
}

/** The beginning of a model call's prompt. Truncated texts keep their JSON escapes, which are decoded here. */
export function openingOf(step: Step): string {
  const text = step.inputMessages[0]?.content ?? step.input;
  return text.slice(0, OPENING_LENGTH).replaceAll('\\n', '\n');
}

const FACTS = /preparatory survey of which facts|\bfacts given in the task\b/i;
const FACTS_UPDATE = /\bgathering known and unknown facts\b/i;
const PLAN = /\befficient plans?\b|\b(?:make|write|develop|create) (?:a|an|your) (?:new )?(?:\S{1,20} )?plan\b/i;
const PLAN_UPDATE = /\bhistory of attempts\b|\bupdated plan\b|\bhave been given a task\b/i;
const ANSWER = /^.{0,200}earlier you were asked\b|\boutput a final answer to the question\b/is;

function roleOf(step: Step, parent: Step | null, requested: string[], code: string, actions: Step[]): TurnRole {
  const isActing = requested.length > 0 || actions.length > 0 || code !== '';
  if (parent !== null && /^step \d+$/i.test(parent.name)) return hasStructuredCall(step) ? 'call' : 'code';
  const opening = openingOf(step);
  if (FACTS_UPDATE.test(opening)) return 'facts-update';
  if (FACTS.test(opening)) return 'facts';
  if (!isActing && PLAN.test(opening)) return PLAN_UPDATE.test(opening) ? 'plan-update' : 'plan';
  if (ANSWER.test(opening)) return 'answer';
  if (!isActing) return 'other';
  return code === '' ? 'call' : 'code';
}

function hasStructuredCall({ outputMessages }: Step): boolean {
  return outputMessages.some(({ toolCalls }) => toolCalls.length > 0);
}

function fencedCode(text: string): string {
  const parts = text.split('```');
  const blocks = parts.filter((_, at) => at % 2 === 1);
  return blocks.map((block) => block.replace(/^[a-z]{0,12}\n/i, '')).join('\n');
}

/** Declared names called in code, not those in comments and string literals. */
export function calledInCode(code: string, declared: ReadonlySet<string>): string[] {
  if (code === '') return [];
  const bare = code.replace(/#[^\n]*/g, '').replace(/"[^"\n]*"|'[^'\n]*'/g, '""');
  const called = [...bare.matchAll(/\b([a-z_]\w{1,60})\s?\(/gi)].map((match) => match[1]!);
  return [...new Set(called)].filter((name) => declared.has(name) || FINAL_TOOL.test(name));
}

const PROMPTS_READ = 4;
const PROMPT_LENGTH = 24_000;

/** Declared tools, executed tools, and names that a prompt lists as `- name: what it does`. */
function declaredTools(trace: Trace): Set<string> {
  const names = new Set(trace.toolDefinitions.map(({ name }) => name));
  for (const { kind, tool, name } of trace.steps) if (kind === 'tool') names.add(tool?.name ?? name);
  const prompts = trace.steps.filter(({ kind, inputMessages }) => kind === 'llm' && inputMessages.length > 0);
  for (const { inputMessages } of prompts.slice(0, PROMPTS_READ)) {
    const text = inputMessages.map(({ content }) => content.slice(0, PROMPT_LENGTH)).join('\n');
    for (const match of text.replaceAll('\\n', '\n').matchAll(/\n- ([a-z][a-z0-9]*_[a-z0-9_]{1,60}|visualizer): /g))
      names.add(match[1]!);
  }
  return new Set([...names].filter((name) => !FINAL_TOOL.test(name)));
}

/** Whether the step succeeded without a result. */
export function isEmptyObservation(turn: Turn): boolean {
  const text = turn.observation.trim();
  return (
    turn.failure === '' &&
    text.length < 200 &&
    /(?:^|\n)None$|\b(?:not found|no (?:results|matches|files))\b|\bfound 0\b/i.test(text)
  );
}

/** Code that prints pieces of more than 500 characters. */
export function printsLongExcerpts({ code }: Turn): boolean {
  for (const match of code.matchAll(/:\s?(\d{3,5})\]|(?:size|limit|length)\s?=\s?(\d{3,5})/g))
    if (Number(match[1] ?? match[2]) > 500) return true;
  return false;
}

export function toolName(step: Step): string {
  return step.tool?.name ?? step.name;
}
