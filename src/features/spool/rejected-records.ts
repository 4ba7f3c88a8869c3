import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isJsonObject, parseJson } from '../../core/json.ts';
import type { Rejection } from '../../core/span.ts';
import { HOOK_CALLS_FOLDER } from '../../store/data-folder/entries.ts';

/** Records from the spool that no decoder could read; their senders have already received a success. */
export interface RejectedRecords {
  count: number;
  lastAtMs: number;
  /** Reason for the last rejection. */
  lastMessage: string;
}

const MAX_MESSAGE_LENGTH = 300;

function fileOf(spoolFolder: string): string {
  return join(dirname(spoolFolder), HOOK_CALLS_FOLDER, 'refused.json');
}

/** Adds to the count. A failed write has no other effect. */
export function recordRejected(spoolFolder: string, rejections: readonly Rejection[], nowMs: number): void {
  const last = rejections.at(-1);
  if (last === undefined) return;
  const count = (readRejected(spoolFolder)?.count ?? 0) + rejections.length;
  const file = fileOf(spoolFolder);
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const stored = { count, last_at_ms: nowMs, last_message: last.message.slice(0, MAX_MESSAGE_LENGTH) };
    writeFileSync(file, `${JSON.stringify(stored)}\n`, { mode: 0o600 });
  } catch {
    // An error here must not affect the stored records.
  }
}

/** Null if none was rejected. */
export function readRejected(spoolFolder: string): RejectedRecords | null {
  let text: string;
  try {
    text = readFileSync(fileOf(spoolFolder), 'utf8');
  } catch {
    return null;
  }
  const stored = parseJson(text);
  if (!isJsonObject(stored) || typeof stored.count !== 'number' || typeof stored.last_at_ms !== 'number') return null;
  return { count: stored.count, lastAtMs: stored.last_at_ms, lastMessage: String(stored.last_message ?? '') };
}
