import { appendFileSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, parseJson } from '../../core/json.ts';
import { makeFolder } from '../../store/data-folder/make-folder.ts';
import type { RecordedCall } from './repetition.ts';
import { textHash } from './text-hash.ts';

const MAX_BYTES = 64 * 1024;
const MAX_AGE_MS = 7 * 86_400_000;

/**
 * Appends a call to the session's file and returns all its calls, oldest first. A line is written with one
 * call, so that concurrent hooks lose nothing; the file of a long session starts again.
 */
export function recordCall(dataFolder: string, sessionId: string, call: RecordedCall, nowMs: number): RecordedCall[] {
  const folder = join(dataFolder, 'feedback');
  const file = join(folder, textHash(sessionId));
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) deleteOldFiles(folder, nowMs);
  if (size !== undefined && size > MAX_BYTES) rmSync(file, { force: true });
  appendFileSync(file, `${JSON.stringify(call)}\n`, { mode: 0o600 });
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => readCall(line));
}

function readCall(line: string): RecordedCall[] {
  const value = parseJson(line);
  return isJsonObject(value) && typeof value.call === 'string' ? [value as unknown as RecordedCall] : [];
}

/** Deletes files of old sessions, because no event reports the final end of a session. */
function deleteOldFiles(folder: string, nowMs: number): void {
  makeFolder(folder);
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat && nowMs - stat.mtimeMs > MAX_AGE_MS) rmSync(file, { force: true });
  }
}
