import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../core/app-error.ts';
import { makeFolder } from '../../store/data-folder/make-folder.ts';
import type { StorageGuard } from '../storage/storage-guard.ts';

/** A received file that does not belong to a job yet. */
export interface ReceivedFile {
  path: string;
  bytes: number;
  /** SHA-256, hex. */
  contentHash: string;
}

/** 100 MiB. */
export const MAX_UPLOAD_BYTES = 100 * 1024 * 1024;

/** Folder of pending uploads: named by the id of their job, and `….part` before they have one. */
export interface ImportFolder {
  /** Streams an upload to disk. @throws AppError `payload_too_large`, `storage_unavailable` */
  receive(source: AsyncIterable<Uint8Array>): Promise<ReceivedFile>;
  discard(file: ReceivedFile): Promise<void>;
  /** Assigns the upload to a job. */
  keep(file: ReceivedFile, importJobId: string): Promise<void>;
  fileOf(importJobId: string): string;
  remove(importJobId: string): Promise<void>;
  /** Deletes uploads that were interrupted more than a day ago, and those of finished jobs. */
  sweep(openIds: ReadonlySet<string>, nowMs: number): Promise<void>;
}

const PART = '.part';
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

/** Whether the disk has room for more. */
export type UploadGuard = Pick<StorageGuard, 'assertWritable' | 'recordFailure'>;

export function createImportFolder(folder: string, guard: UploadGuard): ImportFolder {
  const fileOf = (importJobId: string) => join(folder, importJobId);

  return {
    async receive(source) {
      guard.assertWritable();
      const path = join(folder, `${randomBytes(12).toString('hex')}${PART}`);
      const hash = createHash('sha256');
      let bytes = 0;
      async function* counted() {
        for await (const chunk of source) {
          bytes += chunk.length;
          if (bytes > MAX_UPLOAD_BYTES) throw tooLarge();
          guard.assertWritable();
          hash.update(chunk);
          yield chunk;
        }
      }
      try {
        makeFolder(folder);
        await pipeline(counted, createWriteStream(path, { mode: 0o600, flush: true }));
      } catch (error) {
        guard.recordFailure(error);
        await rm(path, { force: true });
        throw error;
      }
      return { path, bytes, contentHash: hash.digest('hex') };
    },
    discard: (file) => rm(file.path, { force: true }),
    keep: (file, importJobId) => rename(file.path, fileOf(importJobId)),
    fileOf,
    remove: (importJobId) => rm(fileOf(importJobId), { force: true }),
    async sweep(openIds, nowMs) {
      for (const name of await readdir(folder).catch(() => [])) {
        const file = join(folder, name);
        const isOld = async () => nowMs - ((await stat(file).catch(() => null))?.mtimeMs ?? nowMs) > ABANDONED_AFTER_MS;
        if (!openIds.has(name) && (await isOld())) await rm(file, { force: true });
      }
    },
  };
}

export function tooLarge(): AppError {
  return new AppError('payload_too_large', `An import can have at most ${MAX_UPLOAD_BYTES} bytes as sent.`);
}

/** Size and SHA-256 of a file that is imported in place. */
export async function describeFile(path: string): Promise<{ bytes: number; contentHash: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    bytes += (chunk as Buffer).length;
    hash.update(chunk as Buffer);
  }
  return { bytes, contentHash: hash.digest('hex') };
}
