import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, parseJson } from '../../core/json.ts';
import { makeFolder } from '../../store/data-folder/make-folder.ts';

/** How one settings file was before hooks were put in. */
export interface UndoNote {
  file: string;
  /** Null: there was no file. */
  original: Buffer | null;
  /** Hash of what was written: only while the file is still that is the original what it should be. */
  writtenHash: string;
}

export interface UndoBook {
  read(target: string): UndoNote | null;
  write(note: UndoNote): void;
  forget(target: string): void;
  /** Where the note of a file lies. */
  pathOf(target: string): string;
}

export function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Notes lie in the data folder, for the user's eyes only: settings may hold secrets. */
export function openUndoBook(dataFolder: string): UndoBook {
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
