import { type CsvError, type Info, parse } from 'csv-parse/sync';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import { type OwnLabels, readOwnLabels } from './own-labels.ts';

/** An invalid line; `line` counts from 1. */
export interface LabelProblem {
  line: number;
  message: string;
}

export interface LabelFile {
  /** By trace id, in lower case as trace ids in hex are. */
  labels: Map<string, OwnLabels>;
  problems: LabelProblem[];
}

/**
 * Labels by trace: CSV with a header (`trace_id,failed,types,…`; several names in one cell are separated by `;`), or JSON
 * lines with the same members, flat or under `labels`. An invalid line affects only itself; the last line of a trace counts.
 */
export function readLabelFile(text: string): LabelFile {
  const file: LabelFile = { labels: new Map(), problems: [] };
  const rows = text.trimStart().startsWith('{') ? jsonRows(text) : csvRows(text);
  for (const row of rows) {
    const problem = 'problem' in row ? row.problem : addLabel(row.value, file.labels);
    if (problem !== null) file.problems.push({ line: row.line, message: problem });
  }
  return file;
}

type Row = { line: number; value: JsonObject } | { line: number; problem: string };

function addLabel(value: JsonObject, labels: LabelFile['labels']): string | null {
  const id = value.trace_id ?? value.id;
  if (typeof id !== 'string' || id === '') return 'trace_id must be a string';
  const read = readOwnLabels(isJsonObject(value.labels) ? value.labels : value);
  if (typeof read === 'string') return read;
  labels.set(id.toLowerCase(), read);
  return null;
}

function jsonRows(text: string): Row[] {
  return text.split('\n').flatMap((line, nth): Row[] => {
    if (line.trim() === '') return [];
    const value = parseJson(line);
    return [isJsonObject(value) ? { line: nth + 1, value } : { line: nth + 1, problem: 'not a JSON object' }];
  });
}

function csvRows(text: string): Row[] {
  const rejected: Row[] = [];
  const parsed = parse<{ record: Record<string, string>; info: Info }>(text, {
    bom: true,
    columns: (head: string[]) => head.map((name) => name.trim().toLowerCase()),
    info: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    trim: true,
    on_skip: (error: CsvError | undefined) => {
      rejected.push({ line: Number(error?.lines ?? 0), problem: error?.message ?? 'unreadable' });
    },
  });
  const rows = parsed.map(({ record, info }): Row => {
    const value = cellsOf(record);
    return typeof value === 'string' ? { line: info.lines, problem: value } : { line: info.lines, value };
  });
  return [...rows, ...rejected].sort((a, b) => a.line - b.line);
}

const LISTS: ReadonlySet<string> = new Set(['types', 'judged_types']);
const FLAGS: ReadonlySet<string> = new Set(['failed', 'is_injection', 'is_hallucination']);
const NUMBERS: ReadonlySet<string> = new Set(['reward', 'mistake_step']);
const FLAG_WORDS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  '1': true,
  false: false,
  no: false,
  '0': false,
};

/** A row's cells by column; an empty cell is ignored, but an empty list of types means: none. */
function cellsOf(record: Record<string, string>): JsonObject | string {
  const cells: Record<string, Json> = {};
  for (const [name, text] of Object.entries(record)) {
    if (text === '' && name !== 'types') continue;
    if (LISTS.has(name)) cells[name] = text.split(/[;,\s]+/).filter(Boolean);
    else if (FLAGS.has(name)) {
      const flag = FLAG_WORDS[text.toLowerCase()];
      if (flag === undefined) return `${name}: ${JSON.stringify(text)} is neither true nor false`;
      cells[name] = flag;
    } else if (NUMBERS.has(name)) {
      if (!Number.isFinite(Number(text))) return `${name}: ${JSON.stringify(text)} is no number`;
      cells[name] = Number(text);
    } else cells[name] = text;
  }
  return cells;
}
