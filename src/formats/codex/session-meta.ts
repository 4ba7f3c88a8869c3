import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { textOf } from '../coding-session/fields.ts';
import { readTimestampNs } from '../trail/iso-time.ts';

/** Facts of a `session_meta` line about its session. */
export interface SessionMeta {
  id: string;
  /** Session that this one was forked from, or that started it as a subagent. */
  parentId: string | null;
  /** Whether the file begins with lines of the parent's session. */
  isForked: boolean;
  startedAtMs: number | null;
  directory: string | null;
  branch: string | null;
  nickname: string | null;
  /** Path of a subagent within its team, such as `/root/review`. */
  agentPath: string | null;
}

/** Null for every other line. */
export function readSessionMeta(line: Json | undefined): SessionMeta | null {
  if (!isJsonObject(line) || line.type !== 'session_meta' || !isJsonObject(line.payload)) return null;
  const { payload } = line;
  const id = textOf(payload.id);
  if (id === null) return null;
  const startedAt = readTimestampNs(textOf(payload.timestamp) ?? '');
  return {
    id,
    parentId: parentOf(payload, id),
    isForked: textOf(payload.forked_from_id) !== null,
    startedAtMs: startedAt === null ? null : Number(startedAt / 1_000_000n),
    directory: textOf(payload.cwd),
    branch: isJsonObject(payload.git) ? textOf(payload.git.branch) : null,
    nickname: textOf(payload.agent_nickname),
    agentPath: textOf(payload.agent_path),
  };
}

function parentOf({ forked_from_id, parent_thread_id, session_id }: JsonObject, id: string): string | null {
  const named = textOf(forked_from_id) ?? textOf(parent_thread_id) ?? textOf(session_id);
  return named === id ? null : named;
}

/** Whether a later `session_meta` belongs to history that was copied into the session's file. */
export function isHistoryOf(session: SessionMeta, later: SessionMeta): boolean {
  if (later.id === session.parentId) return true;
  return later.startedAtMs !== null && session.startedAtMs !== null && later.startedAtMs < session.startedAtMs;
}

const UUID_V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-/i;

/** Copied turns began before the session, so the first later turn is its own. False if unknown. */
export function isOwnTurn(session: SessionMeta, turn: JsonObject): boolean {
  const [, high, low] = UUID_V7.exec(textOf(turn.turn_id) ?? '') ?? [];
  const startedAt = typeof turn.started_at === 'number' ? turn.started_at * 1000 + 999 : null;
  const beganMs = high === undefined ? startedAt : Number.parseInt(high + low, 16);
  return beganMs !== null && session.startedAtMs !== null && beganMs >= session.startedAtMs;
}
