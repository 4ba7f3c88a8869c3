import type { SessionLayout } from './agent-folders.ts';

/** Locations of the parts of one session. */
export type SessionPlace =
  /** The session's own file first, then those of its subagents. */
  | { kind: 'files'; paths: string[] }
  /** OpenCode before 1.2: one JSON file for each session, message and part. */
  | { kind: 'opencode-storage'; storage: string; info: string; sessionId: string }
  /** OpenCode's database. */
  | { kind: 'opencode-database'; file: string; sessionId: string };

/** A session file before its content is read. */
export interface SessionFile {
  /** Stays the same while the session grows. */
  key: string;
  agent: string;
  layout: SessionLayout;
  place: SessionPlace;
  /** Changes whenever a part of the session changes. */
  stamp: string;
  bytes: number;
  /** Unix milliseconds. */
  modifiedMs: number;
}
