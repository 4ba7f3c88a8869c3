import { isJsonObject } from '../../core/json.ts';
import type { Step, Trace } from '../../core/trace.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { enclosingSteps, withEnclosing } from '../_kit/enclosing-steps.ts';
import { memoizeByRef } from '../_kit/memoize.ts';
import { quotedError } from '../_kit/quoted-error.ts';
import { counted, cut, words } from '../_kit/text.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { plainName } from '../_readings/calls/tool-names.ts';
import { isRefusal } from '../_readings/conduct/call-outcome.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { isRequested } from '../_readings/conduct/user-request.ts';

type Subtype = 'spawn_chain' | 'spawn_fan_out';

/** Allowed levels of agents below the first: OpenClaw rejects more by default, Claude Code allows one. */
const MAX_DEPTH = 5;
/** Allowed number of agents that one agent starts: more than twice what runtimes run in parallel. */
const MIN_STARTED = 20;
/** Allowed number of agents for the same task; more are a loop through agents. */
const MIN_CALLS_OF_SAME_TASK = 3;
/** Allowed number of rejected starts. */
const MIN_REFUSED = 3;
/** A shorter task cannot be distinguished from another. */
const MIN_WORDS = 4;

const SPAWNING =
  /^(?:task|agent|sessions_spawn|spawn|(?:spawn|launch|start|create|run|dispatch|new)_?(?:sub)?_?(?:agent|task)s?|subagents?|sub_agent|collab_spawn_agent)$/i;
const TASK_ARGUMENTS = ['prompt', 'task', 'message', 'instructions', 'description', 'objective', 'goal'];

interface Spawn {
  use: ToolUse;
  /** Words of the task, in order; empty if unknown. */
  task: string;
  text: string;
  isRefused: boolean;
}

/** Agents that start agents: too deep, too many, or repeatedly for the same task. */
export function findSpawning(trace: Trace): DetectionDraft<Subtype>[] {
  const all = toolUses(trace).flatMap((use) => spawnOf(trace, use) ?? []);
  const refused = all.filter(({ isRefused }) => isRefused);
  const started = all.filter(({ isRefused }) => !isRefused);
  return [
    passedOnTask(trace, started) ?? deepChain(trace),
    refused.length >= MIN_REFUSED ? repeatedRefusals(trace, refused) : null,
    repeatedTask(trace, started) ?? tooMany(trace, started),
  ].filter((draft) => draft !== null);
}

function spawnOf(trace: Trace, use: ToolUse): Spawn | null {
  if (!isJsonObject(use.arguments) || !startsAgent(trace, use)) return null;
  const args = use.arguments;
  const text = TASK_ARGUMENTS.map((name) => args[name]).find((value) => typeof value === 'string' && value !== '');
  if (typeof text !== 'string') return null;
  const message = `${use.failure?.message ?? ''}\n${use.resultText}`.trim();
  return { use, text, task: words(text.slice(0, 4000)).join(' '), isRefused: isRefusal(message) };
}

/** Id of the started agent in the result of a call: `"childSessionKey": "…"`, `agent_id: …`. */
const STARTED_ID = /(?:session|agent|thread|conversation)_?(?:key|id)["']?\s{0,3}[:=]\s{0,3}["']?[\w:-]{4}/i;
const RESULT_START = 600;

/**
 * Whether a call starts an agent: an agent span lies below it, its result contains the id of one, or its tool is known from
 * a program.
 */
function startsAgent(trace: Trace, { name, step, resultText }: ToolUse): boolean {
  if (SPAWNING.test(plainName(name)) || STARTED_ID.test(resultText.slice(0, RESULT_START))) return true;
  return trace.steps[step]!.kind === 'tool' && parentsOfAgents(trace).has(step);
}

const parentsOfAgents = memoizeByRef(
  ({ steps }: Trace) =>
    new Set(steps.flatMap(({ kind, parent }) => (kind === 'agent' && parent !== null ? [parent] : []))),
);

/** A task that an agent received and passes on unchanged to the next. */
function passedOnTask(trace: Trace, started: readonly Spawn[]): DetectionDraft<Subtype> | null {
  const given = new Map<string, Spawn>();
  for (const spawn of started) {
    const before = given.get(spawn.task);
    const isLong = spawn.task.split(' ').length >= MIN_WORDS;
    if (before !== undefined && isLong && isBelow(trace, spawn.use.step, before))
      return passedOnDetection(trace, spawn, before);
    if (before === undefined) given.set(spawn.task, spawn);
  }
  return null;
}

/** Whether a step belongs to an agent below the one that made the other call. */
function isBelow(trace: Trace, step: number, { use }: Spawn): boolean {
  const above = agentStep(trace, use.step);
  for (let at = agentStep(trace, step); at !== null && at !== above; at = agentStep(trace, at))
    if (agentStep(trace, at) === above) return true;
  return false;
}

/** The enclosing agent of a step; null if unknown. Nested spans of one agent are one. */
function agentStep(trace: Trace, step: number): number | null {
  const around = [...enclosingSteps(trace, step)];
  const nearest = around.findIndex(({ kind }) => kind === 'agent');
  return nearest === -1 ? null : around.slice(nearest).find((each) => !isWrapped(trace, each))!.index;
}

function isWrapped(trace: Trace, { agent, parent }: Step): boolean {
  const around = parent === null ? null : trace.steps[parent]!;
  return around !== null && around.kind === 'agent' && around.agent === agent;
}

function passedOnDetection(trace: Trace, { use, text }: Spawn, before: Spawn): DetectionDraft<Subtype> {
  const agent = use.agent ?? 'An agent';
  return draft(trace, 'spawn_chain', use, {
    score: 0.8,
    steps: [use.step, before.use.step],
    explanation: `At step ${use.step} ${agent} started another agent with ${use.name} for the same task that was delegated at step ${before.use.step}: "${cut(text, 120)}". It delegated the whole task and did no part of it.`,
    action: `Let an agent that was started by ${use.name} start none for its own task.`,
    limit: `${use.name} in an agent that was started itself: off`,
    key: `${use.name} hands on`,
  });
}

/** Nested agents in the tree of steps; nested spans of one agent are one level. */
function deepChain(trace: Trace): DetectionDraft<Subtype> | null {
  const levels: number[] = [];
  for (const step of trace.steps) levels.push(levelOf(trace, step, levels));
  const deepest = levels.reduce((most, level, at) => (level > levels[most]! ? at : most), 0);
  const depth = levels[deepest] ?? 0;
  if (depth - 1 < MAX_DEPTH) return null;
  const chain = agentsAbove(trace, trace.steps[deepest]!);
  const step = trace.steps[deepest]!;
  return draft(
    trace,
    'spawn_chain',
    { step: step.index, agent: step.agent, name: step.name },
    {
      score: 0.75,
      steps: [step.index, ...chain.map(({ index }) => index).filter((index) => index !== step.index)],
      explanation: `${step.agent ?? step.name} at step ${step.index} is ${depth - 1} levels of agents below the first one: ${[...new Set(chain.map((each) => each.agent ?? each.name))].reverse().join(' → ')}.`,
      action: 'Limit how deep agents may start agents.',
      limit: 'agents that start agents: at most 2 levels',
      key: 'depth',
    },
  );
}

function levelOf(trace: Trace, step: Step, levels: readonly number[]): number {
  const above = step.parent === null ? 0 : levels[step.parent]!;
  return step.kind !== 'agent' || isWrapped(trace, step) ? above : above + 1;
}

function agentsAbove(trace: Trace, step: Step): Step[] {
  return withEnclosing(trace, step.index).filter(({ kind }) => kind === 'agent');
}

function repeatedRefusals(trace: Trace, refused: readonly Spawn[]): DetectionDraft<Subtype> {
  const { use } = refused.at(-1)!;
  return draft(trace, 'spawn_fan_out', use, {
    score: 0.75,
    steps: [use.step, ...refused.map((spawn) => spawn.use.step).filter((step) => step !== use.step)],
    explanation: `${use.agent ?? 'The agent'} asked ${counted(refused.length, 'time')} to start another agent with ${use.name} though the runtime refused it, the last time at step ${use.step}: ${quotedError(use.failure?.message ?? use.resultText, 120)}.`,
    action: `Tell the agent to wait for its agents, or to do the work itself, once ${use.name} is refused.`,
    limit: `after the first refusal of ${use.name}: no further call before one of the agents has ended`,
    key: `${use.name} refused`,
  });
}

const REQUESTS_SEVERAL =
  /\b(?:ensemble|vot(?:e|es|ing)|independent|consensus|best[- ]of|compare|several times|times each|second opinion|repeat\w{0,4}|every (?:\d+ )?(?:minute|hour|day|night|morning)|retry)\b/i;

/**
 * Agents for one task, one after the other. Several agents that work on one task in parallel give independent opinions,
 * which is not a fault.
 */
function repeatedTask(trace: Trace, started: readonly Spawn[]): DetectionDraft<Subtype> | null {
  const known = started.filter(({ task }) => task.split(' ').length >= MIN_WORDS);
  for (const spawns of Map.groupBy(known, ({ use, task }) => `${use.agent} ${task}`).values()) {
    const rounds = spawns.filter(({ use }, at) => at === 0 || hasActedBetween(trace, spawns[at - 1]!.use, use));
    if (rounds.length < MIN_CALLS_OF_SAME_TASK) continue;
    const { use, text } = rounds[MIN_CALLS_OF_SAME_TASK - 1]!;
    if (isRequested(trace, use.step, { action: REQUESTS_SEVERAL, objects: [] })) continue;
    return draft(trace, 'spawn_fan_out', use, {
      score: 0.75,
      steps: [use.step, ...spawns.map((spawn) => spawn.use.step).filter((step) => step !== use.step)],
      explanation: `${use.agent ?? 'The agent'} started an agent for the same task ${counted(spawns.length, 'time')} with ${use.name}: "${cut(text, 120)}". The third was started at step ${use.step}.`,
      action: `Let ${use.name} reject a task that was already delegated, and return the earlier result.`,
      limit: `${use.name}: the same task once in a run`,
      key: `${use.name} same task`,
    });
  }
  return null;
}

/** Whether the model was called again between two calls. */
function hasActedBetween(trace: Trace, before: ToolUse, use: ToolUse): boolean {
  const between = trace.steps.slice(before.step + 1, use.step);
  return between.some(({ kind, agent }) => kind === 'llm' && agent === use.agent) || before.step === use.step;
}

const REQUESTS_MANY =
  /\b(?:each|every|all|parallel|swarm|fan[- ]?out|many|dozens?|hundreds?|\d{2,}|per)\b|alle|jede|todos|cada|chaque|每|所有|全部/i;

function tooMany(trace: Trace, started: readonly Spawn[]): DetectionDraft<Subtype> | null {
  for (const [agent, own] of Map.groupBy(started, ({ use }) => use.agent)) {
    if (own.length < MIN_STARTED) continue;
    const { use } = own[MIN_STARTED - 1]!;
    if (isRequested(trace, use.step, { action: REQUESTS_MANY, objects: [] })) continue;
    return draft(trace, 'spawn_fan_out', use, {
      // Different tasks for many agents are a map over a list, however large.
      score: 0.5,
      steps: [use.step, ...own.map((spawn) => spawn.use.step).filter((step) => step !== use.step)],
      explanation: `${agent ?? 'The agent'} started ${own.length} agents with ${use.name} in one run, the twentieth at step ${use.step}.`,
      action: `Limit how many agents ${use.name} may start in a run.`,
      limit: `${use.name}: at most 10 agents in a run`,
      key: `${use.name} number`,
    });
  }
  return null;
}

interface SpawnReport {
  score: number;
  steps: readonly number[];
  explanation: string;
  action: string;
  limit: string;
  key: string;
}

function draft(
  trace: Trace,
  subtype: Subtype,
  { step, agent, name }: Pick<ToolUse, 'step' | 'agent' | 'name'>,
  { score, steps, explanation, action, limit, key }: SpawnReport,
): DetectionDraft<Subtype> {
  const target = SETTINGS[trace.framework] ?? `settings of ${agent ?? name}`;
  return {
    subtype,
    score,
    step,
    steps,
    agent,
    explanation,
    suggestedAction: action,
    evidence: steps.slice(0, 6).map((at) => ({
      kind: 'spawn',
      spanId: trace.steps[at]!.spanId,
      path: 'tool.arguments',
      quote: null,
      value: name,
    })),
    fixes: [
      checkFix('budget_limit', {
        title: `Limit what ${name} may start`,
        target: target,
        description: `Set a limit in the ${target}, so that ${name} is refused before it costs: ${limit}.`,
        after: CHANGED_SETTINGS[trace.framework] ?? limit,
        why: 'A limit in the runtime holds regardless of the prompts.',
      }),
    ],
    key,
  };
}

const SETTINGS: Readonly<Record<string, string>> = {
  openclaw: 'agents.defaults.subagents of openclaw.json',
  'claude-code': 'tools of the agent in .claude/agents',
  codex: 'settings of agents in config.toml',
};

const CHANGED_SETTINGS: Readonly<Record<string, string>> = {
  openclaw:
    '"agents": { "defaults": { "subagents": { "maxSpawnDepth": 1, "maxChildrenPerAgent": 5, "maxConcurrent": 4 } } }',
  'claude-code': 'disallowedTools: Task, Agent',
};
