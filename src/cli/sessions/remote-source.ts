import type { Backend } from '../../client/backend.ts';
import { AppError } from '../../core/app-error.ts';
import { toRfc3339 } from '../../core/clock.ts';
import type { OutputOf } from '../../features/_kit/operation.ts';
import {
  getCodingSessionOperation,
  listCodingSessionsOperation,
  summarizeCodingSessionsOperation,
} from '../../features/coding-sessions/coding-session.operations.ts';
import type { SessionReport } from '../../features/coding-sessions/report.record.ts';
import type { CodingSessionRecord } from '../../features/coding-sessions/session.record.ts';
import type { SessionWeek } from '../../features/coding-sessions/week.record.ts';
import type { SessionFilter, SessionPage, SessionSource } from './session-source.ts';

const MAX_PAGE_SIZE = 200;

/** Sessions that a server has ingested. Their figures are complete when their analysis is. */
export class RemoteSource implements SessionSource {
  readonly unreadable = [];
  readonly #backend: Backend;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  async list({ agent, project, since, until, limit }: SessionFilter): Promise<SessionPage> {
    const sessions: CodingSessionRecord[] = [];
    const tenant_id = await this.#backend.tenantId();
    let total = 0;
    let cursor: string | null = null;
    do {
      const page: OutputOf<typeof listCodingSessionsOperation> = await this.#backend.call(listCodingSessionsOperation, {
        tenant_id,
        ...(agent === null ? {} : { agent }),
        ...(project === null ? {} : { project }),
        ...(since === null ? {} : { since: toRfc3339(since) }),
        ...(until === null ? {} : { until: toRfc3339(until) }),
        page_size: Math.min(MAX_PAGE_SIZE, limit - sessions.length),
        ...(cursor === null ? {} : { cursor }),
      });
      sessions.push(...page.items);
      ({ total, next_cursor: cursor } = page);
    } while (cursor !== null && sessions.length < limit);
    return { sessions, total, unread: 0, unreadBytes: 0 };
  }

  complete(filter: SessionFilter): Promise<SessionPage> {
    return this.list(filter);
  }

  async show(id: string): Promise<SessionReport> {
    const tenant_id = await this.#backend.tenantId();
    try {
      return await this.#backend.call(getCodingSessionOperation, { tenant_id, session_id: id });
    } catch (error) {
      throw error instanceof AppError && error.code === 'conflict' ? new AppError('usage', error.message) : error;
    }
  }

  async week(days: number): Promise<SessionWeek> {
    return this.#backend.call(summarizeCodingSessionsOperation, { tenant_id: await this.#backend.tenantId(), days });
  }

  async close(): Promise<void> {}
}
