import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import { textOf } from '../coding-session/fields.ts';

/** A line with a message of the user, the model or a tool. */
export type MessageLine = JsonObject & { sessionId: string; uuid: string; message: JsonObject };

/** Number of lines without a session or without JSON after which detection gives up. */
const MAX_FOREIGN_LINES = 20;
/** Lines of a session before its first message: queued prompts, hooks, attachments. */
const MAX_SESSION_LINES = 1_000;
/** Number of bytes to search for the first message. */
const SNIFFED_BYTES = 16 * 1024 * 1024;
/** A longer line is only parsed if it names a session. */
const MAX_SHORT_LINE_BYTES = 64 * 1024;

/**
 * Whether a body is a session transcript of Claude Code: lines of one session whose first message has content in the
 * Anthropic API format. Queued prompts before it can be of any length.
 */
export function isTranscript(body: Buffer): boolean {
  const head = body.subarray(0, SNIFFED_BYTES);
  let foreign = 0;
  let from = 0;
  for (let lines = 0; lines < MAX_SESSION_LINES && from < head.length; lines += 1) {
    const newline = head.indexOf(0x0a, from);
    const line = head.subarray(from, newline < 0 ? head.length : newline);
    const mayBeSessionLine = line.length <= MAX_SHORT_LINE_BYTES || line.includes('"sessionId"');
    const value = mayBeSessionLine ? readLine(line.toString('utf8')) : undefined;
    if (isMessageLine(value)) return true;
    if (!isSessionLine(value)) foreign += 1;
    if (foreign >= MAX_FOREIGN_LINES) return false;
    from += line.length + 1;
  }
  return false;
}

export function readLine(line: string): Json | undefined {
  return parseJson(line.charCodeAt(0) === 0xfeff ? line.slice(1) : line);
}

function isSessionLine(value: Json | undefined): boolean {
  return isJsonObject(value) && typeof value.type === 'string' && textOf(value.sessionId) !== null;
}

export function isMessageLine(value: Json | undefined): value is MessageLine {
  return (
    isJsonObject(value) &&
    (value.type === 'user' || value.type === 'assistant') &&
    textOf(value.sessionId) !== null &&
    typeof value.uuid === 'string' &&
    isJsonObject(value.message) &&
    (typeof value.message.content === 'string' || Array.isArray(value.message.content))
  );
}

/** The content of a message as blocks; a text is one block. */
export function blocksOf(content: Json | undefined): JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isJsonObject) : [];
}
