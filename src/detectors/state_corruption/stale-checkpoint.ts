import type { Checkpoint, StateSnapshot, Step, Trace } from '../../core/trace.ts';
import { counted } from '../_kit/text.ts';
import { type CheckpointFault, checkpointEvidence, nameOf, shortId, stepOf } from './checkpoint-fault.ts';
import { effectUses } from './effect-repeated.ts';

/** Checkpoint sources of intended branches: time travel and state edits. */
const INTENDED = new Set(['fork', 'update']);
const MAX_REPORTED = 3;
/** Number of earlier states that each state is compared with. */
const MAX_STATES = 1000;

/** Runs that continued from a checkpoint that was not the newest of its thread: the work after it is not in their state. */
export function findStaleCheckpoints(trace: Trace): CheckpointFault[] {
  if (trace.checkpoints.length === 0) return returnToOlder(trace);
  const byId = new Map(trace.checkpoints.map((checkpoint) => [checkpoint.id, checkpoint]));
  const children = Map.groupBy(trace.checkpoints, ({ parentId }) => parentId);
  const reported = new Set<string>();
  return trace.checkpoints.flatMap((own) => {
    const parent = own.parentId === null ? undefined : byId.get(own.parentId);
    if (!own.isOwn || parent === undefined || reported.has(parent.id) || INTENDED.has(own.source ?? '')) return [];
    const earlierSibling = children.get(parent.id)!.find((other) => other.id !== own.id && other.atMs < own.atMs);
    if (earlierSibling === undefined || reported.size >= MAX_REPORTED) return [];
    reported.add(parent.id);
    return [staleFault({ own, parent, earlierSibling, passed: branchOf(earlierSibling, children) }, trace)];
  });
}

interface Fork {
  own: Checkpoint;
  parent: Checkpoint;
  /** The earlier child of the same parent checkpoint. */
  earlierSibling: Checkpoint;
  /** The earlier child and its successors. */
  passed: Checkpoint[];
}

function branchOf(from: Checkpoint, children: ReadonlyMap<string | null, Checkpoint[]>): Checkpoint[] {
  const found = new Map([[from.id, from]]);
  for (const checkpoint of found.values())
    for (const child of children.get(checkpoint.id) ?? []) if (!found.has(child.id)) found.set(child.id, child);
  return [...found.values()];
}

function staleFault(fork: Fork, trace: Trace): CheckpointFault {
  const { own, parent, passed } = fork;
  const step = stepOf(own, trace);
  const name = nameOf(step, trace);
  const repeated = effectUses(trace).filter(({ node }) => node !== null && parent.done.includes(node));
  const isConcurrent = passed.some(({ atMs }) => atMs > own.atMs);
  const again = [...new Set(repeated.map(({ use }) => use.name))];
  return {
    subtype: 'stale_checkpoint',
    score: scoreOf(fork, isConcurrent, again.length > 0),
    steps: [step],
    explanation:
      `${name} (step ${step}) continued from checkpoint ${shortId(parent.id)}, although ${counted(passed.length, 'later checkpoint')} of the thread had followed it: their content is not in the state of this run.` +
      (isConcurrent ? ' The other run was still writing, so the two overwrite each other.' : '') +
      (again.length > 0 ? ` ${again.join(', ')} had run from there before and ran again.` : ''),
    suggestedAction: `Start ${name} from the newest checkpoint of the thread: pass the thread's id without a checkpoint id, and one run at a time.`,
    evidence: [own, fork.earlierSibling].map((checkpoint) => checkpointEvidence(trace, step, checkpoint)),
    fix: resumeFix(name),
    key: `stale ${name}`,
  };
}

function scoreOf({ own, parent, earlierSibling }: Fork, isConcurrent: boolean, isEffectRepeated: boolean): number {
  if (isConcurrent) return 0.8;
  if (isEffectRepeated) return 0.75;
  // A chat user interface with editable messages branches the thread at the edited message or directly after it.
  if (own.source === 'input' && (earlierSibling.source === 'input' || parent.source === 'input')) return 0.14;
  return own.source === 'loop' && parent.done.length > 0 && earlierSibling.source === 'loop' ? 0.5 : 0.62;
}

function resumeFix(name: string): CheckpointFault['fix'] {
  return {
    title: `Resume ${name} from the newest checkpoint`,
    target: `config of the run of ${name}`,
    description: `Call the graph of ${name} with the thread's id alone; a checkpoint id kept from an earlier answer goes back to that state. Let a second run of the thread wait for the first.`,
    after: 'config = {"configurable": {"thread_id": thread_id}}  # no checkpoint_id; multitask_strategy="enqueue"',
    why: 'A run that names an older checkpoint starts from its state, and later changes are missing.',
  };
}

/** Without the thread's checkpoints, only the ids on the steps show it: an older id recurs. */
function returnToOlder(trace: Trace): CheckpointFault[] {
  const left = trace.states.filter((snapshot) => snapshot.checkpointId !== null).slice(-MAX_STATES);
  for (const series of Map.groupBy(left, ({ threadId }) => threadId).values()) {
    const ordered = series
      .map((snapshot) => ({ snapshot, id: snapshot.checkpointId!, step: trace.steps[snapshot.step]! }))
      .filter(({ step }) => step.startMs !== null && step.endMs !== null)
      .sort((a, b) => a.step.startMs! - b.step.startMs! || a.step.index - b.step.index);
    for (const [at, late] of ordered.entries()) {
      const earlier = ordered.slice(0, at);
      const newer = earlier.findLast((other) => other.id !== late.id && isAfter(late.step, other.step));
      if (newer === undefined || !isOlder(late.id, newer, earlier)) continue;
      return [returnFault(late, newer, trace)];
    }
  }
  return [];
}

interface Left {
  snapshot: StateSnapshot;
  id: string;
  step: Step;
}

function isAfter(late: Step, early: Step): boolean {
  return late.startMs! >= early.endMs! && late.parent === early.parent;
}

/** Whether it existed before the newer one, or its id, which starts with its creation time (RFC 9562, version 6), is older. */
function isOlder(id: string, newer: Left, earlier: readonly Left[]): boolean {
  const first = earlier.findIndex((other) => other.id === id);
  if (first !== -1) return earlier[first]!.step.endMs! <= newer.step.startMs!;
  return VERSION_6.test(id) && VERSION_6.test(newer.id) && id.toLowerCase() < newer.id.toLowerCase();
}

const VERSION_6 = /^[0-9a-f]{8}-[0-9a-f]{4}-6[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function returnFault(late: Left, newer: Left, trace: Trace): CheckpointFault {
  const [name, before] = [nameOf(late.step.index, trace), nameOf(newer.step.index, trace)];
  return {
    subtype: 'stale_checkpoint',
    score: 0.6,
    steps: [late.step.index, newer.step.index],
    explanation: `${name} (step ${late.step.index}) worked on checkpoint ${shortId(late.id)}, which is older than the ${shortId(newer.id)} that ${before} (step ${newer.step.index}) had left: what came between is not in its state.`,
    suggestedAction: `Start ${name} from the newest checkpoint of the thread: pass the thread's id without a checkpoint id.`,
    evidence: [late, newer].map(({ step, id }) => ({
      kind: 'checkpoint',
      spanId: step.spanId,
      path: 'checkpoint',
      quote: null,
      value: { id },
    })),
    fix: resumeFix(name),
    key: `stale ${name}`,
  };
}
