import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { RequestedTool } from './conversation.ts';
import { readTool } from './tool-request.ts';

export interface ToolAnswer {
  callId: string | null;
  content: string;
  isError: boolean;
}

/** One part of a message's content. */
export type Part =
  | { kind: 'text' | 'thinking'; text: string }
  | { kind: 'call'; call: RequestedTool }
  | { kind: 'answer'; answer: ToolAnswer }
  | { kind: 'rejected'; why: string };

/**
 * Parts of a message's content in the formats of OpenAI (chat and responses) and Anthropic. Images, audio and files become
 * placeholders: their bytes are not stored.
 */
export function readParts(content: Json | undefined): Part[] {
  if (content === null || content === undefined) return [];
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  if (!Array.isArray(content)) return [readPart(content)];
  return content.map(readPart);
}

/** The text of parts, one line each. */
export function textOf(parts: readonly Part[], kind: 'text' | 'thinking' = 'text'): string {
  const texts = parts.flatMap((part) => (part.kind === kind ? [part.text] : []));
  return texts.filter((text) => text !== '').join('\n');
}

function readPart(part: Json): Part {
  if (typeof part === 'string') return { kind: 'text', text: part };
  if (!isJsonObject(part)) return { kind: 'rejected', why: 'a part must be a text or an object' };
  const type = typeof part.type === 'string' ? part.type : '';
  if (TEXTS.has(type) || type === '') return textPart(part);
  if (THOUGHTS.has(type)) return { kind: 'thinking', text: thoughtOf(part) };
  if (CALLS.has(type)) return callPart(part);
  if (type === 'tool_result' || type.endsWith('_tool_result')) return answerPart(part);
  return { kind: 'text', text: placeholderOf(type, part) };
}

const TEXTS = new Set(['text', 'input_text', 'output_text', 'refusal', 'summary_text']);
const THOUGHTS = new Set(['thinking', 'redacted_thinking', 'reasoning', 'reasoning_text']);
const CALLS = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use', 'tool_call']);

function textPart({ text, refusal, content }: JsonObject): Part {
  const partText = [text, refusal, content].find((value) => typeof value === 'string');
  return typeof partText === 'string'
    ? { kind: 'text', text: partText }
    : { kind: 'rejected', why: 'a part without type must have a text' };
}

function thoughtOf({ thinking, text }: JsonObject): string {
  return typeof thinking === 'string' ? thinking : typeof text === 'string' ? text : '';
}

function callPart(part: JsonObject): Part {
  const call = readTool(part);
  return call === null ? { kind: 'rejected', why: 'a tool call must have a name' } : { kind: 'call', call };
}

function answerPart({ tool_use_id, content, is_error }: JsonObject): Part {
  const callId = typeof tool_use_id === 'string' ? tool_use_id : null;
  return { kind: 'answer', answer: { callId, content: answerText(content), isError: is_error === true } };
}

/** A tool result as text: text as it is, text blocks joined, anything else as JSON. */
export function answerText(content: Json | undefined): string {
  if (content === null || content === undefined) return '';
  if (typeof content === 'string') return content;
  const isBlocks =
    Array.isArray(content) && content.every((part) => isJsonObject(part) && KNOWN_BLOCKS.has(`${part.type}`));
  return isBlocks ? textOf(readParts(content)) : JSON.stringify(content);
}

const KNOWN_BLOCKS = new Set(['text', 'input_text', 'output_text', 'image', 'image_url', 'document', 'file']);

const PLACEHOLDERS: ReadonlyMap<string, string> = new Map([
  ['image', 'image'],
  ['image_url', 'image'],
  ['input_image', 'image'],
  ['image_file', 'image'],
  ['input_audio', 'audio'],
  ['output_audio', 'audio'],
  ['audio', 'audio'],
  ['video', 'video'],
  ['video_url', 'video'],
  ['file', 'file'],
  ['input_file', 'file'],
  ['document', 'document'],
  ['search_result', 'search result'],
]);
const MAX_TYPE_LENGTH = 40;

function placeholderOf(type: string, part: JsonObject): string {
  const what = PLACEHOLDERS.get(type) ?? type.replaceAll('_', ' ').slice(0, MAX_TYPE_LENGTH);
  const file = isJsonObject(part.file) ? part.file : part;
  const name = [file.filename, file.title, file.name].find((value) => typeof value === 'string' && value !== '');
  const isPlainPart = what === 'image' || what === 'audio' || what === 'video';
  const transcript = isJsonObject(part.audio) ? part.audio.transcript : part.transcript;
  if (typeof transcript === 'string') return `[${what}] ${transcript}`;
  return typeof name === 'string' && !isPlainPart ? `[${what} ${name}]` : `[${what}]`;
}
