import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '../../core/app-error.ts';

const MAX_BYTES = 1024 * 1024;
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a file, byte for byte. @throws AppError `invalid_body` for what is no text file of at most 1 MiB */
export async function readTextFile(path: string): Promise<string> {
  return withFile(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK, async (file) => {
    const stat = await file.stat();
    if (!stat.isFile()) refuseFile('is no regular file');
    // Another name of the file may be outside of the folder that is open for changes.
    if (stat.nlink > 1) refuseFile('has several names (hard links)');
    await refuseMoved(path, stat);
    if (stat.size > MAX_BYTES) refuseFile('is longer than 1 MiB');
    try {
      return DECODER.decode(await file.readFile());
    } catch {
      return refuseFile('is no UTF-8 text');
    }
  });
}

/**
 * Puts a text in a file's place: written beside it, flushed, then renamed, so that a reader, and a crash, finds the old one
 * or the new one. Mode and, where this process may, owner stay.
 * @throws AppError `conflict` where the file is not `expected` any more
 */
export async function replaceTextFile(path: string, text: string, expected: string): Promise<void> {
  const folder = dirname(path);
  const beside = join(folder, `.${basename(path).slice(0, 100)}.misstep-${randomBytes(6).toString('hex')}`);
  try {
    await writeBeside(path, beside, text);
    if ((await readTextFile(path)) !== expected)
      throw new AppError('conflict', 'The file was changed meanwhile; nothing was written.');
    await rename(beside, path);
  } catch (error) {
    await unlink(beside).catch(() => {});
    throw error;
  }
  await withFile(folder, constants.O_RDONLY | constants.O_DIRECTORY, (opened) => opened.sync());
}

async function writeBeside(path: string, beside: string, text: string): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const reading = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const { mode, uid, gid } = await withFile(path, reading, (file) => file.stat());
  await withFile(beside, flags, async (file) => {
    // Nobody but the owner reads it before it has the mode of the one it replaces.
    await file.chmod(0o600);
    await file.writeFile(text, 'utf8');
    await file.chown(uid, gid).catch(() => {});
    await file.chmod(mode & 0o7777);
    await file.sync();
  });
}

async function withFile<Result>(
  path: string,
  flags: number,
  use: (file: FileHandle) => Promise<Result>,
): Promise<Result> {
  const file = await open(path, flags, 0o600);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

/** A folder on the way may have become a symbolic link between the check of the path and the opening of the file. */
async function refuseMoved(path: string, opened: { dev: number; ino: number }): Promise<void> {
  const [real, now] = await Promise.all([realpath(path), lstat(path)]);
  if (real !== path || now.dev !== opened.dev || now.ino !== opened.ino) refuseFile('was moved meanwhile');
}

function refuseFile(message: string): never {
  throw new AppError('invalid_body', 'The file cannot be changed.', {
    errors: [{ pointer: '/target/path', message }],
  });
}
