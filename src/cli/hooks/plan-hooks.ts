import { AppError } from '../../core/app-error.ts';
import type { HookAgent } from './agents.ts';
import { addHooks, findHooks, isSameSettings, removeHooks } from './edit-settings.ts';
import { hashOf, type UndoEntry } from './undo-log.ts';

/** The planned content of a settings file. */
export interface HookPlan {
  /** Null: no file. */
  before: Buffer | null;
  after: Buffer | null;
  /** The undo entry to store; null: remove it. */
  note: Omit<UndoEntry, 'file'> | null;
  isChanged: boolean;
}

const MARK = '\ufeff';

/** Adds hooks, replacing existing Misstep hooks. @throws AppError `usage` for settings that cannot be edited */
export function planInstall(
  before: Buffer | null,
  note: UndoEntry | null,
  agent: HookAgent,
  commandOf: (event: string) => string,
  file: string,
): HookPlan {
  const original = withoutOurs(before, note, file);
  const [mark, text] = splitMark(original, file);
  const edited = addHooks(text, agent, commandOf, file);
  const after = Buffer.from(mark + edited);
  const known = before === null ? null : splitMark(before, file)[1];
  const isChanged = known === null || !isSameSettings(known, edited, file);
  const written = isChanged || before === null ? after : before;
  return { before, after: written, note: { original, writtenHash: hashOf(written) }, isChanged };
}

/** Removes hooks: restores the original bytes if no one else has changed the file, otherwise removes only Misstep hooks. */
export function planUninstall(before: Buffer | null, note: UndoEntry | null, file: string): HookPlan {
  const after = withoutOurs(before, note, file);
  const isChanged = before === null ? after !== null : after === null || !after.equals(before);
  return { before, after, note: null, isChanged };
}

function withoutOurs(before: Buffer | null, note: UndoEntry | null, file: string): Buffer | null {
  if (before === null) return null;
  if (note?.writtenHash === hashOf(before)) return note.original;
  const [mark, text] = splitMark(before, file);
  return findHooks(text, file).length === 0 ? before : Buffer.from(mark + removeHooks(text, file));
}

function notUtf8(file: string): AppError {
  return new AppError('usage', `${file} is not UTF-8 text. Nothing was changed.`);
}

function splitMark(bytes: Buffer | null, file: string): [string, string] {
  const text = bytes?.toString('utf8') ?? '';
  if (bytes !== null && !Buffer.from(text).equals(bytes)) throw notUtf8(file);
  return text.startsWith(MARK) ? [MARK, text.slice(1)] : ['', text];
}
