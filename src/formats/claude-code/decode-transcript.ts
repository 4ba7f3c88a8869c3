import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Decoded, Rejection } from '../../core/span.ts';
import { objectOf, textOf } from '../coding-session/fields.ts';
import { readTimestampNs } from '../trail/iso-time.ts';
import { messageOfSubagent } from './subagent-message.ts';
import { isMessageLine, readLine } from './transcript-line.ts';
import { Session } from './transcript-session.ts';

/**
 * A transcript as one trace per session: prompts, the model's answers (one API answer is split over lines that share its id
 * and repeat its usage), tool calls with their results, compactions, API errors and interruptions. Other lines give no
 * step. A broken line only affects itself.
 */
export function decodeTranscript(text: string): Decoded {
  const reading = new Reading();
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const value = readLine(line);
    if (value === undefined) reading.rejectLine(`line ${at + 1}`);
    else if (isJsonObject(value)) reading.addLine(value, `line ${at + 1}`);
  }
  return reading.decoded();
}

const TITLES: Readonly<Record<string, { kind: 'custom' | 'generated'; key: string }>> = {
  'custom-title': { kind: 'custom', key: 'customTitle' },
  'ai-title': { kind: 'generated', key: 'aiTitle' },
};

class Reading {
  readonly #sessions = new Map<string, Session>();
  readonly #rejections: Rejection[] = [];
  /** Session of the last step line. */
  #current: Session | null = null;
  /** Sessions that other sessions were forked from. */
  readonly #parents = new Map<string, string>();
  /** Session of each line, for summaries, which name a line instead of a session. */
  readonly #lineSessions = new Map<string, Session>();
  readonly #summaries: { leaf: string; title: string }[] = [];
  readonly #titles: { sessionId: string; kind: 'custom' | 'generated'; title: string }[] = [];

  rejectLine(pointer: string): void {
    this.#current?.reject();
    this.#rejections.push({ pointer, message: 'not JSON' });
  }

  addLine(value: JsonObject, pointer: string): void {
    const line = messageOfSubagent(value) ?? value;
    const type = textOf(line.type) ?? '';
    if (type === 'summary') this.#addSummary(line);
    else if (Object.hasOwn(TITLES, type)) this.#addTitle(line, TITLES[type] as (typeof TITLES)[string]);
    else if (isStepLine(line)) this.#addStep(line, pointer);
  }

  decoded(): Decoded {
    for (const { leaf, title } of this.#summaries) this.#lineSessions.get(leaf)?.setTitle('summary', title);
    for (const { sessionId, kind, title } of this.#titles) this.#sessions.get(sessionId)?.setTitle(kind, title);
    for (const [sessionId, parentId] of this.#parents) this.#sessions.get(sessionId)?.setParent(parentId);
    return { spans: [...this.#sessions.values()].flatMap((session) => session.spans()), rejections: this.#rejections };
  }

  /** A file can contain summaries of other sessions. */
  #addSummary({ leafUuid, summary }: JsonObject): void {
    const [leaf, title] = [textOf(leafUuid), textOf(summary)];
    if (leaf !== null && title !== null) this.#summaries.push({ leaf, title });
  }

  #addTitle(line: JsonObject, { kind, key }: { kind: 'custom' | 'generated'; key: string }): void {
    const [sessionId, title] = [textOf(line.sessionId), textOf(line[key]) ?? textOf(line.title)];
    if (sessionId !== null && title !== null) this.#titles.push({ sessionId, kind, title });
  }

  #addStep(line: JsonObject, pointer: string): void {
    const origin = forkedFrom(line);
    if (origin !== null) {
      this.#parents.set(line.sessionId as string, origin);
      return;
    }
    const timeNs = readTimestampNs(textOf(line.timestamp) ?? '');
    const id = line.sessionId as string;
    if (timeNs === null) {
      this.#sessions.get(id)?.reject();
      this.#rejections.push({ pointer: `${pointer}/timestamp`, message: 'must be an RFC 3339 time' });
      return;
    }
    const session = this.#sessions.get(id) ?? new Session(id, timeNs);
    this.#current = session;
    this.#sessions.set(id, session);
    if (textOf(line.uuid) !== null) this.#lineSessions.set(line.uuid as string, session);
    if (isMessageLine(line)) session.addMessage(line, timeNs);
    else if (line.type === 'system') session.addSystemLine(line, timeNs);
    else session.addQueuedPrompt(line, timeNs);
  }
}

const SYSTEM_STEPS: ReadonlySet<Json | undefined> = new Set(['compact_boundary', 'api_error']);

function isStepLine(line: JsonObject): boolean {
  if (isMessageLine(line)) return true;
  if (textOf(line.sessionId) === null) return false;
  if (line.type === 'system') return SYSTEM_STEPS.has(line.subtype);
  return line.type === 'attachment' && objectOf(line.attachment).type === 'queued_command';
}

/** The session that a line was copied from. A fork repeats the lines of its origin, which owns their steps. */
function forkedFrom(line: JsonObject): string | null {
  const origin = textOf(objectOf(line.forkedFrom).sessionId);
  return origin === line.sessionId ? null : origin;
}
