import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { FailedCode } from '../../core/trace.ts';
import { countOrNull, textOrNull } from './json-fields.ts';

/** Settings of the nodes that run code of the workflow, newest first. */
const CODE_SETTINGS = ['jsCode', 'pythonCode', 'functionCode'];
const MAX_CODE = 50_000;
const MAX_TEXT = 160;

/** The line of a code node that failed; null if the node has no code, or if its error names no line of it. */
export function failedCode(parameters: Json, error: JsonObject): FailedCode | null {
  const code = isJsonObject(parameters) ? codeOf(parameters) : null;
  const message = textOrNull(error.message) ?? '';
  const line = countOrNull(error.lineNumber) ?? lineIn(message);
  const text = code === null || line === null ? undefined : code.split('\n')[line - 1]?.trim();
  if (code === null || line === null || text === undefined || text === '') return null;
  const value = valueBefore(text, propertyIn(message));
  return {
    line,
    text: text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text,
    value,
    isFromInput: value === null ? null : isFromInput(value, code, 0),
  };
}

function codeOf(parameters: JsonObject): string | null {
  const code = CODE_SETTINGS.map((name) => textOrNull(parameters[name])).find((each) => each !== null);
  return code === undefined || code.length > MAX_CODE ? null : code;
}

/** `[line 3]` or `[line 3, for item 0]` */
function lineIn(message: string): number | null {
  const found = /\[line (\d{1,6})[\],]/.exec(message)?.[1];
  return found === undefined ? null : Number(found);
}

function propertyIn(message: string): string | null {
  return /of (?:undefined|null) \(reading '([\w$]{1,60})'\)/.exec(message)?.[1] ?? null;
}

const MAX_VALUE = 200;

/** The expression before the only read of a property in a line; null if there is none or more than one. */
function valueBefore(line: string, property: string | null): string | null {
  if (property === null) return null;
  const reads = [`.${property}`, `['${property}']`, `["${property}"]`].flatMap((read) => placesOf(line, read));
  if (reads.length !== 1) return null;
  const before = line.slice(0, reads[0]);
  return valueAtEnd(before.slice(-MAX_VALUE));
}

const OPENED_BY: Readonly<Record<string, string>> = { ')': '(', ']': '[' };

/** A name with its members, indexes and calls at the end of a text; null if there is none. */
function valueAtEnd(text: string): string | null {
  let start = text.length;
  while (start > 0) {
    const opening = OPENED_BY[text[start - 1]!];
    if (opening === undefined && !/[\w$.?]/.test(text[start - 1]!)) break;
    const before = opening === undefined ? start - 1 : text.lastIndexOf(opening, start - 1);
    if (before === -1) return null;
    start = before;
  }
  const value = text.slice(start);
  const isWhole = value.split('(').length === value.split(')').length && !/\?(?!\.)/.test(value);
  return isWhole && /^[A-Za-z_$]/.test(value) ? value : null;
}

function placesOf(line: string, read: string): number[] {
  const places: number[] = [];
  for (let at = line.indexOf(read); at !== -1; at = line.indexOf(read, at + 1))
    if (!read.startsWith('.') || !/[\w$]/.test(line[at + read.length] ?? '')) places.push(at);
  return places;
}

/** Names under which n8n gives the items of the input to code. `$` is the function for the items of an earlier node. */
const INPUT_NAMES = new Set([
  '$json',
  '$input',
  '$items',
  '$binary',
  '$node',
  '$',
  'items',
  'item',
  '_input',
  '_json',
  '_items',
]);
const LITERALS = new Set(['of', 'undefined', 'null', 'true', 'false', 'NaN', 'new', 'Map', 'Set', 'Array', 'Object']);
const MAX_DEPTH = 4;

/** Whether an expression is read from the input: by itself, or through variables that the code sets once. */
function isFromInput(value: string, code: string, depth: number): boolean | null {
  const root = /^[\w$]{1,61}/.exec(value)?.[0] ?? '';
  const origins = originsOf(root, code);
  if (origins.length === 0) return INPUT_NAMES.has(root) ? true : null;
  if (origins.length > 1 || depth === MAX_DEPTH) return null;
  const names = namesIn(origins[0]!).filter((name) => !LITERALS.has(name));
  // The members of an object can be set without a new value of its name.
  if (names.length === 0) return value === root ? false : null;
  const found = names.map((name) => (name === root ? null : isFromInput(name, code, depth + 1)));
  return found.includes(true) ? true : null;
}

/** The texts that give a name its value: assignments, loops over a list, and the list whose function has it as parameter. */
function originsOf(name: string, code: string): string[] {
  const origins: string[] = [];
  const isPart = (at: number) => /[\w$.]/.test(code[at - 1] ?? '') || /[\w$]/.test(code[at + name.length] ?? '');
  for (let at = code.indexOf(name); at !== -1 && name !== ''; at = code.indexOf(name, at + name.length)) {
    if (isPart(at)) continue;
    const before = code.slice(Math.max(0, at - MAX_VALUE), at);
    const after = code.slice(at + name.length, at + MAX_VALUE);
    // `const { order } = …`: what it takes is not followed.
    const origin = /[{[,]\s{0,9}$/.test(before) && /^\s{0,9}[}\],]/.test(after) ? name : originAt(before, after);
    if (origin !== null) origins.push(origin);
  }
  return origins;
}

const ASSIGNED = /^\s{0,9}[-+*/|&?]{0,2}=(?![=>])([^;\n]{0,160})/;
/** The function of a list begins: `.map(`, `.forEach((` */
const FUNCTION_OF_LIST = /\.(?:map|forEach|filter|find|some|every|flatMap|reduce)\((?:async )?\(?$/;

function originAt(before: string, after: string): string | null {
  const given = ASSIGNED.exec(after)?.[1];
  if (given !== undefined) return given;
  const list = /^\s{1,9}of\s/.test(after) ? after.slice(0, after.indexOf('\n') + 1 || after.length) : null;
  if (/\b(?:let|var)\s{1,9}$/.test(before)) return list ?? 'undefined';
  if (/\bconst\s{1,9}$/.test(before)) return list;
  const called = FUNCTION_OF_LIST.exec(before);
  return called === null ? null : before.slice(before.lastIndexOf('\n', called.index) + 1, called.index);
}

/** Names in an expression: not members, not texts in quotation marks. */
function namesIn(text: string): string[] {
  const plain = text.replace(/'[^'\n]{0,160}'|"[^"\n]{0,160}"/g, '');
  return [...plain.matchAll(/(?<![\w$.])[A-Za-z_$][\w$]{0,60}/g)].map(([name]) => name);
}
