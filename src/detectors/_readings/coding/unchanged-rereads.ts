import type { Trace } from '../../../core/trace.ts';
import { type FileRead, fileReads } from './file-reads.ts';

/** The same lines of a file, read repeatedly with the same result. */
export interface UnchangedReread {
  path: string;
  range: string;
  agent: string | null;
  /** Steps of the first read and of each later read with the same result; at least two. */
  steps: number[];
}

/**
 * Reads that returned what an earlier read of the same agent had returned. A compaction restarts the count because the
 * agent no longer has the text. Reads in one message are parallel and count once. Output of a shell command that runs
 * several programs is compared as a whole.
 */
export function unchangedRereads(trace: Trace): UnchangedReread[] {
  const compactions = trace.steps.filter(({ compaction }) => compaction !== undefined).map(({ index }) => index);
  const groups = new Map<string, FileRead[]>();
  const reads = fileReads(trace).filter(({ use }) => use.hasResult);
  const requestOf = ({ use, step, path, range }: FileRead) =>
    [use.actor, compactions.filter((compaction) => compaction < step).length, path, range].join('\n');
  // Most lines are read once, and their results are not compared.
  const byRequest = Map.groupBy(reads, requestOf);
  for (const read of reads) {
    const request = requestOf(read);
    if (byRequest.get(request)!.length === 1) continue;
    const key = `${request}\n${read.use.resultHash}`;
    const known = groups.get(key) ?? [];
    const isParallel = known.some((other) => isSameMessage(other, read));
    if (!isParallel) groups.set(key, [...known, read]);
  }
  return [...groups.values()]
    .filter((reads) => reads.length > 1)
    .map((reads) => ({ ...placeOf(reads[0]!), steps: reads.map(({ step }) => step) }))
    .sort((a, b) => a.steps[1]! - b.steps[1]!);
}

function isSameMessage(one: FileRead, other: FileRead): boolean {
  return one.step === other.step || (one.use.messageId !== null && one.use.messageId === other.use.messageId);
}

function placeOf({ path, range, agent }: FileRead) {
  return { path, range, agent };
}
