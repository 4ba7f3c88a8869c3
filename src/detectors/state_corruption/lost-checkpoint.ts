import type { Checkpoint, Trace } from '../../core/trace.ts';
import { type CheckpointFault, checkpointEvidence, nameOf, shortId, stepOf } from './checkpoint-fault.ts';

/** Highest share of broken links in a run's checkpoints; with more, the list was filtered when it was fetched. */
const MAX_BROKEN_SHARE = 1 / 3;
/**
 * Minimum number of unbroken pairs, which show that the run saved each superstep: a run that saves only at its end skips
 * steps by design.
 */
const MIN_UNBROKEN = 2;

/** Checkpoints of one run with a missing one between them, or with step numbers that do not rise. */
export function findLostCheckpoints(trace: Trace): CheckpointFault[] {
  const byId = new Map(trace.checkpoints.map((checkpoint) => [checkpoint.id, checkpoint]));
  const own = trace.checkpoints.filter(({ isOwn }) => isOwn).slice(1);
  const judged = own.map((checkpoint) => {
    const parent = checkpoint.parentId === null ? undefined : byId.get(checkpoint.parentId);
    return { checkpoint, parent, what: breakOf(checkpoint, parent) };
  });
  const broken = judged.filter(({ what }) => what !== null);
  const unbroken = judged.filter(({ what, parent }) => what === null && parent !== undefined);
  if (broken.length === 0 || unbroken.length < MIN_UNBROKEN) return [];
  if (broken.length > own.length * MAX_BROKEN_SHARE) return [];
  const [{ checkpoint, what }] = broken as [(typeof broken)[number]];
  return [lostFault(checkpoint, what!, trace)];
}

function breakOf(checkpoint: Checkpoint, parent: Checkpoint | undefined): string | null {
  if (parent === undefined)
    return checkpoint.parentId === null
      ? 'names no previous checkpoint'
      : `follows ${shortId(checkpoint.parentId)}, which the thread no longer has`;
  if (checkpoint.superstep === null || parent.superstep === null) return null;
  const rise = checkpoint.superstep - parent.superstep;
  if (rise > 1) return `has step ${checkpoint.superstep}, and the previous one has step ${parent.superstep}`;
  return rise < 1
    ? `has step ${checkpoint.superstep}, although the previous one already had step ${parent.superstep}`
    : null;
}

function lostFault(checkpoint: Checkpoint, what: string, trace: Trace): CheckpointFault {
  const step = stepOf(checkpoint, trace);
  const name = nameOf(step, trace);
  return {
    subtype: 'checkpoint_lost',
    score: 0.7,
    steps: [step],
    explanation: `The checkpoint that ${name} left (step ${step}) ${what}: a state between them was not saved or is gone, so the run cannot be resumed or replayed from there.`,
    suggestedAction: `Check that nothing but the graph of ${name} writes or prunes this thread, and that each write of the checkpointer is waited for.`,
    evidence: [checkpointEvidence(trace, step, checkpoint)],
    fix: {
      title: `Save every superstep before ${name} continues`,
      target: `checkpointer of ${name}`,
      description: `Run the graph of ${name} with durable writes, and prune whole threads only.`,
      after: 'graph.invoke(input, config, durability="sync")',
      why: 'Writes that nobody waits for are lost when the process ends between two steps.',
    },
    key: `lost checkpoint ${name}`,
  };
}
