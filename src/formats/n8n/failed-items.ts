import { PLACEHOLDER_ERROR, writtenError } from '../../core/decoder-error.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { ErrorFallback } from '../../core/trace.ts';
import type { Execution, NodeRun } from './execution-shape.ts';
import { mainOutputs, type RunLookup } from './items.ts';
import { objectOr, textOrNull } from './json-fields.ts';

/** Items for which a node failed, in a run that n8n counts as a success because the node is set to continue. */
export interface FailedItems {
  error: JsonObject;
  errorFallback: ErrorFallback;
}

/** Limit for the input outputs whose errors are compared with those of a run. */
const MAX_SOURCES = 50;

/** The failures of one node run; null if it failed for no item, or if a failure stops the workflow. */
export function failedItems(run: NodeRun, execution: Execution, runOf: RunLookup): FailedItems | null {
  const onError = execution.nodes.get(run.node)?.failureSettings.onError ?? 'stop';
  if (onError === 'stop' || run.error !== null) return null;
  const outputs = mainOutputs(run);
  const isSplit = onError === 'error_output' && outputs.length > 1;
  const failed = isSplit ? leftByErrorOutput(outputs.at(-1)!) : ownErrors(outputs.flat() as Json[], run, runOf);
  if (failed.length === 0) return null;
  const count = outputs.reduce((sum, items) => sum + items.length, 0);
  return {
    error: failed.length === count ? failed[0]! : withShare(failed[0]!, failed.length, count),
    errorFallback: errorFallbackOf(run, execution, isSplit ? outputs.length - 1 : null),
  };
}

function leftByErrorOutput(items: readonly Json[]): JsonObject[] {
  return items.map((item) => errorOf(item) ?? { message: PLACEHOLDER_ERROR.n8nItem });
}

function errorsIn(items: readonly Json[]): JsonObject[] {
  return items.map(errorOf).filter((error) => error !== null);
}

function withShare(error: JsonObject, failed: number, count: number): JsonObject {
  const message = textOrNull(error.message) ?? textOrNull(error.name);
  if (message === null) return { ...error, message: writtenError('n8nNodeItems', failed, count) };
  if (message === PLACEHOLDER_ERROR.n8nItem) return { ...error, message: writtenError('n8nItems', failed, count) };
  return { ...error, message: `${message} (${failed} of ${count} items)` };
}

/** `{error: "…"}`, `{error: {message, name, …}}`, or an error next to the data of the item. */
function errorOf(item: Json): JsonObject | null {
  if (!isJsonObject(item)) return null;
  const itemError = objectOr(item.json).error ?? item.error;
  if (isJsonObject(itemError)) return textOrNull(itemError.message) === null ? null : itemError;
  return typeof itemError === 'string' && itemError !== '' ? { message: itemError } : null;
}

/** Whether a text under `error` is an ordinary field of a data row, and not a failure. */
function isRowOfData(item: Json, given: ReadonlySet<string>): boolean {
  const data = isJsonObject(item) ? objectOr(item.json) : {};
  return typeof data.error === 'string' && Object.keys(data).some((field) => field !== 'error' && !given.has(field));
}

/** Field names of these items. */
function fieldsOf(outputs: readonly (readonly Json[])[]): Set<string> {
  const items = outputs.flatMap((output) => output.slice(0, MAX_FIELD_ITEMS));
  return new Set(items.flatMap((item) => Object.keys(isJsonObject(item) ? objectOr(item.json) : {})));
}

/** Limit for the items of one output whose fields are examined: items of one output are similar. */
const MAX_FIELD_ITEMS = 20;

/** A failure that an earlier node passed on in the items is not a failure of this node. */
function ownErrors(items: readonly Json[], run: NodeRun, runOf: RunLookup): JsonObject[] {
  const suspects = items.filter((item) => errorOf(item) !== null);
  if (suspects.length === 0) return [];
  const outputs = outputsGivenTo(run, runOf);
  const fields = fieldsOf(outputs);
  const errors = errorsIn(suspects.filter((item) => !isRowOfData(item, fields)));
  const given = outputs.map(errorTexts);
  return errors.filter((error) => {
    const text = JSON.stringify(error);
    return !given.some((texts) => texts.has(text));
  });
}

/** Each output once, even if the run names it several times. */
function outputsGivenTo(run: NodeRun, runOf: RunLookup): Json[][] {
  const sources = new Map(run.source.map((from) => [`${from.output} ${from.run} ${from.node}`, from]));
  return [...sources.values()].slice(0, MAX_SOURCES).flatMap((from) => {
    const before = runOf(from.node, from.run);
    const items = before === null ? undefined : mainOutputs(before)[from.output];
    return items === undefined ? [] : [items];
  });
}

/** Cache of `errorTexts`: many runs may receive the same output. */
const TEXTS = new WeakMap<readonly Json[], ReadonlySet<string>>();

function errorTexts(items: readonly Json[]): ReadonlySet<string> {
  const texts = TEXTS.get(items) ?? new Set(errorsIn(items).map((error) => JSON.stringify(error)));
  TEXTS.set(items, texts);
  return texts;
}

/** @param errorOutput number of the error output that the items left by; null if they continued with the others */
function errorFallbackOf(run: NodeRun, { nodes, connections }: Execution, errorOutput: number | null): ErrorFallback {
  const next = (connections.get(run.node) ?? []).filter(({ kind }) => kind === 'main');
  if (errorOutput !== null) return next.some(({ output }) => output === errorOutput) ? 'fail_branch' : 'dropped_item';
  const isHandled = next.some(({ to }) => asksForError(nodes.get(to)?.parameters ?? null));
  return isHandled ? 'fail_branch' : 'error_item';
}

/** Whether the settings of the next node use the error: the failure is then handled. */
function asksForError(parameters: Json): boolean {
  return /\.error\b|\["error"\]|\['error'\]/.test(JSON.stringify(parameters).replaceAll('\\"', '"'));
}
