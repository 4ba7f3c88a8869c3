import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { makeFolder } from '../../store/data-folder/make-folder.ts';

/** Disk operations of the spool; an argument, so that a test can simulate a crash between any two steps. */
export interface SpoolDisk {
  /** Names in the folder, sorted; empty if it is missing. */
  list(folder: string): string[];
  /** Null if the file is gone. */
  stat(file: string): { size: number; mtimeMs: number } | null;
  /** Null if the file is gone. */
  read(file: string): Buffer | null;
  /** One write at the end of the file, which is created if missing; a partial write is undone and thrown. */
  append(file: string, bytes: Uint8Array): void;
  /** False if the file is gone: another process was faster. */
  rename(from: string, to: string): boolean;
  remove(file: string): void;
  makeFolder(folder: string): void;
}

export const nodeDisk: SpoolDisk = {
  list(folder) {
    return orIfMissing(() => readdirSync(folder).sort(), []);
  },
  stat(file) {
    return statSync(file, { throwIfNoEntry: false }) ?? null;
  },
  read(file) {
    return orIfMissing(() => readFileSync(file), null);
  },
  append(file, bytes) {
    const descriptor = openSync(file, 'a', 0o600);
    try {
      const before = fstatSync(descriptor).size;
      const written = writeSync(descriptor, bytes);
      if (written === bytes.byteLength) return;
      ftruncateSync(descriptor, before);
      throw new Error(`only ${written} of ${bytes.byteLength} bytes fitted on the disk`);
    } finally {
      closeSync(descriptor);
    }
  },
  rename(from, to) {
    return orIfMissing(() => {
      renameSync(from, to);
      return true;
    }, false);
  },
  remove(file) {
    rmSync(file, { force: true });
  },
  makeFolder(folder) {
    makeFolder(folder);
  },
};

/** A path that is a file instead of a folder counts as an empty folder. */
const MISSING: readonly (string | undefined)[] = ['ENOENT', 'ENOTDIR'];

function orIfMissing<Result>(act: () => Result, otherwise: Result): Result {
  try {
    return act();
  } catch (error) {
    if (MISSING.includes((error as NodeJS.ErrnoException).code)) return otherwise;
    throw error;
  }
}
