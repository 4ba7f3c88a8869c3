import * as fs from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';

export interface SettingsFile {
  /** Path as shown to the user. */
  path: string;
  /** Target of a symbolic link; otherwise the same. */
  target: string;
  /** Null if absent. */
  bytes: Buffer | null;
  mode: number;
}

const PRIVATE_FILE = 0o600;
const MAX_LINKS = 40;

/** @throws AppError `usage` if it is not a file, or cannot be read */
export function readSettingsFile(path: string): SettingsFile {
  const target = targetOf(path);
  const stat = fs.statSync(target, { throwIfNoEntry: false });
  if (stat === undefined) return { path, target, bytes: null, mode: PRIVATE_FILE };
  if (!stat.isFile()) throw new AppError('usage', `${path} is not a file.`);
  return { path, target, bytes: reading(path, () => fs.readFileSync(target)), mode: stat.mode & 0o7777 };
}

/** A link may point to a missing file, so it is resolved manually. */
function targetOf(path: string): string {
  let target = path;
  for (let links = 0; links < MAX_LINKS; links += 1) {
    const stat = fs.lstatSync(target, { throwIfNoEntry: false });
    if (!stat?.isSymbolicLink()) return target;
    target = resolve(dirname(target), fs.readlinkSync(target));
  }
  throw new AppError('usage', `${path} is a broken symbolic link.`);
}

/**
 * Atomically replaces the file's content, keeping its permissions; null deletes the file.
 * @throws AppError `conflict` if it has changed since it was read
 */
export function replaceSettingsFile(file: SettingsFile, bytes: Buffer | null): void {
  reading(file.path, () => {
    if (bytes === null) {
      assertUnchanged(file);
      fs.rmSync(file.target);
      return;
    }
    fs.mkdirSync(dirname(file.target), { recursive: true });
    const draft = join(dirname(file.target), `.${basename(file.target)}.${process.pid}.misstep`);
    try {
      writeThrough(draft, bytes, file.mode);
      assertUnchanged(file);
      fs.renameSync(draft, file.target);
    } finally {
      fs.rmSync(draft, { force: true });
    }
  });
}

function writeThrough(path: string, bytes: Buffer, mode: number): void {
  const descriptor = fs.openSync(path, 'wx', mode);
  try {
    fs.writeFileSync(descriptor, bytes);
    // The umask may have removed permissions that the file had.
    fs.fchmodSync(descriptor, mode);
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

function assertUnchanged({ path, target, bytes }: SettingsFile): void {
  const now = fs.existsSync(target) ? fs.readFileSync(target) : null;
  const isSame = bytes === null || now === null ? bytes === now : bytes.equals(now);
  if (!isSame) throw new AppError('conflict', `${path} was changed in the meantime; try again.`);
}

function reading<Result>(path: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof AppError || code === undefined) throw error;
    throw new AppError('usage', `${path} cannot be changed: ${(error as Error).message}`);
  }
}
