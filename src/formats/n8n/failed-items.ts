import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Takeover } from '../../core/trace.ts';
import type { Execution, NodeRun } from './execution-shape.ts';
import { mainOutputs, type RunLookup } from './items.ts';
import { objectOr, textOrNull } from './json-fields.ts';

/** Items that a node failed for, in a run that n8n counts as a success because the node is set to continue. */
export interface FailedItems {
  error: JsonObject;
  takenOverBy: Takeover;
}

/** Items that are looked at; a node may be given thousands. */
const MOST_ITEMS = 200;

/** The failures of one run of a node; null where it failed for no item, or stops the workflow when it does. */
export function failedItems(run: NodeRun, execution: Execution, runOf: RunLookup): FailedItems | null {
  const onError = execution.nodes.get(run.node)?.onError ?? 'stop';
  if (onError === 'stop' || run.error !== null) return null;
  const outputs = mainOutputs(run);
  const known = errorsGivenTo(run, runOf);
  const isOwn = (error: JsonObject) => !known.has(JSON.stringify(error));
  const isSplit = onError === 'error_output' && outputs.length > 1;
  const failed = isSplit ? leftByErrorOutput(outputs.at(-1)!) : errorsIn(outputs.flat() as Json[]).filter(isOwn);
  if (failed.length === 0) return null;
  const count = outputs.reduce((sum, items) => sum + items.length, 0);
  return {
    error: failed.length === count ? failed[0]! : withShare(failed[0]!, failed.length, count),
    takenOverBy: takeoverOf(run, execution, isSplit ? outputs.length - 1 : null),
  };
}

function leftByErrorOutput(items: readonly Json[]): JsonObject[] {
  return items.map((item) => errorOf(item) ?? { message: 'The item left the node by its error output.' });
}

function errorsIn(items: readonly Json[]): JsonObject[] {
  return items
    .slice(0, MOST_ITEMS)
    .map(errorOf)
    .filter((error) => error !== null);
}

function withShare(error: JsonObject, failed: number, count: number): JsonObject {
  const message = textOrNull(error.message) ?? textOrNull(error.name) ?? 'The node failed';
  return { ...error, message: `${message} (${failed} of ${count} items)` };
}

/** `{error: "…"}`, `{error: {message, name, …}}`, or an error beside the data of the item. */
function errorOf(item: Json): JsonObject | null {
  if (!isJsonObject(item)) return null;
  const said = objectOr(item.json).error ?? item.error;
  if (isJsonObject(said)) return textOrNull(said.message) === null ? null : said;
  return typeof said === 'string' && said !== '' ? { message: said } : null;
}

/** A failure of a node before, handed on in the items, is not this node's. */
function errorsGivenTo(run: NodeRun, runOf: RunLookup): Set<string> {
  const given = run.source.flatMap((from) => {
    const before = runOf(from.node, from.run);
    return before === null ? [] : (mainOutputs(before)[from.output] ?? []);
  });
  return new Set(errorsIn(given).map((error) => JSON.stringify(error)));
}

/** @param errorOutput number of the error output that the items left by; null where they went on with the others */
function takeoverOf(run: NodeRun, { nodes, connections }: Execution, errorOutput: number | null): Takeover {
  const next = (connections.get(run.node) ?? []).filter(({ kind }) => kind === 'main');
  if (errorOutput !== null) return next.some(({ output }) => output === errorOutput) ? 'fail_branch' : 'dropped_item';
  const isHandled = next.some(({ to }) => asksForError(nodes.get(to)?.parameters ?? null));
  return isHandled ? 'fail_branch' : 'error_item';
}

/** Whether the settings of the next node look at the error: then the failure has a way of its own. */
function asksForError(parameters: Json): boolean {
  return /\.error\b|\["error"\]|\['error'\]/.test(JSON.stringify(parameters).replaceAll('\\"', '"'));
}
