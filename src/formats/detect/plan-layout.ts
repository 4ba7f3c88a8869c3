import { isJsonObject, type Json, parseJson } from '../../core/json.ts';
import { createRecordSplitter, type Layout } from '../split/record-splitter.ts';
import { BODY_FORMATS } from './body-formats.ts';
import { JSON_FORMATS } from './json-formats.ts';

/** How to read a file: record by record, or only as a whole. */
export type Plan = Layout | { kind: 'whole' };

const WHOLE: Plan = { kind: 'whole' };
const MAX_INSPECTED = 50;

/** Names of lists whose elements can be decoded one by one. */
export const LIST_MEMBERS = [
  'resourceSpans',
  'resource_spans',
  'data',
  'runs',
  'traces',
  'observations',
  'executions',
  'results',
] as const;

/**
 * Determines from the start of a file how to read it with little memory.
 * @param head decompressed
 * @param isAll whether the file ends here
 */
export function planLayout(head: Buffer, isAll: boolean): Plan {
  if (BODY_FORMATS.some((format) => format.matches(head))) return WHOLE;
  const text = head.toString('utf8').replace(/^\ufeff/, '');
  const first = text.trimStart().charAt(0);
  const lines = completeLines(text, isAll);
  if (first === '[') return isJson(lines[0]) && lines.length > 1 ? { kind: 'lines' } : planArray(head);
  if (first === '{') return planObject(head, text, lines);
  return lines.some(isJsonLine) ? { kind: 'lines' } : WHOLE;
}

/** A list is decoded record by record, unless its format needs the list as a whole. */
function planArray(head: Buffer): Plan {
  const elements = recordsOf(head, { kind: 'array' });
  const isOneDocument = elements.length > 0 && isKnown([elements[0] as Json]);
  const hasKnown = elements.length === 0 || elements.some(isKnown);
  return hasKnown && !isOneDocument ? { kind: 'array' } : WHOLE;
}

function planObject(head: Buffer, text: string, lines: readonly string[]): Plan {
  if (isJson(lines[0])) return { kind: 'lines' };
  const isPretty = /^\s*\{\s*$/.test(lines[0] ?? '');
  if (!isPretty && lines.slice(1).some(isJsonLine)) return { kind: 'lines' };
  if (recordsOf(head, { kind: 'values' }).length > 0) return { kind: 'values' };
  // A Langfuse export has its trace before its observations: read record by record, the trace would be lost.
  if (/^\s*\{\s*"trace"\s*:\s*\{/.test(text)) return { kind: 'values' };
  const name = listMemberIn(text);
  return name === null ? { kind: 'values' } : { kind: 'member', name };
}

function completeLines(text: string, isAll: boolean): string[] {
  const lines = text.split('\n');
  if (!isAll) lines.pop();
  return lines.filter((line) => line.trim() !== '').slice(0, MAX_INSPECTED);
}

function isJson(line: string | undefined): boolean {
  return line !== undefined && parseJson(line) !== undefined;
}

/** Whether an object starts its line. Within a document over several lines it would be indented. */
function isJsonLine(line: string): boolean {
  return line.startsWith('{') && isJson(line);
}

function recordsOf(head: Buffer, layout: Layout): Json[] {
  const records = createRecordSplitter(layout, { maxBytes: head.length }).push(head);
  return records.slice(0, MAX_INSPECTED).flatMap(({ bytes }) => {
    const value = parseJson(bytes?.toString() ?? '');
    return value === undefined ? [] : [value];
  });
}

function isKnown(value: Json): boolean {
  return JSON_FORMATS.some((format) => format.matches(value)) || listIn(value) !== null;
}

const LIST_BEGINS = /"(\w{1,40})"\s{0,40}:\s{0,40}\[/g;

/** The first list of records among the members of the object at the start of `text`. */
function listMemberIn(text: string): string | null {
  const names: readonly string[] = LIST_MEMBERS;
  return [...text.matchAll(LIST_BEGINS)].map(([, name]) => name!).find((name) => names.includes(name)) ?? null;
}

/** Records that an object contains as a list, like pages of many APIs. */
export function listIn(value: Json): Json[] | null {
  if (!isJsonObject(value)) return null;
  for (const name of LIST_MEMBERS) {
    const list = value[name];
    if (Array.isArray(list) && list.length > 0 && list.every(isJsonObject)) return list;
  }
  return null;
}
