import type { Clock } from '../../core/clock.ts';
import { OpenCodeDatabase, type OpenCodeSessionRow } from '../../store/sqlite-opencode.ts';
import { stampOf } from '../../store/sqlite-private-copy.ts';
import type { SessionItem } from '../coding-sessions/session.record.ts';
import type { AgentFolder } from './agent-folders.ts';
import { findSessions } from './find-sessions.ts';
import { isInFolder } from './folder-match.ts';
import { storageExport, storageHead } from './opencode-storage.ts';
import { outlineBody, outlineFile } from './outline-session.ts';
import type { FullInput } from './session-bodies.ts';
import type { SessionFile } from './session-file.ts';
import { type IndexEntry, SessionIndex } from './session-index.ts';

/** One session of the machine. `isFull` is false until its figures are known. */
export interface LocalSession {
  file: SessionFile;
  item: SessionItem;
  isFull: boolean;
}

export interface LocalSessionsOptions {
  folders: readonly AgentFolder[];
  /** Folder of the index. */
  cache: string;
  clock: Clock;
  /** Absolute folders whose sessions are omitted, by the file and by the project of a session. */
  excluded: readonly string[];
  /** Of SQLite, in the executable. */
  addonPath(): string | undefined;
}

/** Sessions that coding agents keep on this machine, read in place; only the index is written. */
export class LocalSessions {
  readonly unreadable: string[] = [];
  readonly #options: LocalSessionsOptions;
  readonly #index: SessionIndex;
  readonly #databases = new Map<string, OpenCodeDatabase>();

  constructor(options: LocalSessionsOptions) {
    this.#options = options;
    this.#index = new SessionIndex(options.cache);
  }

  /** Every session, newest start first, with the figures that the index knows. */
  all(): LocalSession[] {
    const { folders } = this.#options;
    const found = findSessions(folders, (path) => this.#isExcluded(path));
    this.unreadable.push(...found.unreadable);
    const files = [...found.sessions, ...found.databases.flatMap((file) => this.#inDatabase(file))];
    this.#index.keepOnly(new Set(files.map(({ key }) => key)));
    const sessions = files.flatMap((file) => this.#session(file) ?? []);
    this.#index.save();
    return sessions.sort((one, other) => startOf(other) - startOf(one));
  }

  /** Source of the whole session. @throws Error of the file system */
  inputOf({ place }: SessionFile): FullInput {
    if (place.kind === 'files') return { paths: place.paths };
    if (place.kind === 'opencode-storage') return { body: storageExport(place) };
    return { body: this.#database(place.file).export(place.sessionId) };
  }

  /** Stores the result of reading the whole session; null if it has none. */
  storeFigures({ file, item: outline }: LocalSession, full: SessionItem | null): void {
    this.#index.set(file.key, { stamp: file.stamp, outline, full, ...(full === null ? { isUnreadable: true } : {}) });
  }

  save(): void {
    this.#index.save();
  }

  close(): void {
    this.#index.save();
    for (const database of this.#databases.values()) database.close();
    this.#databases.clear();
  }

  #session(file: SessionFile): LocalSession | null {
    const known = this.#index.find(file.key, file.stamp) ?? this.#outline(file);
    if (known === null) return null;
    const { outline, full, isUnreadable = false } = known;
    const item = full ?? outline;
    if (item === null || (item.project !== null && this.#isExcluded(item.project))) return null;
    return { file, item, isFull: full !== null || isUnreadable };
  }

  #outline(file: SessionFile): IndexEntry | null {
    const outline = this.#readOutline(file);
    if (outline?.project != null && this.#isExcluded(outline.project)) return null;
    const entry = { stamp: file.stamp, outline, full: null };
    this.#index.set(file.key, entry);
    return entry;
  }

  #readOutline({ place, modifiedMs }: SessionFile): SessionItem | null {
    try {
      if (place.kind === 'files') return outlineFile(place.paths[0]!, modifiedMs);
      if (place.kind === 'opencode-storage') return outlineBody(storageHead(place), modifiedMs);
      return outlineBody(this.#database(place.file).export(place.sessionId), modifiedMs);
    } catch {
      // A file that was removed or cannot be read does not affect others.
      return null;
    }
  }

  #inDatabase(file: string): SessionFile[] {
    try {
      return this.#rowsOf(file).map(({ id, createdMs, updatedMs }) => ({
        key: `${file}#${id}`,
        agent: 'opencode',
        layout: 'opencode-data',
        place: { kind: 'opencode-database', file, sessionId: id },
        stamp: `${createdMs}:${updatedMs}`,
        bytes: 0,
        modifiedMs: updatedMs,
      }));
    } catch {
      this.unreadable.push(file);
      return [];
    }
  }

  /** An unchanged database is not opened. */
  #rowsOf(file: string): OpenCodeSessionRow[] {
    const stamp = stampOf(file);
    const known = this.#index.findRows(file, stamp);
    if (known !== null) return known;
    const rows = this.#database(file).sessions();
    this.#index.setRows(file, { stamp, rows });
    return rows;
  }

  #database(file: string): OpenCodeDatabase {
    const open = this.#databases.get(file) ?? new OpenCodeDatabase(file, this.#options.addonPath());
    this.#databases.set(file, open);
    return open;
  }

  #isExcluded(path: string): boolean {
    return this.#options.excluded.some((folder) => isInFolder(path, folder));
  }
}

function startOf({ item, file }: LocalSession): number {
  return item.startedAtMs ?? file.modifiedMs;
}
