import { isJsonObject, type Json, type JsonObject, parseJson } from '../../../core/json.ts';
import { commandForm } from '../shell/command-form.ts';
import { type FencedBlock, fencedBlocks } from './fenced-code.ts';

/** A call that a model writes as text in its answer, for programs that do not use the tool calls of the model's API. */
export interface WrittenForm {
  name: string;
  arguments: Json;
}

/**
 * How a program asks the model to write a call:
 * - `labelled`: `Action: name` with `Action Input: …`, or `Action: name[…]` (ReAct, https://arxiv.org/abs/2210.03629)
 * - `element`: `<name>…</name>`, also with a JSON call inside
 * - `json`: an object with the name and the arguments of a call
 * - `bracket`: `name[…]` in the last line
 * - `fence`: one fenced block of shell commands, or one without a language
 * - `command`: the whole answer is one line of shell commands
 */
export const CALL_FORMS = ['labelled', 'element', 'json', 'bracket', 'fence', 'command'] as const;
export type CallForm = (typeof CALL_FORMS)[number];

/** Longer answers are not read. */
const MAX_CHARACTERS = 40_000;

/** The call that an answer contains in one form; null without one. */
export function callInForm(form: CallForm, text: string): WrittenForm | null {
  return text.length > MAX_CHARACTERS ? null : READERS[form](text);
}

const READERS: Record<CallForm, (text: string) => WrittenForm | null> = {
  labelled: labelledCall,
  element: elementCall,
  json: jsonCall,
  bracket: (text) => bracketCall(lastLine(text)),
  fence: fencedCall,
  command: commandCall,
};

const ACTION = /^[ *]{0,4}Action(?: \d{1,3})?[ *]{0,3}:[ *]{0,4}/;
const ACTION_INPUT = /^[ *]{0,4}Action Input(?: \d{1,3})?[ *]{0,3}:[ *]{0,4}/;

function labelledCall(text: string): WrittenForm | null {
  const lines = text.split('\n');
  const at = lines.findLastIndex((line) => ACTION.test(line));
  const action = at < 0 ? '' : lines[at]!.replace(ACTION, '').trim();
  if (action === '') return null;
  const inputAt = lines.findIndex((line, index) => index > at && ACTION_INPUT.test(line));
  if (inputAt > 0) {
    const input = [lines[inputAt]!.replace(ACTION_INPUT, ''), ...lines.slice(inputAt + 1)].join('\n').trim();
    return { name: action.slice(0, MAX_NAME), arguments: input };
  }
  return bracketCall(action) ?? { name: firstWord(action), arguments: action };
}

const MAX_NAME = 60;

function firstWord(text: string): string {
  return text.split(/\s/, 1)[0]!.slice(0, MAX_NAME);
}

const NAME = /^[\p{L}_][\p{L}\p{N}_.-]{0,59}/u;
const CLOSING: Readonly<Record<string, string>> = { '[': ']', '(': ')' };

/** `name[…]` or `name(…)`, and nothing else. */
function bracketCall(line: string): WrittenForm | null {
  const name = NAME.exec(line)?.[0] ?? '';
  const closing = CLOSING[line.charAt(name.length)];
  if (name === '' || closing === undefined || !line.endsWith(closing)) return null;
  return { name, arguments: line.slice(name.length + 1, -1) };
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1)!.trim();
}

/** Elements that contain text and no call. */
const TEXT_ELEMENTS = new Set(
  'think thinking thought thoughts reasoning reflection plan analysis answer response result output summary p b i ul li'.split(
    ' ',
  ),
);
/** Number of elements that are examined, and the longest tag. */
const MAX_ELEMENTS = 40;
const MAX_TAG = 400;
const TAG = /^([A-Za-z_][\w.-]{0,59})(?:=([\w.-]{1,60}))?(?:\s|$)/;

function elementCall(text: string): WrittenForm | null {
  let at = text.indexOf('<');
  for (let read = 0; at !== -1 && read < MAX_ELEMENTS; read += 1) {
    const call = callInElement(text, at + 1);
    if (call !== null) return call;
    at = text.indexOf('<', at + 1);
  }
  return null;
}

function callInElement(text: string, start: number): WrittenForm | null {
  const end = text.slice(start, start + MAX_TAG).indexOf('>');
  const [, name, named] = (end === -1 ? null : TAG.exec(text.slice(start, start + end))) ?? [];
  if (name === undefined || TEXT_ELEMENTS.has(name.toLowerCase())) return null;
  const closing = text.indexOf(`</${name}>`, start + end);
  if (closing === -1) return null;
  const content = text.slice(start + end + 1, closing).trim();
  if (named !== undefined) return { name: named, arguments: content };
  return callOf(parseJson(content)) ?? { name, arguments: content };
}

function jsonCall(text: string): WrittenForm | null {
  const fenced = closedBlocks(text).findLast(
    ({ language, code }) => JSON_LANGUAGES.has(language) && code.startsWith('{'),
  );
  return callOf(parseJson(fenced?.code ?? text.trim()));
}

const JSON_LANGUAGES = new Set(['', 'json']);

const NAME_KEYS = ['action', 'tool', 'tool_name', 'function', 'command', 'name', 'actions', 'commands'];
const ARGUMENT_KEYS = ['action_input', 'arguments', 'args', 'input', 'parameters', 'params', 'tool_input', 'kwargs'];

/** The call that an object describes. Its other members, such as a thought, are no part of the call. */
function callOf(value: Json | undefined): WrittenForm | null {
  if (value === undefined || !isJsonObject(value)) return null;
  const key = NAME_KEYS.find((name) => Object.hasOwn(value, name));
  if (key === undefined) return null;
  const named = value[key]!;
  if (typeof named === 'string' && named !== '') return withArguments(value, named);
  if (isJsonObject(named)) return callOf(named) ?? membersCall(named);
  return Array.isArray(named) && named.length > 0 ? { name: key, arguments: named } : null;
}

function withArguments(value: JsonObject, named: string): WrittenForm {
  const key = ARGUMENT_KEYS.find((name) => Object.hasOwn(value, name));
  return { name: firstWord(named), arguments: key === undefined ? named : value[key]! };
}

/** `{"click": {"index": 3}}` */
function membersCall(value: JsonObject): WrittenForm | null {
  const [first] = Object.entries(value);
  return first === undefined ? null : { name: first[0], arguments: first[1] };
}

function closedBlocks(text: string): FencedBlock[] {
  return fencedBlocks(text).filter(({ isClosed }) => isClosed);
}

const SHELLS = new Set(['bash', 'sh', 'shell', 'console', 'zsh', 'powershell', 'cmd']);

/** The only block of a shell, or the only block without a language. Several blocks are explanations. */
function fencedCall(text: string): WrittenForm | null {
  const blocks = closedBlocks(text);
  const shell = blocks.filter(({ language }) => SHELLS.has(language));
  const [block] = shell.length > 0 ? shell : blocks.filter(({ language }) => language === '');
  const isOnly = shell.length === 1 || (shell.length === 0 && blocks.length === 1);
  if (block === undefined || !isOnly || block.code === '') return null;
  return { name: block.language === '' ? firstWord(block.code) : 'bash', arguments: block.code };
}

function commandCall(text: string): WrittenForm | null {
  const line = text.trim();
  return line.includes('\n') || commandForm(line) !== 'certain' ? null : { name: 'bash', arguments: line };
}
