import { isJsonObject } from '../../../core/json.ts';
import type { Step, Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { lettersAndDigits, wordCount } from '../../_kit/text.ts';
import { hasNoContent, onlyText } from '../calls/argument-roles.ts';
import { type ToolUse, toolUses } from '../calls/calls.ts';
import { plainName } from '../calls/tool-names.ts';
import { isCodingSession } from './coding-session.ts';

/** A transfer of control, or a message, to a named agent. */
export interface Handoff {
  step: number;
  from: string | null;
  to: string;
  /**
   * `goto`: by the graph. `tool`: by a tool that names the receiver in its name or result. `message`: by a tool with the
   * receiver as an argument, or by the text that a framework adds to the messages. `state`: by a state field.
   */
  how: 'goto' | 'tool' | 'message' | 'state';
  /** The called tool; null if there was none. */
  tool: string | null;
  /** State field that names the receiver; only for `state`. */
  field?: string;
}

const END = /^(?:__end__|end|finish|finished|done|stop|terminate|user|human|__start__|none|null|)$/i;
const TRANSFER =
  /^(?:transfer|hand_?off|delegate|route|switch|escalate)_?(?:back_|control_|work_|task_)?to_(\w{2,60})$/i;
const DELEGATING =
  /^(?:transfer|hand_?off|delegate\w{0,20}|send_message|send_to_agent|message_agent|call_agent|ask_(?:question_to_)?(?:agent|co_?worker)|route_to|assign_task|spawn_agent|task)$/i;
/** Whether a tool gives another agent a task or a message by its name. */
export function isDelegatingTool(name: string): boolean {
  return DELEGATING.test(plainName(name)) || TRANSFER.test(plainName(name));
}

const RECIPIENT = [
  'to',
  'agent',
  'agent_name',
  'recipient',
  'target',
  'coworker',
  'to_agent',
  'assignee',
  'next_agent',
  'subagent_type',
];
const SUBAGENT_TOOL = /^(?:task|agent|spawn_agent|run_subagent)$/i;
/** Receivers that are persons or no agents, unless an agent of the run has that name. */
const GENERIC = /^(?:agent|human|human_agents?|humans?|user|supervisor|control|task|back|support|operator)$/i;

/**
 * Whether a tool hands control to another agent. Such a call has no effect outside the run. The tool is named after the
 * receiver, or each of its calls in this run names the next agent in its result (`receiverOf`).
 */
export function isTransferTool(trace: Trace, name: string): boolean {
  return TRANSFER.test(plainName(name)) || transferTools(trace).has(name);
}

const transferTools = memoizeByRef((trace: Trace): ReadonlySet<string> => {
  const calls = Map.groupBy(toolUses(trace), ({ name }) => name);
  return new Set([...calls].filter(([, uses]) => uses.every((use) => receiverOf(trace, use) !== null)).map(([n]) => n));
});

const MAX_ACKNOWLEDGEMENT_LENGTH = 200;
const MIN_NAME_LENGTH = 3;

/** The agent that acts next, if it is another agent and a call without data (at most a reason) names it in its result. */
function receiverOf(
  trace: Trace,
  { step, agent, arguments: args, resultText, isError, command }: ToolUse,
): string | null {
  if (agent === null || isError || command !== null || resultText.length > MAX_ACKNOWLEDGEMENT_LENGTH) return null;
  if (!hasNoContent(args) && !(isJsonObject(args) && Object.keys(args).length === 1 && onlyText(args) !== null))
    return null;
  const next = nextAct(trace, step)?.agent ?? null;
  if (next === null || next.length < MIN_NAME_LENGTH || isSameActor(next, agent)) return null;
  return lettersAndDigits(resultText).includes(lettersAndDigits(next)) ? next : null;
}

/** The next step that does work itself. */
export function nextAct(trace: Trace, after: number): Step | undefined {
  for (let at = after + 1; at < trace.steps.length; at += 1) {
    const { kind } = trace.steps[at]!;
    if (kind === 'llm' || kind === 'tool' || kind === 'message') return trace.steps[at];
  }
  return undefined;
}

/**
 * Handoffs in order, without duplicates. A call of a tool that is named after its receiver is one handoff, in however many
 * ways the trace shows it.
 */
export const handoffs = memoizeByRef((trace: Trace): readonly Handoff[] => {
  const routed = trace.steps.filter(({ kind }) => kind !== 'tool').flatMap(routesOf);
  const called = toolUses(trace).flatMap((use): Handoff[] => {
    // A subagent of a coding agent answers its call: control returns with the result.
    if (isCodingSession(trace) && SUBAGENT_TOOL.test(use.name)) return [];
    const named = receiverOf(trace, use) ?? TRANSFER.exec(plainName(use.name))?.[1] ?? null;
    const to = named ?? (DELEGATING.test(plainName(use.name)) ? recipientOf(trace, use.arguments) : null);
    if (to === null || use.isError || (GENERIC.test(to) && !isActor(trace, to))) return [];
    return [{ step: use.step, from: use.agent, to, how: named === null ? 'message' : 'tool', tool: use.name }];
  });
  const all = [...called, ...routed, ...statedHandoffs(trace), ...receivedHandoffs(trace)].filter(
    ({ to }) => !END.test(to),
  );
  return withoutRepeats(
    trace,
    all.sort((a, b) => a.step - b.step),
  );
});

function isActor({ agents }: Trace, name: string): boolean {
  return agents.some((agent) => isSameActor(agent, name));
}

function routesOf({ index, node, agent, goto }: Step): Handoff[] {
  return goto.map((to) => ({ step: index, from: node ?? agent, to, how: 'goto', tool: null }));
}

/**
 * Drops the span of a handoff if the call that requested it is recorded: same agents, and the receiver did nothing in
 * between.
 */
function withoutRepeats(trace: Trace, all: readonly Handoff[]): Handoff[] {
  const kept: Handoff[] = [];
  for (const handoff of all) {
    const before = kept.at(-1);
    const isSame =
      before !== undefined &&
      isSameActor(before.to, handoff.to) &&
      (before.from === handoff.from || before.from === null || handoff.from === null);
    const isRepeat =
      isSame &&
      !trace.steps
        .slice(before.step + 1, handoff.step + 1)
        .some(({ agent, node }) => [agent, node].some((name) => name !== null && isSameActor(name, handoff.to)));
    if (!isRepeat) kept.push(handoff);
  }
  return kept;
}

/** The message with which LlamaIndex passes a request on. */
const RECEIVED = /^Agent (.{1,80}) is now handling the request due to the following reason:/;

/** Whether a text is the message with which a framework passes a request on. */
export function isHandoffMessage(text: string): boolean {
  return RECEIVED.test(text);
}

/** Hand-offs that only the last message of the receiver's model call shows. They belong to the model call before it. */
function receivedHandoffs({ steps }: Trace): Handoff[] {
  const calls = steps.filter(({ kind }) => kind === 'llm');
  return calls.flatMap(({ inputMessages }, at): Handoff[] => {
    const to = RECEIVED.exec(inputMessages.at(-1)?.content ?? '')?.[1];
    const sender = calls[at - 1];
    if (to === undefined || sender === undefined) return [];
    return [{ step: sender.index, from: sender.agent, to, how: 'message', tool: null }];
  });
}

const NEXT_FIELD =
  /^(?:next|goto|route|next_?(?:agent|node|step|speaker|worker|actor)|(?:current|active)_?(?:agent|node|speaker))$/i;

/** State fields that name the next agent, if a node changed them. */
function statedHandoffs(trace: Trace): Handoff[] {
  const all = trace.states.flatMap((snapshot): (Handoff & { field: string })[] => {
    const from = snapshot.node ?? snapshot.agent;
    const changed = snapshot.delta ?? snapshot.state;
    if (from === null || !isJsonObject(changed) || trace.steps[snapshot.step]!.goto.length > 0) return [];
    return Object.entries(changed).flatMap(([field, value]) => {
      const to = Array.isArray(value) && value.length === 1 ? value[0] : value;
      if (!NEXT_FIELD.test(field) || typeof to !== 'string' || !isName(to) || isSameActor(to, from)) return [];
      return [{ step: snapshot.step, from, to, how: 'state', tool: null, field }];
    });
  });
  const naming = new Set(all.filter(({ to }) => isKnownActor(trace, to)).map(({ field }) => field));
  return all.filter(({ to, field }) => IDENTIFIER.test(to) || naming.has(field));
}

const IDENTIFIER = /^[\w-]{2,60}$/;
const NAME = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_ .-]{1,59}$/u;
const MAX_WORDS_OF_NAME = 3;

/** Whether a value may name an agent. Several words, or letters other than English ones, may also be a plan. */
function isName(value: string): boolean {
  return IDENTIFIER.test(value) || (NAME.test(value) && wordCount(value) <= MAX_WORDS_OF_NAME);
}

function recipientOf(trace: Trace, args: unknown): string | null {
  if (!isJsonObject(args)) return null;
  const named = RECIPIENT.map((name) => args[name]).find((value) => typeof value === 'string' && value !== '');
  if (typeof named !== 'string' || named.length > 60) return null;
  return !/[@\s#+]/.test(named) || isKnownActor(trace, named) ? named : null;
}

/** Whether two spellings name the same agent: `Billing Agent`, `billing_agent`, `billing`. */
export function isSameActor(a: string, b: string): boolean {
  return actorKey(a) === actorKey(b);
}

/** Normalised name of an agent, equal for `Billing Agent`, `billing_agent` and `billing`. */
export function actorKey(name: string): string {
  const bare = lettersAndDigits(name);
  return bare.replace(/(?:agent|assistant|node|specialist)$/, '') || bare;
}

/** Whether an agent of this name acts after the step. */
export function actsAfter(trace: Trace, name: string, step: number): boolean {
  return (lastActs(trace).get(actorKey(name)) ?? -1) > step;
}

const lastActs = memoizeByRef(({ steps }: Trace) => {
  const last = new Map<string, number>();
  for (const { index, agent, node, name } of steps)
    for (const actor of [agent, node, name]) if (actor !== null) last.set(actorKey(actor), index);
  return last;
});

/** Whether an agent of this name occurs in the run. */
export function isKnownActor(trace: Trace, name: string): boolean {
  const nodes = trace.graph?.nodes.map((node) => node.name) ?? [];
  return [...trace.agents, ...nodes].some((actor) => isSameActor(actor, name));
}
