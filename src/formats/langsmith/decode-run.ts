import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { type Decoded, msToNs, type Span, type SpanEvent, type SpanStatus } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { readTimestampNs } from '../trail/iso-time.ts';
import { runAttributes } from './run-attributes.ts';
import { failureOfTool } from './tool-run.ts';

const SCOPE = { name: 'langsmith', version: '' };

/** Whether a value looks like a LangSmith run, a page of them (`{runs}`), or a batch (`{post, patch}`). */
export function isLangSmith(value: Json | undefined): value is JsonObject {
  return isRun(value) || (isJsonObject(value) && runLists(value).some(({ list }) => list.some(isRun)));
}

function isRun(value: Json | undefined): value is JsonObject {
  return isJsonObject(value) && typeof value.run_type === 'string' && typeof value.id === 'string';
}

function runLists(value: JsonObject): { list: Json[]; pointer: string }[] {
  return ['post', 'patch', 'runs'].flatMap((key) => {
    const list = value[key];
    return Array.isArray(list) ? [{ list, pointer: `/${key}` }] : [];
  });
}

/**
 * LangSmith runs in the formats of its API and exports: one run, `{runs: […]}`, or `{post: […], patch: […]}`, where a patch
 * completes a post with the same id. Runs nested under `child_runs` also become spans. An unreadable run only affects
 * itself.
 */
export function decodeLangSmith(value: Json): Decoded {
  if (isRun(value)) return decodeRuns([{ value, pointer: '' }]);
  const lists = isJsonObject(value) ? runLists(value) : [];
  if (lists.length === 0) return { spans: [], rejections: [{ pointer: '', message: 'expected a run' }] };
  return decodeRuns(
    lists.flatMap(({ list, pointer }) => list.map((run, at) => ({ value: run, pointer: `${pointer}/${at}` }))),
  );
}

export interface PlacedRun {
  value: Json;
  pointer: string;
  /** Set if other bodies may contain more about the run: `begin` for a post, `update` for a patch, `joined` for both. */
  part?: 'begin' | 'update' | 'joined';
}

/** Runs in one request of the API: each is a part of a run that other requests start or complete. */
export function decodeRunBatch(value: Json): Decoded {
  const lists = isJsonObject(value) ? runLists(value) : [];
  return decodeRuns(
    lists.flatMap(({ list, pointer }) =>
      list.map((run, at) => ({ value: run, pointer: `${pointer}/${at}`, part: partUnder(pointer) })),
    ),
  );
}

export function partUnder(pointer: string): 'begin' | 'update' {
  return pointer.startsWith('/patch') ? 'update' : 'begin';
}

/** Runs of one body. Facts about a run from several places are merged; later ones take precedence. */
export function decodeRuns(placed: readonly PlacedRun[]): Decoded {
  const decoded: Decoded = { spans: [], rejections: [] };
  for (const { value, pointer, part } of joinById(withChildren(placed))) {
    const span = isJsonObject(value) ? readRun(value, part) : 'expected an object';
    if (typeof span === 'string') decoded.rejections.push({ pointer, message: span });
    else decoded.spans.push(span);
  }
  return decoded;
}

function withChildren(placed: readonly PlacedRun[]): PlacedRun[] {
  const all = [...placed];
  // The list grows during iteration, so that deep nesting cannot exhaust the call stack.
  for (const { value, pointer, part } of all) {
    if (!isJsonObject(value) || !Array.isArray(value.child_runs)) continue;
    // Parsed once: a long dotted_order for many children would be quadratic.
    const place = { trace_id: traceIdOf(value), parent_run_id: value.id ?? null };
    value.child_runs.forEach((child, at) => {
      const inherited = isJsonObject(child) ? { ...place, ...child } : child;
      all.push({ value: inherited, pointer: `${pointer}/child_runs/${at}`, part });
    });
  }
  return all;
}

function joinById(placed: readonly PlacedRun[]): PlacedRun[] {
  const sameId = Map.groupBy(placed, ({ value }) => (isJsonObject(value) ? value.id : null) ?? Symbol());
  return [...sameId.values()].map((runs) => (runs.length === 1 ? runs[0]! : joinRuns(runs)));
}

/** Posts before patches. All parts are merged at once: pairwise merging would copy known values repeatedly. */
function joinRuns(runs: readonly PlacedRun[]): PlacedRun {
  const { pointer, part } = runs[0]!;
  const [first, ...rest] = runs
    .toSorted((one, other) => Number(one.part === 'update') - Number(other.part === 'update'))
    .map(({ value }) => Object.entries(value as JsonObject));
  const value = Object.fromEntries([...first!, ...rest.flat().filter(([, member]) => member !== null)]);
  return { value, pointer, part: runs.every((run) => run.part === part) ? part : 'joined' };
}

function readRun(run: JsonObject, part: PlacedRun['part']): Span | string {
  try {
    return spanOf(run, part);
  } catch (error) {
    if (error instanceof RangeError) return 'nested too deep';
    throw error;
  }
}

function spanOf(run: JsonObject, part: PlacedRun['part']): Span | string {
  const spanId = idOf(run.id);
  const traceId = traceIdOf(run);
  if (spanId === null || traceId === null) return 'id must be a text of 1 to 128 characters';
  if (part !== undefined && run.trace_id == null && run.parent_run_id != null && lineage(run).length === 0)
    return 'trace_id or dotted_order is needed for a run with a parent';
  const startNs = timeNs(run.start_time);
  if (startNs === null && run.end_time == null && part !== 'update')
    return 'start_time must be an RFC 3339 time or Unix milliseconds';
  const endNs = timeNs(run.end_time);
  return {
    traceId,
    spanId,
    parentSpanId: parentIdOf(run),
    name: textOf(run.name) ?? '',
    kind: 1,
    startNs: startNs ?? 0n,
    // Ends come in whole milliseconds, starts in microseconds.
    endNs: endNs !== null && startNs !== null && endNs < startNs ? startNs : endNs,
    status: statusOf(run),
    attributes: {
      ...runAttributes(run, parentIdOf(run) === null),
      ...(part === undefined ? {} : { [MISSTEP.spanPart]: part }),
    },
    events: eventsOf(run, endNs ?? startNs ?? 0n),
    links: [],
    resource: {},
    scope: SCOPE,
  };
}

const PYTHON_STACK = 'Traceback (most recent call last)';

function statusOf(run: JsonObject): SpanStatus {
  const error = textOf(run.error) ?? failureOfTool(run);
  if (error === null) return { code: 0, message: '' };
  return { code: 2, message: error.startsWith(PYTHON_STACK) ? error : error.split(PYTHON_STACK, 1)[0]!.trimEnd() };
}

/** Python's SDK appends the stack to the error message. */
function eventsOf(run: JsonObject, endNs: bigint): SpanEvent[] {
  const stackAt = textOf(run.error)?.indexOf(PYTHON_STACK) ?? -1;
  if (stackAt <= 0) return [];
  const error = textOf(run.error)!;
  const attributes = {
    'exception.message': error.slice(0, stackAt).trimEnd(),
    'exception.stacktrace': error.slice(stackAt),
  };
  return [{ name: 'exception', timeNs: endNs, attributes }];
}

/** `<time>Z<id>.<time>Z<id>…` from the root to the run itself. */
function lineage(run: JsonObject): string[] {
  return (textOf(run.dotted_order) ?? '').split('.').flatMap((part) => {
    const zone = part.indexOf('Z');
    return zone < 0 ? [] : [part.slice(zone + 1)];
  });
}

function traceIdOf(run: JsonObject): string | null {
  return idOf(run.trace_id) ?? idOf(lineage(run)[0]) ?? idOf(run.id);
}

function parentIdOf(run: JsonObject): string | null {
  return idOf(run.parent_run_id) ?? idOf(lineage(run).at(-2));
}

function timeNs(value: Json | undefined): bigint | null {
  if (typeof value === 'number') return value >= 0 && value < 1e14 ? msToNs(value) : null;
  return typeof value === 'string' ? readTimestampNs(value) : null;
}

function idOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' && value.length <= 128 ? value : null;
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
