import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, parseJson } from '../../core/json.ts';
import { makeFolder } from '../../store/data-folder/make-folder.ts';

/** The content of one settings file before hooks were added. */
export interface UndoEntry {
  file: string;
  /** Null: there was no file. */
  original: Buffer | null;
  /** Hash of the written content: the original is restored only if the file is unchanged. */
  writtenHash: string;
}

export interface UndoLog {
  read(target: string): UndoEntry | null;
  write(note: UndoEntry): void;
  forget(target: string): void;
  /** Path of the undo entry of a file. */
  pathOf(target: string): string;
}

export function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Undo entries are in the data folder, readable by the user only: settings may hold secrets. */
export function openUndoLog(dataFolder: string): UndoLog {
  const folder = join(dataFolder, 'hooks');
  const pathOf = (target: string) => join(folder, `${hashOf(Buffer.from(target)).slice(0, 16)}.json`);
  return {
    pathOf,
    read(target) {
      const note = parseJson(readText(pathOf(target)));
      if (!isJsonObject(note) || note.file !== target || typeof note.written_sha256 !== 'string') return null;
      const original = typeof note.original === 'string' ? Buffer.from(note.original, 'base64') : null;
      return { file: target, original, writtenHash: note.written_sha256 };
    },
    write({ file, original, writtenHash }) {
      makeFolder(folder);
      const note = { file, original: original?.toString('base64') ?? null, written_sha256: writtenHash };
      writeFileSync(pathOf(file), `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600 });
      chmodSync(pathOf(file), 0o600);
    },
    forget: (target) => rmSync(pathOf(target), { force: true }),
  };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
