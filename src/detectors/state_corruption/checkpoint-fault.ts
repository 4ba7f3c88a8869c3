import type { Evidence } from '../../core/detection.ts';
import type { Checkpoint, Trace } from '../../core/trace.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';

export type CheckpointSubtype = 'stale_checkpoint' | 'checkpoint_lost' | 'writes_dropped' | 'effect_repeated';

/** The variable part of a detection about checkpoints. */
export interface CheckpointFault {
  subtype: CheckpointSubtype;
  score: number;
  /** Steps involved, the decisive one first. */
  steps: [number, ...number[]];
  explanation: string;
  suggestedAction: string;
  evidence: Evidence[];
  fix: { title: string; target: string; description: string; after: string; why: string };
  key: string;
}

export function checkpointDetection(
  { fix, steps, ...fault }: CheckpointFault,
  trace: Trace,
): DetectionDraft<CheckpointSubtype> {
  const step = trace.steps[steps[0]]!;
  return {
    ...fault,
    step: step.index,
    steps,
    agent: step.agent ?? step.node,
    fixes: [checkFix('workflow_change', fix)],
  };
}

/** The step that saved a checkpoint; else that of a node which ran from it; else the run's first node. */
export function stepOf({ id, done, failed }: Checkpoint, trace: Trace): number {
  const left = trace.states.find(({ checkpointId }) => checkpointId === id);
  if (left !== undefined) return left.step;
  const nodes = trace.steps.filter(({ node }) => node !== null && node !== '__start__');
  const ran = nodes.find(({ node }) => done.includes(node!) || failed.includes(node!)) ?? nodes[0];
  return ran?.index ?? 0;
}

/** The most informative name of a step: that of its node. */
export function nameOf(step: number, trace: Trace): string {
  const { node, name } = trace.steps[step]!;
  return node ?? name;
}

export function checkpointEvidence(trace: Trace, step: number, checkpoint: Checkpoint): Evidence {
  return {
    kind: 'checkpoint',
    spanId: trace.steps[step]!.spanId,
    path: 'checkpoint',
    quote: null,
    value: { id: checkpoint.id, parent: checkpoint.parentId, step: checkpoint.superstep },
  };
}

/** Checkpoint ids are long. The first block is enough to find one. */
export function shortId(id: string): string {
  return id.length > 18 ? `${id.slice(0, 18)}…` : id;
}
