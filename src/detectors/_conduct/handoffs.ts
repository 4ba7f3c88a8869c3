import { isJsonObject } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { toolUses } from '../_kit/calls.ts';
import { onceEach } from '../_kit/once.ts';
import { isCodingSession } from './coding-session.ts';

/** Control given, or a message sent, to somebody by name. */
export interface Handoff {
  step: number;
  from: string | null;
  to: string;
  how: 'goto' | 'tool';
}

const END = /^(?:__end__|end|finish|finished|done|stop|terminate|user|human|__start__|none|null|)$/i;
const TRANSFER =
  /^(?:transfer|hand_?off|delegate|route|switch|escalate)_?(?:back_|control_|work_|task_)?to_(\w{2,60})$/i;
const DELEGATING =
  /^(?:transfer|hand_?off|delegate\w{0,20}|send_message|send_to_agent|message_agent|call_agent|ask_(?:question_to_)?(?:agent|co_?worker)|route_to|assign_task|spawn_agent|task)$/i;
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
const GENERIC = /^(?:agent|human|human_agents?|humans?|user|supervisor|control|task|back|support|operator)$/i;

export function handoffs(trace: Trace): Handoff[] {
  const routed = trace.steps.flatMap((step) =>
    step.goto.map((to): Handoff => ({ step: step.index, from: step.node ?? step.agent, to, how: 'goto' })),
  );
  const called = toolUses(trace).flatMap((use): Handoff[] => {
    // A subagent of a coding agent answers its call: control comes back with the result.
    if (isCodingSession(trace) && SUBAGENT_TOOL.test(use.name)) return [];
    const to = TRANSFER.exec(use.name)?.[1] ?? (DELEGATING.test(use.name) ? recipientOf(use.arguments) : null);
    return to === null || use.isError || GENERIC.test(to) ? [] : [{ step: use.step, from: use.agent, to, how: 'tool' }];
  });
  return [...routed, ...called].filter(({ to }) => !END.test(to)).sort((a, b) => a.step - b.step);
}

function recipientOf(args: unknown): string | null {
  if (!isJsonObject(args)) return null;
  const named = RECIPIENT.map((name) => args[name]).find((value) => typeof value === 'string' && value !== '');
  return typeof named === 'string' && named.length <= 60 && !/[@\s#+]/.test(named) ? named : null;
}

/** Whether two spellings name the same agent: `Billing Agent`, `billing_agent`, `billing`. */
export function isSameActor(a: string, b: string): boolean {
  return plain(a) === plain(b);
}

function plain(name: string): string {
  const bare = name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return bare.replace(/(?:agent|assistant|node|specialist)$/, '') || bare;
}

/** Whether somebody of this name does anything after the step. */
export function actsAfter(trace: Trace, name: string, step: number): boolean {
  return (lastActs(trace).get(plain(name)) ?? -1) > step;
}

const lastActs = onceEach(({ steps }: Trace) => {
  const last = new Map<string, number>();
  for (const { index, agent, node, name } of steps)
    for (const actor of [agent, node, name]) if (actor !== null) last.set(plain(actor), index);
  return last;
});

/** Whether the run knows somebody of this name at all. */
export function isKnownActor(trace: Trace, name: string): boolean {
  const nodes = trace.graph?.nodes.map((node) => node.name) ?? [];
  return [...trace.agents, ...nodes].some((actor) => isSameActor(actor, name));
}
