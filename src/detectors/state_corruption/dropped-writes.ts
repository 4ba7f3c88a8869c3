import type { Trace } from '../../core/trace.ts';
import { counted } from '../_kit/text.ts';
import { type CheckpointFault, checkpointEvidence, nameOf, stepOf } from './checkpoint-fault.ts';

/**
 * If one branch of a superstep failed, the writes of its other branches are kept until the run is resumed. New input
 * instead of resuming drops them.
 */
export function findDroppedWrites(trace: Trace): CheckpointFault[] {
  const byId = new Map(trace.checkpoints.map((checkpoint) => [checkpoint.id, checkpoint]));
  for (const own of trace.checkpoints) {
    const parent = own.parentId === null ? undefined : byId.get(own.parentId);
    if (!own.isOwn || own.source !== 'input' || parent === undefined) continue;
    if (parent.failed.length === 0 || parent.done.length === 0) continue;
    const step = stepOf(own, trace);
    const name = nameOf(step, trace);
    const done = parent.done.join(', ');
    const failed = parent.failed.join(', ');
    return [
      {
        subtype: 'writes_dropped',
        score: 0.75,
        steps: [step],
        explanation: `Before this run, which began at ${name} (step ${step}), ${done} had answered and ${failed} had failed side by side. The run began with new input instead of resuming, so what ${counted(parent.done.length, 'finished branch', 'finished branches')} had written was dropped.`,
        suggestedAction: `Resume a thread whose last run failed before giving it new input, so that ${failed} alone runs again.`,
        evidence: [parent, own].map((checkpoint) => checkpointEvidence(trace, step, checkpoint)),
        fix: {
          title: `Resume before new input reaches ${name}`,
          target: `caller of ${name}`,
          description: `When the last run of a thread failed in ${failed}, call the graph of ${name} without input first.`,
          after:
            'if graph.get_state(config).next:\n    graph.invoke(None, config)  # finished branches are kept, the failed one runs again',
          why: 'Writes that wait for their superstep are applied when it is resumed, and discarded by new input.',
        },
        key: `dropped writes ${done}`,
      },
    ];
  }
  return [];
}
