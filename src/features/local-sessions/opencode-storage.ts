import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject, parseJson } from '../../core/json.ts';

interface Storage {
  storage: string;
  info: string;
  sessionId: string;
}

/** A session of OpenCode's older storage as `opencode export` writes it. @throws Error of the file system */
export function storageExport({ storage, info, sessionId }: Storage): Buffer {
  const messages = objectsIn(join(storage, 'message', sessionId)).map((message) => ({
    info: message,
    parts: typeof message.id === 'string' ? objectsIn(join(storage, 'part', message.id)) : [],
  }));
  return Buffer.from(JSON.stringify({ info: parseJson(readFileSync(info, 'utf8')) ?? {}, messages }));
}

/** The session without its messages. */
export function storageHead({ info }: Storage): Buffer {
  return Buffer.from(JSON.stringify({ info: parseJson(readFileSync(info, 'utf8')) ?? {}, messages: [] }));
}

/** Ids are sorted by time. A file that cannot be read does not affect others. */
function objectsIn(folder: string): JsonObject[] {
  return namesIn(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => {
      try {
        const value = parseJson(readFileSync(join(folder, name), 'utf8'));
        return isJsonObject(value) ? [value] : [];
      } catch {
        return [];
      }
    });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
