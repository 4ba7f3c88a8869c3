import { isJsonObject, type JsonObject } from '../../core/json.ts';
import { contentText, textOf } from '../coding-session/fields.ts';

/** Whether a text is environment information or rules that the program puts before user messages. */
export function isInstruction(messageText: string): boolean {
  return /^\s*(?:<|# AGENTS\.md)/.test(messageText);
}

const ATTACHMENT = /^\s*(?:\[Image #\d{1,4}\]|<image\b[^>]{0,400}>|<\/image>)/;
const EDITOR_START = /^\s*# (?:Context from my IDE setup|Files mentioned by the user):?[ \t]*\n/;
const EDITOR_REQUEST = /\n## My request for Codex:?[ \t]*\n/;

/** A prompt without the attachments and the editor state that the program puts before it. */
export function promptText(messageText: string): string {
  let rest = messageText;
  const request = EDITOR_START.test(rest) ? EDITOR_REQUEST.exec(rest) : null;
  if (request !== null) rest = rest.slice(request.index + request[0].length);
  for (let found = ATTACHMENT.exec(rest); found !== null; found = ATTACHMENT.exec(rest))
    rest = rest.slice(found[0].length);
  return rest.trim() === '' ? messageText : rest.trimStart();
}

/** The user message in an `item_completed` event; null for other items. */
export function userItemText({ item }: JsonObject): string | null {
  return isJsonObject(item) && item.type === 'UserMessage' ? contentText(item.content) || null : null;
}

/** A message between agents of a team: its payload if it is readable, else the name of the task. */
export function teamMessage({ content }: JsonObject): string {
  const messageText = contentText(content).trim();
  const at = messageText.indexOf('\nPayload:');
  const payload = at < 0 ? messageText : messageText.slice(at + '\nPayload:'.length).trim();
  return payload || (/^Task name: (.{1,200})$/m.exec(messageText)?.[1] ?? messageText);
}

/** Name of a subagent's session: `Ada (review)`. */
export function titleOf(nickname: string | null, agentPath: string | null): string | null {
  const task = agentPath?.split('/').at(-1) || null;
  return nickname !== null && task !== null ? `${nickname} (${task})` : (nickname ?? task);
}

/** End of a session with an error that the program reports. */
export function endOfError({ message, codex_error_info: info }: JsonObject): 'limit' | 'api_error' {
  const kind = textOf(info) ?? (isJsonObject(info) ? (Object.keys(info)[0] ?? '') : '');
  const isLimit = /^(?:usage_?limit|rate_?limit|quota|session_budget|context_window)/i.test(kind);
  return isLimit || /^You['’]ve hit your usage limit|^Quota exceeded/i.test(textOf(message) ?? '')
    ? 'limit'
    : 'api_error';
}
