import type { SessionReport } from '../../features/coding-sessions/report.record.ts';
import type { CodingSessionRecord } from '../../features/coding-sessions/session.record.ts';
import type { SessionWeek } from '../../features/coding-sessions/week.record.ts';

export interface SessionFilter {
  agent: string | null;
  /** Root folder of the project; on this machine also a parent folder, or its name. */
  project: string | null;
  /** Unix milliseconds; since inclusive, until exclusive. */
  since: number | null;
  until: number | null;
  limit: number;
}

export interface SessionPage {
  /** Newest first. */
  sessions: CodingSessionRecord[];
  /** Matching sessions, shown or not. */
  total: number;
  /** Shown sessions without figures, and how many bytes must be read for them. */
  unread: number;
  unreadBytes: number;
}

/** Sessions of up to this total size are read in full before anything is shown, unless in a terminal. */
export const READ_AT_ONCE_BYTES = 64 * 1024 * 1024;

/** `done` of `total` sessions are read in full. */
export type OnProgress = (done: number, total: number) => void;

/** The same interface for sessions on this machine and on a server. */
export interface SessionSource {
  /** Folders and files that could not be read. */
  readonly unreadable: readonly string[];
  /** Facts that are known without reading whole sessions. */
  list(filter: SessionFilter): Promise<SessionPage>;
  /** The same after reading the shown sessions in full. */
  complete(filter: SessionFilter, onProgress: OnProgress): Promise<SessionPage>;
  /** @param id of the session, or an unambiguous prefix of it. @throws AppError `not_found`, `usage` */
  show(id: string): Promise<SessionReport>;
  week(days: number, onProgress: OnProgress): Promise<SessionWeek>;
  close(): Promise<void>;
}
