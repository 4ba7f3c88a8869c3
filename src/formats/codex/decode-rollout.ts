import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import type { Decoded, Rejection, Span } from '../../core/span.ts';
import { textOf } from '../coding-session/fields.ts';
import { readTimestampNs } from '../trail/iso-time.ts';
import { userItemText } from './message-text.ts';
import { RolloutSession } from './rollout-session.ts';
import { isHistoryOf, isOwnTurn, readSessionMeta, type SessionMeta } from './session-meta.ts';

const SNIFFED_LINES = 20;

/** Whether a text looks like a session rollout of Codex: one of its first lines names the session. */
export function isRollout(head: string): boolean {
  return head
    .split('\n', SNIFFED_LINES)
    .some((line) => readSessionMeta(parseJson(line.replace(/^\ufeff/, ''))) !== null);
}

/**
 * A rollout as one trace per session: user messages, the model's answers with their usage, tool calls with results,
 * compactions, interruptions and errors. A broken line only affects itself.
 */
export function decodeRollout(text: string): Decoded {
  const lines = text.split('\n').map((line) => line.replace(/^\ufeff/, ''));
  const read = lines.map((line) => parseJson(line));
  const sessions = new Sessions(read.some(hasUserWords));
  const rejections: Rejection[] = [];
  for (const [at, line] of read.entries()) {
    if (lines[at]!.trim() === '') continue;
    const timeNs = isJsonObject(line) ? readTimestampNs(textOf(line.timestamp) ?? '') : null;
    if (isJsonObject(line) && timeNs !== null) {
      sessions.addLine(line, timeNs);
      continue;
    }
    sessions.reject();
    rejections.push(rejectionOf(line, at + 1));
  }
  return { spans: sessions.spans(), rejections };
}

function rejectionOf(line: Json | undefined, number: number): Rejection {
  if (isJsonObject(line)) return { pointer: `line ${number}/timestamp`, message: 'must be an RFC 3339 time' };
  return { pointer: `line ${number}`, message: line === undefined ? 'not JSON' : 'must be an object' };
}

/** Whether an event reports a user message. */
function hasUserWords(line: Json | undefined): boolean {
  if (!isJsonObject(line) || line.type !== 'event_msg' || !isJsonObject(line.payload)) return false;
  return line.payload.type === 'user_message' || userItemText(line.payload) !== null;
}

/** Copied history is written within this time after the session's first line. */
const HISTORY_WRITTEN_NS = 2_000_000_000n;

/** The sessions of a file: usually one. Later `session_meta` lines resume it, or precede the history of its parent. */
class Sessions {
  readonly #hasUserEvents: boolean;
  readonly #spans: Span[] = [];
  #session: RolloutSession | null = null;
  /** Time until which lines without a turn of their own belong to copied history; null outside history. */
  #historyUntilNs: bigint | null = null;

  constructor(hasUserEvents: boolean) {
    this.#hasUserEvents = hasUserEvents;
  }

  spans(): Span[] {
    return [...this.#spans, ...(this.#session?.spans() ?? [])];
  }

  reject(): void {
    this.#session?.reject();
  }

  addLine(line: JsonObject, timeNs: bigint): void {
    const meta = readSessionMeta(line);
    const payload = isJsonObject(line.payload) ? line.payload : {};
    if (meta !== null) this.#addMeta(meta, timeNs);
    else if (this.#session === null) return;
    else if (this.#isHistory(payload, timeNs)) this.#session.addHistory(typeOf(line), payload);
    else this.#session.addLine(typeOf(line), payload, timeNs);
  }

  #addMeta(meta: SessionMeta, timeNs: bigint): void {
    const session = this.#session;
    if (session !== null && meta.id === session.meta.id) return;
    if (session !== null && isHistoryOf(session.meta, meta)) {
      this.#historyUntilNs = timeNs + HISTORY_WRITTEN_NS;
      return;
    }
    this.#spans.push(...(session?.spans() ?? []));
    this.#session = new RolloutSession(meta, timeNs, this.#hasUserEvents);
    this.#historyUntilNs = meta.isForked ? timeNs + HISTORY_WRITTEN_NS : null;
  }

  #isHistory(payload: JsonObject, timeNs: bigint): boolean {
    if (this.#historyUntilNs === null) return false;
    const isOwn = payload.type === 'task_started' && isOwnTurn(this.#session!.meta, payload);
    if (isOwn || timeNs > this.#historyUntilNs) this.#historyUntilNs = null;
    return this.#historyUntilNs !== null;
  }
}

/** `event_msg/token_count`, or only the line's own type if the payload has none. */
function typeOf({ type, payload }: JsonObject): string {
  const inner = isJsonObject(payload) ? textOf(payload.type) : null;
  return inner === null ? String(type) : `${String(type)}/${inner}`;
}
