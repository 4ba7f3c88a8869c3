import { randomBytes } from 'node:crypto';
import { rmSync, statfsSync, statSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { DATABASE_FILE, RESERVE_FILE } from '../../store/data-folder/entries.ts';

/** Functions of the data folder's file system that the storage guard needs. */
export interface DataDisk {
  /** Bytes that this user may still write; null if the file system does not report it. */
  freeBytes(): number | null;
  /** Size of the write-ahead log; 0 if the file system does not report it. */
  logBytes(): number;
  hasReserve(): boolean;
  /** Allocates the reserve file. @throws the error of the disk */
  fillReserve(): Promise<void>;
  /** Removes the reserve file, so that its space can be used. */
  releaseReserve(): void;
}

/** Room for the log of a deletion, and for a checkpoint of that log; the storage guard handles longer logs. */
export const RESERVE_BYTES = 8 * 1024 * 1024;
const PART_BYTES = 1024 * 1024;

export function createDataDisk(dataFolder: string): DataDisk {
  const file = join(dataFolder, RESERVE_FILE);
  const part = `${file}.part`;
  const log = join(dataFolder, `${DATABASE_FILE}-wal`);
  return {
    freeBytes() {
      try {
        const { bavail, bsize } = statfsSync(dataFolder);
        return bavail * bsize;
      } catch {
        return null;
      }
    },
    logBytes() {
      try {
        return statSync(log).size;
      } catch {
        return 0;
      }
    },
    hasReserve: () => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) >= RESERVE_BYTES,
    async fillReserve() {
      try {
        await writeReserve(part);
        await rename(part, file);
      } catch (error) {
        rmSync(part, { force: true });
        throw error;
      }
    },
    releaseReserve() {
      for (const path of [file, part]) rmSync(path, { force: true });
    },
  };
}

/** Random bytes, because a file system that compresses would reserve nothing for zeros. */
async function writeReserve(path: string): Promise<void> {
  const handle = await open(path, 'w', 0o600);
  try {
    for (let written = 0; written < RESERVE_BYTES; written += PART_BYTES) await handle.write(randomBytes(PART_BYTES));
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
