import { join } from 'node:path';
import { nodeDisk, type SpoolDisk } from './spool-disk.ts';
import { encodeEntry, type SpoolEntry } from './spool-entry.ts';
import { freshName, heldName, isReady, REFUSED_FILE } from './spool-name.ts';

export interface SpoolLimits {
  /** Maximum bytes in the folder; above it new entries are rejected and the oldest kept. */
  maxBytes: number;
  /** Size from which a file receives no more entries. */
  sealBytes: number;
}

export const DEFAULT_SPOOL_LIMITS: SpoolLimits = { maxBytes: 256 * 1024 * 1024, sealBytes: 4 * 1024 * 1024 };

/**
 * Adds one entry to the folder; false if the folder is full. Synchronous, because a hook must be fast.
 *
 * A writer claims a file by renaming it, appends to it and releases it under a new name, so that neither another writer
 * nor the drainer holds the same file. If none is free, it creates one. @throws the error of the disk
 */
export function appendEntry(
  folder: string,
  entry: SpoolEntry,
  limits: SpoolLimits = DEFAULT_SPOOL_LIMITS,
  disk: SpoolDisk = nodeDisk,
): boolean {
  const bytes = encodeEntry(entry);
  disk.makeFolder(folder);
  const files = filesIn(folder, disk);
  const used = files.reduce((sum, file) => sum + file.size, 0);
  if (used + bytes.byteLength > limits.maxBytes) {
    disk.append(join(folder, REFUSED_FILE), Buffer.from('.'));
    return false;
  }
  const name = freshName(entry.receivedAtMs);
  const held = join(folder, heldName(name));
  claimOpenFile(folder, files, limits.sealBytes - bytes.byteLength, held, disk);
  disk.append(held, bytes);
  if (!disk.rename(held, join(folder, name))) throw new Error('the spool file was moved while it was written');
  return true;
}

function filesIn(folder: string, disk: SpoolDisk): { name: string; size: number }[] {
  return disk
    .list(folder)
    .filter((name) => name !== REFUSED_FILE)
    .map((name) => ({ name, size: disk.stat(join(folder, name))?.size ?? 0 }));
}

/** The newest file with room; an older one stays, so that it can be drained in order. */
function claimOpenFile(
  folder: string,
  files: { name: string; size: number }[],
  room: number,
  held: string,
  disk: SpoolDisk,
): void {
  const open = files.findLast((file) => isReady(file.name));
  if (open && open.size <= room) disk.rename(join(folder, open.name), held);
}
