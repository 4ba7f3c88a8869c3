import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, parseJson } from '../../core/json.ts';
import { SERVER_FILE } from './entries.ts';
import { replaceOwnerFile } from './owner-file.ts';

/** The process that holds the data folder. It may have ended without removing the file: see `runningServer`. */
export interface ServerFile {
  /** `http://host:port`; null until it listens, and for a migration. */
  url: string | null;
  /** Where people open its dashboard; null while it does not listen yet, or for a migration. */
  webAddress: string | null;
  /** Folders whose files it may change, as `serve --healing-root` takes them. */
  healingRoots: string[];
  pid: number;
  /** Different at each start. */
  instanceId: string;
  /** Unix milliseconds. */
  startedAt: number;
}

/** Null if it is missing or unreadable. */
export function readServerFile(folder: string): ServerFile | null {
  const value = parseJson(textOf(join(folder, SERVER_FILE)));
  if (!isJsonObject(value)) return null;
  const { url, web_address, healing_roots, pid, instance_id, started_at } = value;
  if (typeof pid !== 'number' || typeof instance_id !== 'string') return null;
  return {
    url: typeof url === 'string' ? url : null,
    webAddress: typeof web_address === 'string' ? web_address : null,
    healingRoots: Array.isArray(healing_roots) ? healing_roots.filter((root) => typeof root === 'string') : [],
    pid,
    instanceId: instance_id,
    startedAt: typeof started_at === 'number' ? started_at : 0,
  };
}

/** @throws the error of the file system */
export function writeServerFile(folder: string, server: ServerFile): void {
  const content = {
    url: server.url,
    web_address: server.webAddress,
    healing_roots: server.healingRoots,
    pid: server.pid,
    instance_id: server.instanceId,
    started_at: server.startedAt,
  };
  replaceOwnerFile(join(folder, SERVER_FILE), `${JSON.stringify(content)}\n`);
}

export function removeServerFile(folder: string): void {
  rmSync(join(folder, SERVER_FILE), { force: true });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
