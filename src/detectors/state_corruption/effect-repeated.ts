import type { Step, Trace } from '../../core/trace.ts';
import { withEnclosing } from '../_kit/enclosing-steps.ts';
import { cut } from '../_kit/text.ts';
import { hasRecipient } from '../_readings/calls/argument-roles.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { isPause } from '../_readings/calls/run-errors.ts';
import { isTransferTool } from '../_readings/conduct/handoffs.ts';
import { type CheckpointFault, nameOf } from './checkpoint-fault.ts';

/** Words in the names of tools with external effects. */
const EFFECT_WORDS = new Set(
  (
    'send post create pay charge refund book order buy purchase transfer withdraw delete remove insert publish email mail ' +
    'submit cancel place notify upload append deploy invite schedule reserve issue ship message'
  ).split(' '),
);

export interface EffectUse {
  use: ToolUse;
  /** The node visit of the call; null if there is none. */
  visit: Step | null;
  node: string | null;
}

/** Successful calls with an external effect, with their nodes. */
export function effectUses(trace: Trace): EffectUse[] {
  return toolUses(trace)
    .filter(
      (use) =>
        !use.isError && use.hasArguments && use.changesState && isEffect(use) && !isTransferTool(trace, use.name),
    )
    .map((use) => {
      const visit = visitOf(use.step, trace);
      return { use, visit, node: visit?.node ?? null };
    });
}

const MAX_ACKNOWLEDGEMENT_LENGTH = 200;

/** Whether a call has an external effect: its arguments name a recipient, or its name contains such a word. */
function isEffect({ name, arguments: args, resultText }: ToolUse): boolean {
  if (hasRecipient(args) && resultText.length <= MAX_ACKNOWLEDGEMENT_LENGTH) return true;
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return words.some((word) => EFFECT_WORDS.has(word));
}

function visitOf(step: number, trace: Trace): Step | null {
  return withEnclosing(trace, step).find(({ node }) => node !== null) ?? null;
}

/**
 * A node that stopped (for a person, or with an error) after a call with an external effect, and repeated the call when it
 * was resumed: a resumed node starts from its first line.
 */
export function findRepeatedEffects(trace: Trace): CheckpointFault[] {
  if (trace.framework !== 'langgraph') return [];
  const faults = new Map<string, CheckpointFault>();
  for (const calls of Map.groupBy(
    effectUses(trace),
    ({ node, use }) => `${node} ${use.name} ${use.argumentsText}`,
  ).values()) {
    const first = calls.find(({ visit }) => visit !== null && hasStopped(visit));
    if (first === undefined) continue;
    const second = calls.find(({ visit }) => visit !== null && visit.index > first.visit!.index);
    if (second !== undefined && !faults.has(first.use.name))
      faults.set(first.use.name, repeatedFault(first, second, trace));
  }
  return [...faults.values()];
}

function hasStopped({ isInterrupted, error }: Step): boolean {
  return isInterrupted === true || error !== null;
}

function repeatedFault(first: EffectUse, second: EffectUse, trace: Trace): CheckpointFault {
  const node = nameOf(second.visit!.index, trace);
  const { name, argumentsText } = second.use;
  const hasPaused = first.visit!.isInterrupted === true || (first.visit!.error !== null && isPause(first.visit!.error));
  return {
    subtype: 'effect_repeated',
    score: hasPaused ? 0.8 : 0.62,
    steps: [second.use.step, first.use.step],
    explanation: `${node} called ${name} with ${cut(argumentsText, 120)} at step ${first.use.step}, ${hasPaused ? 'stopped to wait for a person' : 'failed'}, and after the resume it restarted and made the same call again at step ${second.use.step}: its external effect happened twice.`,
    suggestedAction: `Move ${name} into a node of its own before the ${hasPaused ? 'interrupt' : 'step that fails'}, or give it an idempotency key.`,
    evidence: [first, second].map(({ use }) => ({
      kind: 'repeated_call',
      spanId: trace.steps[use.step]!.spanId,
      path: 'tool.arguments',
      quote: null,
      value: cut(use.argumentsText, 280),
    })),
    fix: {
      title: `Run ${name} in a node of its own`,
      target: `node ${node}`,
      description: `Split ${node}: ${name} in a first node, the ${hasPaused ? 'interrupt' : 'rest'} in a second one. What a finished node did is kept in the checkpoint and is not done again.`,
      after: `builder.add_node("${name}_once", ...)\nbuilder.add_edge("${name}_once", "${node}")  # nothing with an effect before interrupt() in ${node}`,
      why: 'A node that is resumed runs from its first line; only nodes that had ended are not run again.',
    },
    key: `repeated ${node} ${name}`,
  };
}
