import type { ModelCatalog } from '../../core/model-catalog.ts';
import type { Step, Trace } from '../../core/trace.ts';
import { isWhole } from '../_kit/completeness.ts';
import { type DetectionDraft, defineDetector } from '../_kit/define.ts';
import { lazy } from '../_kit/memoize.ts';
import { withoutVolatile } from '../_kit/normalise.ts';
import { outputPunctuation } from '../_kit/punctuation-hash.ts';
import { counted, cut } from '../_kit/text.ts';
import { hasKnownEffect, type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { wasteOf } from '../_readings/calls/waste.ts';
import { type RepeatedSubagentWork, repeatedSubagentWork } from '../_readings/coding/subagents.ts';
import { agentTurns, conversation } from '../_readings/conduct/conversation.ts';
import {
  actsAfter,
  type Handoff,
  handoffs,
  isHandoffMessage,
  isKnownActor,
  isSameActor,
  isTransferTool,
} from '../_readings/conduct/handoffs.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { stateChanges } from '../_readings/conduct/state-change.ts';
import { coordinationManifest } from './manifest.ts';

type Subtype =
  | 'handoff_unanswered'
  | 'handoff_ping_pong'
  | 'duplicate_action'
  | 'duplicate_lookup'
  | 'subagent_work_repeated';

export const coordination = defineDetector({
  ...coordinationManifest,
  detect(trace, { models }, report) {
    if (new Set(trace.steps.flatMap(({ agent, node }) => agent ?? node ?? [])).size === 0) return;
    const all = handoffs(trace);
    for (const handoff of unansweredHandoffs(trace, all)) report(unansweredDetection(trace, handoff));
    const pingPong = backAndForth(trace, all);
    if (pingPong !== null)
      report({
        ...pingPongDetection(trace, pingPong),
        ...wasteOf(
          trace,
          pingPong.map(({ step }) => step),
          models,
        ),
      });
    for (const repeated of repeatedSubagentWork(trace)) report(subagentDetection(trace, repeated, models));
    for (const [first, second] of duplicates(trace)) report(duplicateDetection(trace, first, second));
  },
});

function subagentDetection(
  trace: Trace,
  { step, answer, repeated }: RepeatedSubagentWork,
  models: ModelCatalog,
): DetectionDraft<Subtype> {
  const { agent, name, spanId } = trace.steps[step]!;
  const shortAnswer = cut(answer.replace(/\s+/g, ' ').trim(), 140);
  return {
    subtype: 'subagent_work_repeated',
    score: 0.5,
    step,
    steps: [step, ...repeated],
    agent,
    explanation: `The subagent that was started with ${name} at step ${step} could not do its work ("${shortAnswer}"), and ${agent ?? 'the main agent'} did it again in ${counted(repeated.length, 'call')}, first at step ${repeated[0]}.`,
    suggestedAction: `Give subagents started with ${name} the tools and permissions that their task needs.`,
    evidence: [{ kind: 'call', spanId, path: 'tool.result', quote: null, value: shortAnswer }],
    ...wasteOf(trace, [step], models),
    fixes: [
      checkFix('config_change', {
        title: 'Give the subagent what its task needs',
        target: `tools and permissions of subagents of ${name}`,
        description:
          'Compare what the task asks for with the tools and permissions the subagent has, and add what is missing.',
        after: 'tools of the subagent: those that the task names (for example Edit, Write, Bash)',
        why: 'A subagent that cannot do its task is paid for twice.',
      }),
    ],
    key: `subagent ${name}`,
  };
}

/** The last handoff to a known agent that does not act afterwards, in a run that ended well. */
function unansweredHandoffs(trace: Trace, all: readonly Handoff[]): Handoff[] {
  if (!isWhole(trace) || trace.status === 'error') return [];
  const last = new Map(all.map((handoff) => [handoff.to, handoff]));
  return [...last.values()].filter(({ to, step }) => isKnownActor(trace, to) && !actsAfter(trace, to, step - 1));
}

const MIN_HANDOFFS = 4;

/**
 * At least four consecutive handoffs between the same two agents, with no tool call except the handoffs, no new text, no new
 * state and no new message of the user.
 */
function backAndForth(trace: Trace, all: readonly Handoff[]): Handoff[] | null {
  if (all.length < MIN_HANDOFFS) return null;
  const works = lazy(() => workSteps(trace, all));
  let chain: Handoff[] = [];
  for (const handoff of all) {
    const before = chain.at(-1);
    const isReturn =
      before?.from != null &&
      handoff.from !== null &&
      isSameActor(before.from, handoff.to) &&
      isSameActor(before.to, handoff.from);
    const hasWorked = () => before !== undefined && works().some((step) => step > before.step && step <= handoff.step);
    if (isReturn && !hasWorked()) chain.push(handoff);
    else if (chain.length >= MIN_HANDOFFS) return chain;
    else chain = [handoff];
  }
  return chain.length >= MIN_HANDOFFS ? chain : null;
}

/** A shorter text only accompanies the handoff. */
const WORK_CHARACTERS = 80;

/** Steps with progress: calls of other tools, a longer new text, a changed state, or a new message of the user. */
function workSteps(trace: Trace, all: readonly Handoff[]): number[] {
  const handoffSteps = new Set(all.map(({ step }) => step));
  const texts = trace.steps.filter(({ kind, node, output, outputMessages }) => {
    const isText = kind === 'llm' || kind === 'message' || node !== null;
    return (
      isText && output.length >= WORK_CHARACTERS && outputMessages.every(({ toolCalls }) => toolCalls.length === 0)
    );
  });
  const states = [...stateChanges(trace)]
    .filter(([, change]) => change !== null && hasWork(change))
    .map(([step]) => step);
  const calls = toolUses(trace).filter(({ step }) => !handoffSteps.has(step));
  return [...firstOfEqualTexts(texts), ...calls.map(({ step }) => trace.steps[step]!)]
    .map(({ index }) => index)
    .concat(states, userSteps(trace));
}

/** Steps with a new message of the user. A framework can pass a handoff on, or an agent's text, as a message of the user. */
function userSteps(trace: Trace): number[] {
  const texts = new Set(agentTurns(trace).map(({ text }) => text));
  const isOwn = ({ text }: { text: string }) => !texts.has(text) && !isHandoffMessage(text);
  return conversation(trace)
    .filter(({ by }) => by === 'user')
    .filter(isOwn)
    .map(({ step }) => step);
}

/** The first step of each text. */
function firstOfEqualTexts(steps: readonly Step[]): Step[] {
  // Most texts of a run occur once. A hash of their punctuation shows this at low cost.
  const similar = [...Map.groupBy(steps, outputPunctuation).values()];
  return similar.flatMap((group) =>
    group.length === 1
      ? group
      : [...Map.groupBy(group, ({ output }) => withoutVolatile(output)).values()].map(([first]) => first!),
  );
}

/** Whether a state change contains more than the name of the next agent. */
function hasWork(change: string): boolean {
  return change.split('\n').some((line) => line.length >= WORK_CHARACTERS);
}

const MAX_DUPLICATES = 10;

/** The same successful call by two agents with the same result. The same call by three or more agents is a vote or a check. */
function duplicates(trace: Trace): [ToolUse, ToolUse][] {
  const first = new Map<string, ToolUse>();
  const pairs = new Map<string, [ToolUse, ToolUse]>();
  const callers = new Map<string, Set<string>>();
  for (const use of toolUses(trace)) {
    if (use.agent === null || use.isError || !use.hasResult || use.argumentsText.length < 8 || use.command !== null)
      continue;
    if (isTransferTool(trace, use.name)) continue;
    const key = `${use.name} ${use.argumentsText}`;
    callers.set(key, (callers.get(key) ?? new Set()).add(use.agent));
    const other = first.get(key);
    if (other === undefined) first.set(key, use);
    else if (other.agent !== use.agent && other.resultHash === use.resultHash && !pairs.has(key))
      pairs.set(key, [other, use]);
  }
  return [...pairs]
    .filter(([key]) => callers.get(key)!.size === 2)
    .map(([, pair]) => pair)
    .slice(0, MAX_DUPLICATES);
}

function unansweredDetection(trace: Trace, { step, from, to }: Handoff): DetectionDraft<Subtype> {
  const sender = from ?? trace.steps[step]!.name;
  return {
    subtype: 'handoff_unanswered',
    score: 0.66,
    step,
    steps: [step],
    agent: from,
    explanation: `At step ${step} ${sender} handed the work over to ${to}, but ${to} did nothing after it, and the run ended.`,
    suggestedAction: `Check why ${to} is not started after the handoff of ${sender}.`,
    evidence: [
      { kind: 'handoff', spanId: trace.steps[step]!.spanId, path: null, quote: `${sender} -> ${to}`, value: to },
    ],
    fixes: [
      checkFix('workflow_change', {
        title: `Make sure that ${to} takes over`,
        target: `edge ${sender} -> ${to}`,
        description: `Wait for an answer of ${to} before the run may end, and send the work back to ${sender} when none comes.`,
        after: `after a handoff to ${to}: end only when ${to} has answered`,
        why: 'A handoff without an acknowledgement is lost without an error.',
      }),
    ],
    key: `${sender} ${to}`,
  };
}

function pingPongDetection(trace: Trace, chain: readonly Handoff[]): DetectionDraft<Subtype> {
  const [first] = chain as [Handoff];
  const [a, b] = [first.from!, first.to];
  return {
    subtype: 'handoff_ping_pong',
    score: 0.7,
    step: first.step,
    steps: chain.map(({ step }) => step),
    agent: first.from,
    explanation: `${a} and ${b} handed the work to each other ${counted(chain.length, 'time')} from step ${first.step} on. In between, no other tool was called, and neither wrote a longer new text.`,
    suggestedAction: `Decide which of ${a} and ${b} owns this kind of task.`,
    evidence: chain.slice(0, 4).map(({ step, from, to }) => ({
      kind: 'handoff',
      spanId: trace.steps[step]!.spanId,
      path: null,
      quote: `${from} -> ${to}`,
      value: to,
    })),
    fixes: [
      checkFix('workflow_change', {
        title: `Forbid an immediate return to ${a}`,
        target: `handoff ${b} -> ${a}`,
        description: `Let ${b} return the work to ${a} only with a result or a stated obstacle, and at most once per task.`,
        after: `reject a handoff to the agent it came from unless it contains a result; then ask a person`,
        why: 'Each of the two descriptions refers to the other agent.',
      }),
    ],
    key: [a, b].sort().join(' '),
  };
}

function duplicateDetection(trace: Trace, first: ToolUse, second: ToolUse): DetectionDraft<Subtype> {
  const changes = hasKnownEffect(first.name);
  return {
    subtype: changes ? 'duplicate_action' : 'duplicate_lookup',
    score: changes ? 0.66 : 0.5,
    step: second.step,
    steps: [second.step, first.step],
    agent: second.agent,
    explanation: `${second.agent} called ${second.name} at step ${second.step} with the arguments that ${first.agent} had used at step ${first.step}, and got the same result.`,
    suggestedAction: `Pass the result of ${first.agent} on to ${second.agent}.`,
    evidence: [first, second].map((use) => ({
      kind: 'repeated_call',
      spanId: trace.steps[use.step]!.spanId,
      path: 'tool.arguments',
      quote: cut(`${use.name} ${use.argumentsText}`, 250),
      value: use.agent,
    })),
    fixes: [
      checkFix('workflow_change', {
        title: `Share results of ${first.name}`,
        target: `state shared by ${first.agent} and ${second.agent}`,
        description: `Keep results of ${first.name} in the shared state under its arguments, and have ${second.agent} look there first.`,
        after: `before ${first.name}: if the shared state contains a result for these arguments, use it`,
        why: changes ? 'An action with effects was carried out by two agents.' : 'The same call was paid for twice.',
      }),
    ],
    key: first.name,
  };
}
