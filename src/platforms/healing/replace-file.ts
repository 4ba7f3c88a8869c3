import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '../../core/app-error.ts';

const MAX_BYTES = 1024 * 1024;
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The exact text of a file. @throws AppError `invalid_body` for anything but a text file of at most 1 MiB */
export async function readTextFile(path: string): Promise<string> {
  return withFile(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK, async (file) => {
    const stat = await file.stat();
    if (!stat.isFile()) rejectFile('is not a regular file');
    // Another hard link to the file may be outside the folder that is enabled for changes.
    if (stat.nlink > 1) rejectFile('has several names (hard links)');
    await assertNotMoved(path, stat);
    if (stat.size > MAX_BYTES) rejectFile('is longer than 1 MiB');
    try {
      return DECODER.decode(await file.readFile());
    } catch {
      return rejectFile('is not UTF-8 text');
    }
  });
}

/**
 * Replaces a file's content: written next to it, flushed, then renamed, so that readers, and a restart after a crash, see the
 * old or the new content. Mode and, if this process may set it, owner are kept.
 * @throws AppError `conflict` if the file differs from `expected`
 */
export async function replaceTextFile(path: string, text: string, expected: string): Promise<void> {
  const folder = dirname(path);
  const beside = join(folder, `.${basename(path).slice(0, 100)}.misstep-${randomBytes(6).toString('hex')}`);
  try {
    await writeBeside(path, beside, text);
    if ((await readTextFile(path)) !== expected)
      throw new AppError('conflict', 'The file was changed in the meantime; nothing was written.');
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
    // Only the owner can read it until it gets the mode of the replaced file.
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

/** A parent folder may have become a symbolic link between the check of the path and the opening of the file. */
async function assertNotMoved(path: string, opened: { dev: number; ino: number }): Promise<void> {
  const [real, now] = await Promise.all([realpath(path), lstat(path)]);
  if (real !== path || now.dev !== opened.dev || now.ino !== opened.ino) rejectFile('was moved meanwhile');
}

function rejectFile(message: string): never {
  throw new AppError('invalid_body', 'The file cannot be changed.', {
    errors: [{ pointer: '/target/path', message }],
  });
}
