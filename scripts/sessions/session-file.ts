import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type Fields, fieldsOf } from './json-value.ts';

/** A session file as read: one document, or one record a line, with the number of lines that are not JSON. */
export interface SessionFile {
  records: Fields[];
  document: Fields | null;
  unreadableLines: number;
}

export function readSessionFile(path: string): SessionFile {
  const bytes = readFileSync(path);
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return parseSession((isGzip ? gunzipSync(bytes) : bytes).toString('utf8'));
}

/** OpenCode exports and SWE-agent trajectories are one document, regardless of the file name. */
export function parseSession(text: string): SessionFile {
  const document = parsed(text);
  if (document !== null) return { records: [document], document, unreadableLines: 0 };
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const records = lines.map(parsed).filter((record) => record !== null);
  return { records, document: null, unreadableLines: lines.length - records.length };
}

function parsed(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? fieldsOf(value) : null;
  } catch {
    return null;
  }
}
