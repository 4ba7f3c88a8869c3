import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import { parsePythonLiteral } from './python-literal.ts';

/** A tool call as a model wrote it. */
export interface RequestedCall {
  /** The sender's id; null if there is none. */
  id: string | null;
  name: string;
  /** Null if there are none; text that is not a literal stays a text. */
  arguments: Json;
}

export interface RequestedCalls {
  calls: RequestedCall[];
  /** The answer without structured calls in its text. */
  prose: string;
}

/** Notations of a call in a model's answer, by priority; the first match is used. */
const READERS: readonly ((text: string) => RequestedCalls | null)[] = [
  chatMessage,
  bracketed,
  taggedJson,
  actionBlock,
  announced,
  reactAction,
];

/** The tool calls in a model's answer, in any notation; without a call, the whole text is prose. */
export function readRequestedCalls(text: string): RequestedCalls {
  for (const read of READERS) {
    const found = read(text);
    if (found !== null) return found;
  }
  return { calls: [], prose: text };
}

/** JSON or Python literal as a value, empty text as null, any other text as it is. */
export function readArguments(text: string): Json {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === 'None') return null;
  return parseJson(trimmed) ?? parsePythonLiteral(trimmed) ?? text;
}

/** Chat-completions message: `{"role": "assistant", "content": …, "tool_calls": [{"function": {…}}]}`. */
function chatMessage(text: string): RequestedCalls | null {
  if (!text.trimStart().startsWith('{')) return null;
  const message = parseJson(text);
  if (!isJsonObject(message) || !('role' in message || 'tool_calls' in message)) return null;
  const requested = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  return { calls: requested.flatMap(chatCall), prose: textOfContent(message.content) };
}

function chatCall(call: Json): RequestedCall[] {
  if (!isJsonObject(call)) return [];
  const details: JsonObject = isJsonObject(call.function) ? call.function : call;
  if (typeof details.name !== 'string') return [];
  const given = details.arguments ?? null;
  const id = typeof call.id === 'string' ? call.id : null;
  return [{ id, name: details.name, arguments: typeof given === 'string' ? readArguments(given) : given }];
}

/** The text of a message's content: a text, or the texts of a list of parts. */
export function textOfContent(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return content == null ? '' : JSON.stringify(content);
  return content.map((part) => (isJsonObject(part) && typeof part.text === 'string' ? part.text : '')).join('\n');
}

/** `[tool_call] name(arguments)`, each at the start of a line. */
function bracketed(text: string): RequestedCalls | null {
  const [prose, ...written] = `\n${text}`.split('\n[tool_call] ');
  if (written.length === 0) return null;
  const calls = written.flatMap((one) => {
    const open = one.indexOf('(');
    if (open <= 0) return [];
    const close = one.lastIndexOf(')');
    const given = one.slice(open + 1, close > open ? close : undefined);
    return [{ id: null, name: one.slice(0, open).trim(), arguments: readArguments(given) }];
  });
  return calls.length === 0 ? null : { calls, prose: prose!.slice(1) };
}

/** `<tool_call>{"name": …, "arguments": …}</tool_call>`. */
function taggedJson(text: string): RequestedCalls | null {
  const [prose, ...rest] = text.split('<tool_call>');
  const calls = rest.flatMap((one) => {
    const value = readArguments(one.split('</tool_call>', 1)[0]!);
    return chatCall(value);
  });
  return calls.length === 0 ? null : { calls, prose: prose!.trimEnd() };
}

/** `<action> tool: name … parameters: {…} </action>`; the block is also part of the prose. */
function actionBlock(text: string): RequestedCalls | null {
  const calls = text
    .split('<action>')
    .slice(1)
    .flatMap((one) => {
      const block = one.split('</action>', 1)[0]!;
      const name = /^\s*tool:[ \t]*(\S+)/.exec(block)?.[1];
      if (name === undefined) return [];
      const given = block.split(/^parameters:/m, 2)[1] ?? '';
      return [{ id: null, name, arguments: readArguments(given) }];
    });
  return calls.length === 0 ? null : { calls, prose: text };
}

/** `I will call the name with the params as arguments;`. */
function announced(text: string): RequestedCalls | null {
  const calls = text
    .split('I will call the ')
    .slice(1)
    .flatMap((one) => {
      const [name, given] = one.split(' with the params as ', 2);
      if (given === undefined || !/^[^\s;]{1,200}$/.test(name!)) return [];
      return [{ id: null, name: name!, arguments: readArguments(given.split(';', 1)[0]!) }];
    });
  return calls.length === 0 ? null : { calls, prose: text };
}

/** `Action: name` and, on the next line, `Action Input: arguments`. */
function reactAction(text: string): RequestedCalls | null {
  const lines = text.split('\n');
  const calls = lines.flatMap((line, at) => {
    const name = /^Action: ?(\S+)\s*$/.exec(line)?.[1];
    const given = /^Action Input:(.*)$/.exec(lines[at + 1] ?? '')?.[1];
    return name === undefined || given === undefined ? [] : [{ id: null, name, arguments: readArguments(given) }];
  });
  return calls.length === 0 ? null : { calls, prose: text };
}

const SCRIPT_LANGUAGES: ReadonlySet<string> = new Set(['bash', 'sh', 'shell', 'python', 'py', 'python3']);

/** The scripts in fenced code blocks, joined; null if the text has none. For steps that an executor ran. */
export function readScript(text: string): string | null {
  const scripts: string[] = [];
  let open: string[] | null = null;
  let isScript = false;
  for (const line of text.split('\n')) {
    if (!line.startsWith('```')) {
      open?.push(line);
    } else if (open === null) {
      isScript = SCRIPT_LANGUAGES.has(line.slice(3).trim().toLowerCase());
      open = [];
    } else {
      if (isScript) scripts.push(open.join('\n'));
      open = null;
    }
  }
  return scripts.length === 0 ? null : scripts.join('\n\n');
}
