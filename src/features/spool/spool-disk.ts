import * as fs from 'node:fs';

/** What the spool asks of a disk; an argument, so that a test can pull the plug between any two steps. */
export interface SpoolDisk {
  /** Names in the folder, sorted; empty where it is missing. */
  list(folder: string): string[];
  /** Null where the file is gone. */
  stat(file: string): { size: number; mtimeMs: number } | null;
  /** Null where the file is gone. */
  read(file: string): Buffer | null;
  /** One write at the end of the file, which is made where missing; a write cut short is taken back and thrown. */
  append(file: string, bytes: Uint8Array): void;
  /** False where the file is gone: somebody else was faster. */
  rename(from: string, to: string): boolean;
  remove(file: string): void;
  makeFolder(folder: string): void;
}

export const nodeDisk: SpoolDisk = {
  list(folder) {
    return orIfMissing(() => fs.readdirSync(folder).sort(), []);
  },
  stat(file) {
    return fs.statSync(file, { throwIfNoEntry: false }) ?? null;
  },
  read(file) {
    return orIfMissing(() => fs.readFileSync(file), null);
  },
  append(file, bytes) {
    const descriptor = fs.openSync(file, 'a', 0o600);
    try {
      const before = fs.fstatSync(descriptor).size;
      const written = fs.writeSync(descriptor, bytes);
      if (written === bytes.byteLength) return;
      fs.ftruncateSync(descriptor, before);
      throw new Error(`only ${written} of ${bytes.byteLength} bytes fitted on the disk`);
    } finally {
      fs.closeSync(descriptor);
    }
  },
  rename(from, to) {
    return orIfMissing(() => {
      fs.renameSync(from, to);
      return true;
    }, false);
  },
  remove(file) {
    fs.rmSync(file, { force: true });
  },
  makeFolder(folder) {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  },
};

function orIfMissing<Result>(act: () => Result, otherwise: Result): Result {
  try {
    return act();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return otherwise;
    throw error;
  }
}
