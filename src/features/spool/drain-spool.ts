import { join } from 'node:path';
import { nodeDisk, type SpoolDisk } from './spool-disk.ts';
import { decodeSpool, type SpoolEntry } from './spool-entry.ts';
import { claimedName, isDrainable, onceKeyOf, REFUSED_FILE } from './spool-name.ts';

/** The entries of one file, with the key under which they are stored once. */
export interface SpoolBatch {
  onceKey: string;
  entries: SpoolEntry[];
}

/** Stores a batch, or throws and stores nothing; a batch with a known key is skipped. */
export type SpoolSink = (batch: SpoolBatch) => Promise<void>;

export interface DrainReport {
  files: number;
  entries: number;
  /** Entries cut short by a crash of their writer. */
  torn: number;
  /** Entries that were rejected because the folder was full. */
  refused: number;
  /** Files that remain for the next drain, with the reason. */
  failures: { file: string; error: unknown }[];
}

/**
 * Hands every file of the folder to the sink, oldest first, and deletes it afterwards. A file is claimed by renaming it;
 * a process that dies between the steps leaves a file that the next drain processes under the same key. For the same
 * reason two concurrent drains are safe.
 */
export async function drainSpool(
  folder: string,
  sink: SpoolSink,
  nowMs: number,
  { disk = nodeDisk, shouldStop = () => false }: { disk?: SpoolDisk; shouldStop?: () => boolean } = {},
): Promise<DrainReport> {
  const report: DrainReport = {
    files: 0,
    entries: 0,
    torn: 0,
    refused: readAndClearRefusedCount(folder, disk),
    failures: [],
  };
  for (const name of disk.list(folder)) {
    if (shouldStop()) break;
    const stat = disk.stat(join(folder, name));
    if (!stat || !isDrainable(name, nowMs - stat.mtimeMs)) continue;
    try {
      await drainFile(folder, name, sink, disk, report);
    } catch (error) {
      report.failures.push({ file: onceKeyOf(name), error });
    }
  }
  return report;
}

async function drainFile(
  folder: string,
  name: string,
  sink: SpoolSink,
  disk: SpoolDisk,
  report: DrainReport,
): Promise<void> {
  const claimed = join(folder, claimedName(name));
  if (!disk.rename(join(folder, name), claimed)) return;
  const bytes = disk.read(claimed);
  if (!bytes) return;
  const { entries, tornCount } = decodeSpool(bytes);
  await sink({ onceKey: onceKeyOf(name), entries });
  disk.remove(claimed);
  report.files += 1;
  report.entries += entries.length;
  report.torn += tornCount;
}

function readAndClearRefusedCount(folder: string, disk: SpoolDisk): number {
  const file = join(folder, REFUSED_FILE);
  const count = disk.stat(file)?.size ?? 0;
  if (count > 0) disk.remove(file);
  return count;
}
