import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import { VERSION } from '../../core/version.ts';
import { pricesAsOf } from '../../formats/model-catalog/price-list.ts';
import type { OpenCodeSessionRow } from '../../store/sqlite-opencode.ts';
import type { SessionItem } from '../coding-sessions/session.record.ts';

/** Cached facts about a session; valid while its stamp is unchanged. */
export interface IndexEntry {
  stamp: string;
  /** From head and tail; null if the file contains no readable session. */
  outline: SessionItem | null;
  /** From the whole session; null until it was read in full. */
  full: SessionItem | null;
  /** The whole session was read and no session was found in it. */
  isUnreadable?: boolean;
}

interface DatabaseRows {
  stamp: string;
  rows: OpenCodeSessionRow[];
}

/** Increased whenever the shape of entries changes. */
const SHAPE = 2;
const FILE = 'sessions.json';

/**
 * Cache of data from the agents' files, readable only by its owner. It may be deleted at any time. A damaged index, and
 * one of another version or price list, counts as empty.
 */
export class SessionIndex {
  readonly #folder: string;
  readonly #entries: Map<string, IndexEntry>;
  /** Sessions of OpenCode's databases by file. */
  readonly #rows: Map<string, DatabaseRows>;
  #hasChanges = false;

  constructor(folder: string) {
    this.#folder = folder;
    const stored = load(join(folder, FILE));
    this.#entries = membersOf<IndexEntry>(stored.entries);
    this.#rows = membersOf<DatabaseRows>(stored.databases);
  }

  /** The entry of this state of the session. */
  find(key: string, stamp: string): IndexEntry | null {
    const entry = this.#entries.get(key);
    return entry?.stamp === stamp ? entry : null;
  }

  set(key: string, entry: IndexEntry): void {
    this.#entries.set(key, entry);
    this.#hasChanges = true;
  }

  findRows(file: string, stamp: string): OpenCodeSessionRow[] | null {
    const known = this.#rows.get(file);
    return known?.stamp === stamp ? known.rows : null;
  }

  setRows(file: string, rows: DatabaseRows): void {
    this.#rows.set(file, rows);
    this.#hasChanges = true;
  }

  /** Removes entries of sessions that no longer exist. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const key of this.#entries.keys())
      if (!keys.has(key)) this.#hasChanges = this.#entries.delete(key) || this.#hasChanges;
  }

  /** Writes the changed entries. If the folder cannot be written, the next run only takes longer. */
  save(): void {
    if (!this.#hasChanges) return;
    const temporary = join(this.#folder, `${FILE}.${process.pid}`);
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      chmodSync(this.#folder, 0o700);
      const [entries, databases] = [Object.fromEntries(this.#entries), Object.fromEntries(this.#rows)];
      const text = JSON.stringify({ version: versionStamp(), entries, databases });
      writeFileSync(temporary, text, { mode: 0o600 });
      renameSync(temporary, join(this.#folder, FILE));
      this.#hasChanges = false;
    } catch {
      removeIfPossible(temporary);
    }
  }
}

function removeIfPossible(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Where it could not be written, there may be nothing to remove.
  }
}

function load(file: string): JsonObject {
  try {
    const read = parseJson(readFileSync(file, 'utf8'));
    return isJsonObject(read) && read.version === versionStamp() ? read : {};
  } catch {
    return {};
  }
}

/** Members that have a stamp; others are ignored. */
function membersOf<Member>(stored: Json | undefined): Map<string, Member> {
  const members = isJsonObject(stored) ? Object.entries(stored) : [];
  return new Map(members.filter(([, member]) => isJsonObject(member) && 'stamp' in member) as [string, Member][]);
}

function versionStamp(): string {
  return `${SHAPE} ${VERSION} ${pricesAsOf()}`;
}
