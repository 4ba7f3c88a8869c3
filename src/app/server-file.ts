import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, parseJson } from '../core/json.ts';

/** The server that works on a data folder. */
export interface ServerFile {
  /** `http://host:port`, as the listener reports it. */
  url: string;
  pid: number;
  /** Random, new at each start. */
  instanceId: string;
}

const FILE = 'server.json';

/** Null where no server wrote one, or it cannot be read. A killed server leaves its file behind. */
export function readServerFile(dataFolder: string): ServerFile | null {
  try {
    const json = parseJson(readFileSync(join(dataFolder, FILE), 'utf8'));
    if (!isJsonObject(json)) return null;
    const { url, pid, instance_id } = json;
    if (typeof url !== 'string' || typeof pid !== 'number' || typeof instance_id !== 'string') return null;
    return { url, pid, instanceId: instance_id };
  } catch {
    return null;
  }
}

/** Readable by its owner only; a reader finds the old file or the new one. */
export function writeServerFile(dataFolder: string, { url, pid, instanceId }: ServerFile): void {
  const file = join(dataFolder, FILE);
  const part = `${file}.${randomBytes(6).toString('hex')}.part`;
  writeFileSync(part, `${JSON.stringify({ url, pid, instance_id: instanceId })}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(part, file);
}

/** Leaves the file of another server. */
export function removeServerFile(dataFolder: string, instanceId: string): void {
  if (readServerFile(dataFolder)?.instanceId === instanceId) rmSync(join(dataFolder, FILE), { force: true });
}
