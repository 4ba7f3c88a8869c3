import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import type { SessionReport } from '../../features/coding-sessions/report.record.ts';
import { toCodingSessionRecord } from '../../features/coding-sessions/session.record.ts';
import type { SessionWeek } from '../../features/coding-sessions/week.record.ts';
import { summarizeSessions } from '../../features/coding-sessions/week-summary.ts';
import { isInFolder } from '../../features/local-sessions/folder-match.ts';
import {
  type LocalSession,
  LocalSessions,
  type LocalSessionsOptions,
} from '../../features/local-sessions/local-sessions.ts';
import { bodiesOf } from '../../features/local-sessions/session-bodies.ts';
import type { SessionPool } from '../../jobs/session-pool.ts';
import type { OnProgress, SessionFilter, SessionPage, SessionSource } from './session-source.ts';

const DAY_MS = 86_400_000;
const MAX_THREADS = 4;
const READ_HERE_BYTES = 2_000_000;
/** The index is saved repeatedly, so that an interrupted run keeps its progress. */
const SESSIONS_PER_SAVE = 20;

export interface LocalSourceOptions extends LocalSessionsOptions {
  clock: Clock;
  signal: AbortSignal;
}

/** Sessions in the folders of the coding agents on this machine. */
export class LocalSource implements SessionSource {
  readonly #options: LocalSourceOptions;
  readonly #sessions: LocalSessions;
  #all: LocalSession[] | null = null;
  #pool: SessionPool | null = null;

  constructor(options: LocalSourceOptions) {
    this.#options = options;
    this.#sessions = new LocalSessions(options);
  }

  get unreadable(): readonly string[] {
    return this.#sessions.unreadable;
  }

  async list(filter: SessionFilter): Promise<SessionPage> {
    const matching = this.#matching(filter);
    return toPage(matching.slice(0, filter.limit), matching.length);
  }

  async complete(filter: SessionFilter, onProgress: OnProgress): Promise<SessionPage> {
    await this.#readFully(this.#matching(filter).slice(0, filter.limit), onProgress);
    return this.list(filter);
  }

  async show(id: string): Promise<SessionReport> {
    const session = oneOf(this.#everything(), id);
    const { readSession, sessionReport, models } = await loadReader();
    const bodies = bodiesOf(this.#sessions.inputOf(session.file));
    const read = readSession(bodies, { models, receivedAtMs: session.file.modifiedMs });
    if (read === null) throw new AppError('not_found', `${session.file.key} contains no readable session.`);
    this.#sessions.storeFigures(session, read.item);
    return sessionReport(read, models);
  }

  async week(days: number, onProgress: OnProgress): Promise<SessionWeek> {
    const toMs = this.#options.clock.now();
    const fromMs = toMs - days * DAY_MS;
    const filter = { agent: null, project: null, since: fromMs, until: null, limit: Number.POSITIVE_INFINITY };
    await this.#readFully(this.#matching(filter), onProgress);
    return summarizeSessions(
      this.#matching(filter).map(({ item }) => item),
      fromMs,
      toMs,
    );
  }

  async close(): Promise<void> {
    this.#sessions.close();
    await this.#pool?.close();
  }

  #everything(): LocalSession[] {
    this.#all ??= this.#sessions.all();
    return this.#all;
  }

  #matching({ agent, project, since, until }: SessionFilter): LocalSession[] {
    return this.#everything().filter(({ item, file }) => {
      const startedAt = item.startedAtMs ?? file.modifiedMs;
      if (agent !== null && item.agent !== agent) return false;
      if (project !== null && !isOfProject(item.project, project)) return false;
      return (since === null || startedAt >= since) && (until === null || startedAt < until);
    });
  }

  async #readFully(sessions: readonly LocalSession[], onProgress: OnProgress): Promise<void> {
    const unread = sessions.filter(({ isFull }) => !isFull);
    if (unread.length === 0) return;
    const read = await this.#reader(unread.reduce((sum, { file }) => sum + file.bytes, 0));
    let done = 0;
    onProgress(done, unread.length);
    const waiting = [...unread];
    const work = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        await this.#readOne(next, read);
        done += 1;
        onProgress(done, unread.length);
        if (done % SESSIONS_PER_SAVE === 0) this.#sessions.save();
      }
    };
    await Promise.all(Array.from({ length: MAX_THREADS }, work));
    this.#sessions.save();
  }

  /** Small amounts are read on this thread, because starting threads takes longer. */
  async #reader(bytes: number): Promise<SessionPool['read']> {
    if (bytes <= READ_HERE_BYTES) {
      const { readSession, models } = await loadReader();
      return async (source, receivedAtMs) => readSession(bodiesOf(source), { models, receivedAtMs })?.item ?? null;
    }
    this.#pool ??= await openPool();
    return this.#pool.read;
  }

  /** A session that cannot be read affects only itself. */
  async #readOne(session: LocalSession, read: SessionPool['read']): Promise<void> {
    const { signal } = this.#options;
    signal.throwIfAborted();
    try {
      const source = this.#sessions.inputOf(session.file);
      const full = await read(source, session.file.modifiedMs, signal);
      this.#sessions.storeFigures(session, full);
      if (full !== null) session.item = full;
    } catch {
      signal.throwIfAborted();
      this.#sessions.storeFigures(session, null);
    }
    session.isFull = true;
  }
}

/** Loads detectors and prices only when needed: a list of unchanged sessions does not need them. */
async function loadReader() {
  const [{ readSession }, { sessionReport }, { createModelCatalog }] = await Promise.all([
    import('../../features/coding-sessions/read-session.ts'),
    import('../../features/coding-sessions/session-report.ts'),
    import('../../formats/model-catalog/catalog.ts'),
  ]);
  return { readSession, sessionReport, models: createModelCatalog() };
}

async function openPool(): Promise<SessionPool> {
  const [{ createSessionPool }, { workerEntry }] = await Promise.all([
    import('../../jobs/session-pool.ts'),
    import('../../app/runtime-assets.ts'),
  ]);
  return createSessionPool(Math.min(availableParallelism(), MAX_THREADS), workerEntry());
}

function toPage(sessions: readonly LocalSession[], total: number): SessionPage {
  const unread = sessions.filter(({ isFull }) => !isFull);
  return {
    sessions: sessions.map(({ item }) => toCodingSessionRecord(item)),
    total,
    unread: unread.length,
    unreadBytes: unread.reduce((sum, { file }) => sum + file.bytes, 0),
  };
}

function isOfProject(project: string | null, asked: string): boolean {
  if (project === null) return false;
  return isInFolder(project, asked) || basename(project.replaceAll('\\', '/')) === asked;
}

const MAX_NAMED = 5;

/** @throws AppError `not_found`, `usage` */
function oneOf(sessions: readonly LocalSession[], id: string): LocalSession {
  const exact = sessions.filter(({ item }) => item.sessionId === id || item.traceId === id);
  const found = exact.length > 0 ? exact : sessions.filter(({ item }) => item.sessionId.startsWith(id));
  if (found.length === 1 || exact.length > 0) return found[0]!;
  if (found.length === 0) throw new AppError('not_found', `There is no session ${id} on this machine.`);
  const ids = found.slice(0, MAX_NAMED).map(({ item }) => item.sessionId);
  const more = found.length > ids.length ? ', …' : '';
  throw new AppError('usage', `${id} is a prefix of ${found.length} session ids: ${ids.join(', ')}${more}`);
}
