import type { Compaction, Trace } from '../../../core/trace.ts';
import { fileReads } from './file-reads.ts';

/** A compaction of the conversation, with what the agent read again because of it. */
export interface CompactionReread extends Compaction {
  /** Step of the compaction. */
  step: number;
  /**
   * Files that were read before the compaction (`readAt` is the last read) and again after it. Each file occurs once;
   * ordered by `step`.
   */
  rereads: { step: number; path: string; readAt: number }[];
}

/** Compactions in order. A file that is read again counts for the compaction directly before it. */
export function compactionRereads(trace: Trace): CompactionReread[] {
  const compacted = trace.steps.filter(({ compaction }) => compaction !== undefined);
  const reads = compacted.length === 0 ? [] : fileReads(trace);
  return compacted.map(({ index, compaction }, at) => {
    const end = compacted[at + 1]?.index ?? Number.POSITIVE_INFINITY;
    const before = new Map(reads.filter(({ step }) => step < index).map(({ step, path }) => [path, step]));
    const after = reads.filter(({ step, path }) => step > index && step < end && before.has(path));
    const first = new Map(after.toReversed().map(({ step, path }) => [path, step]));
    const rereads = [...first]
      .map(([path, step]) => ({ step, path, readAt: before.get(path)! }))
      .sort((a, b) => a.step - b.step);
    return { ...compaction!, step: index, rereads };
  });
}
