import type { Trace } from '../../../src/core/trace.ts';

/** The kinds of names that a rename replaces. */
export const RENAMES = [
  'tools',
  'tools with a suffix',
  'tools with a prefix',
  'tools in German',
  'tools in Spanish',
  'tools in Polish',
  'tools in Japanese',
  'agents',
  'ids',
  'files',
] as const;
export type Rename = (typeof RENAMES)[number];

/** Replaces names in all texts of a value and in the keys of its objects. */
export type Replace = (text: string) => string;

/**
 * A copy of the run with other names. A name is replaced wherever it is written as a whole word: in definitions, calls,
 * results and texts. `rename` returns null if the run has no such names.
 */
export function renamed(trace: Trace, rename: Rename): { trace: Trace; replace: Replace } | null {
  const replace = replacementIn(trace, rename);
  if (replace === null) return null;
  const other = mapTexts(trace, replace);
  return { trace: rename === 'ids' ? withOtherIds(other) : other, replace };
}

/** Other ids of the run, its session, its spans and its messages. */
function withOtherIds(trace: Trace): Trace {
  const other = (id: string | null) => (id === null ? null : `z${id}`);
  return {
    ...trace,
    traceId: `z${trace.traceId}`,
    sessionId: other(trace.sessionId),
    steps: trace.steps.map((step) => ({
      ...step,
      spanId: `z${step.spanId}`,
      ...(step.messageId === undefined ? {} : { messageId: `z${step.messageId}` }),
    })),
    states: trace.states.map((state) => ({ ...state, spanId: `z${state.spanId}` })),
  };
}

/** The replacement for one run; null if it has nothing to rename. */
export function replacementIn(trace: Trace, rename: Rename): Replace | null {
  if (rename === 'ids') return renameIds;
  if (rename === 'files') return containsPath(trace) ? renamePaths : null;
  const names = rename === 'agents' ? agentNames(trace) : toolNames(trace);
  if (names.length === 0) return null;
  return replaceWords(new Map(names.map((name, at) => [name, otherName(name, at, rename)])));
}

/** Applies a replacement to every text and every key of a value and keeps the rest. */
export function mapTexts<Value>(value: Value, replace: Replace): Value {
  if (typeof value === 'string') return replace(value) as Value;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, replace)) as Value;
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([key, item]) => {
    if (FIXED_VALUES.has(key)) return [key, item];
    return [FIELDS.has(key) ? key : replace(key), mapTexts(item, replace)];
  });
  return Object.fromEntries(entries) as Value;
}

/** Values of the trace model that are not names of the run. */
const FIXED_VALUES: ReadonlySet<string> = new Set([
  ...['kind', 'status', 'role', 'framework', 'model', 'models', 'provider', 'finishReasons', 'answeredBy'],
  ...['stateHash', 'endedBy', 'errorFallback', 'source', 'by', 'trigger', 'rule'],
]);
/** Keys of the trace model, which a tool or an agent of the same name must not change. */
const FIELDS: ReadonlySet<string> = new Set([
  ...['name', 'agent', 'node', 'state', 'states', 'steps', 'task', 'input', 'output', 'error', 'tool', 'tools'],
  ...['message', 'content', 'arguments', 'result', 'agents', 'graph', 'nodes', 'edges', 'from', 'to', 'type'],
  ...['documents', 'goto', 'items', 'id', 'index', 'path', 'rounds', 'round', 'done', 'failed', 'depth', 'delta'],
]);

function toolNames(trace: Trace): string[] {
  const called = trace.steps.flatMap(({ tool, outputMessages, inputMessages }) => [
    ...(tool === null ? [] : [tool.name]),
    ...[...inputMessages, ...outputMessages].flatMap(({ toolCalls }) => toolCalls.map(({ name }) => name)),
  ]);
  return distinct([...trace.toolDefinitions.map(({ name }) => name), ...called]);
}

function agentNames(trace: Trace): string[] {
  const nodes = trace.steps.flatMap(({ agent, node }) => [agent, node]);
  const declared = trace.graph?.nodes.map(({ name }) => name) ?? [];
  const all = distinct([...trace.agents, ...nodes.filter((name) => name !== null), ...declared]);
  return all.filter((name) => !ROLES.has(name.toLowerCase()));
}

const ROLES: ReadonlySet<string> = new Set(['user', 'assistant', 'system', 'tool', 'human', 'end', 'start']);

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => name !== '').sort((one, other) => other.length - one.length);
}

function otherName(name: string, at: number, rename: Rename): string {
  if (rename === 'tools with a suffix') return `${name}_v2`;
  if (rename === 'tools with a prefix') return `mcp__desk__${name}`;
  const words = NAMES_IN[rename];
  return words === undefined ? inventedWord(at) : `${words[at % words.length]}${at < words.length ? '' : at}`;
}

/** Names of tools in other languages, regardless of the tool: detections must not depend on the meaning of a name. */
const NAMES_IN: Partial<Record<Rename, readonly string[]>> = {
  'tools in German': ['befehl_ausführen', 'datei_schreiben', 'nachschlagen', 'abgeben', 'warten', 'übergeben'],
  'tools in Spanish': ['ejecutar_orden', 'escribir_archivo', 'buscar_dato', 'entregar', 'esperar', 'derivar'],
  'tools in Polish': ['uruchom_polecenie', 'zapisz_plik', 'wyszukaj', 'oddaj', 'czekaj', 'przekaż'],
  'tools in Japanese': ['コマンド実行', 'ファイル書き込み', '検索', '提出', '待機', '引き継ぎ'],
};

/** Pronounceable, without a meaning in any of the languages of the tests, and different for each place. */
function inventedWord(at: number): string {
  const syllables = ['ko', 'vu', 'ri', 'ma', 'zo', 'pe', 'lu', 'ta'];
  return `q${syllables[at % 8]}${syllables[Math.floor(at / 8) % 8]}${syllables[Math.floor(at / 64) % 8]}n`;
}

/** Also replaces a name with a capital letter, as in `Search[…]`. The language of a code block is no name. */
function replaceWords(others: ReadonlyMap<string, string>): Replace {
  const all = new Map(
    [...others].flatMap(([name, other]): [string, string][] => [
      [capital(name), capital(other)],
      [name, other],
    ]),
  );
  const words = [...all.keys()].map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`(?<!\`\`\`|[\\p{L}\\p{N}])(?:${words.join('|')})(?![\\p{L}\\p{N}])`, 'gu');
  return (text) => text.replace(pattern, (word) => all.get(word)!);
}

function capital(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

const UUID = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi;
/** `ORD-1007`, `order_1007`, `T123`; an id of the trace itself. */
const KEY = /(?<![\p{L}\p{N}./-])(?:[A-Z]{1,8}-?\d{2,12}|[a-z]{2,8}_\d{2,12})(?![\p{L}\p{N}]|\.\p{L})/gu;
const DIGITS = '0472916853';

function renameIds(text: string): string {
  const otherDigits = (id: string) => id.replace(/\d/g, (digit) => DIGITS[Number(digit)]!);
  return text.replace(UUID, otherDigits).replace(KEY, otherDigits);
}

/** A path with a slash, or a file name with an ending. */
const PATH =
  /(?<![\p{L}\p{N}:/.@_-])(?:\.{0,2}\/)?(?:[\p{L}\p{N}_-]+\/)*[\p{L}\p{N}_-]+\.(?:py|ts|js|md|json|txt|csv|go|rs|toml|sh|c|java|html|log)\b|(?<![\p{L}\p{N}:/.@_<-])(?:\/[\p{L}\p{N}_-]+){2,}/gu;
/** Folders and name parts that have a meaning in every tool chain. */
const FIXED_PARTS: ReadonlySet<string> = new Set([
  'a',
  'b',
  ...['test', 'tests', 'spec', 'src', 'lib', 'tmp', 'dev', 'null', 'bin', 'etc', 'usr', 'home', 'package'],
  ...['py', 'ts', 'js', 'md', 'json', 'txt', 'csv', 'go', 'rs', 'toml', 'sh', 'c', 'java', 'html', 'log'],
]);

/** Replaces the words of each path and keeps its folders, form and extension. */
function renamePaths(text: string): string {
  return text.replace(PATH, (path) =>
    path.replace(/\p{L}+/gu, (word) => (FIXED_PARTS.has(word.toLowerCase()) ? word : `${word.slice(1)}${word[0]}ux`)),
  );
}

function containsPath(trace: Trace): boolean {
  return JSON.stringify(mapTexts(trace.steps, renamePaths)) !== JSON.stringify(trace.steps);
}
