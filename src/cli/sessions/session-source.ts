import type { SessionReport } from '../../features/coding-sessions/report.record.ts';
import type { CodingSessionRecord } from '../../features/coding-sessions/session.record.ts';
import type { SessionWeek } from '../../features/coding-sessions/week.record.ts';

export interface SessionFilter {
  agent: string | null;
  /** Root folder of the project; on this machine also a folder around it, or its name. */
  project: string | null;
  /** Unix milliseconds; since inclusive, until exclusive. */
  since: number | null;
  until: number | null;
  limit: number;
}

export interface SessionPage {
  /** Newest first. */
  sessions: CodingSessionRecord[];
  /** Sessions that match, shown or not. */
  total: number;
  /** Shown sessions whose figures are not known yet, and how much there is to read for them. */
  unread: number;
  unreadBytes: number;
}

/** Sessions of up to this size in all are read in full before anything is shown, unless a person watches. */
export const READ_AT_ONCE_BYTES = 64 * 1024 * 1024;

/** `done` of `total` sessions are read in full. */
export type OnProgress = (done: number, total: number) => void;

/** The same questions about sessions on this machine and on a server. */
export interface SessionSource {
  /** Folders and files that could not be read. */
  readonly unreadable: readonly string[];
  /** What is known without reading whole sessions. */
  list(filter: SessionFilter): Promise<SessionPage>;
  /** The same after reading in full what is shown. */
  complete(filter: SessionFilter, onProgress: OnProgress): Promise<SessionPage>;
  /** @param id of the session, or an unambiguous beginning of it. @throws AppError `not_found`, `usage` */
  show(id: string): Promise<SessionReport>;
  week(days: number, onProgress: OnProgress): Promise<SessionWeek>;
  close(): Promise<void>;
}
