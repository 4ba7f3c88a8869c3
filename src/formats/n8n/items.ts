import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { NodeRun, RunSource } from './execution-shape.ts';
import { objectOr, textOrNull } from './json-fields.ts';
import { shortType } from './node-kind.ts';

/** Items beyond these are counted and not kept: a node may move thousands. */
const ITEMS_TOLD = 50;

export interface Items {
  count: number;
  /** The first ones, without the contents of files. */
  values: Json[];
  /** The one item, or the list of them; null if absent. */
  value: Json;
}

/** What a node gave on all its outputs of one kind of connection. */
export function itemsOut(run: NodeRun, kind: string): Items {
  return toItems(outputsOf(run.data, kind).flat() as Json[], giverOf(run));
}

/** The items of each output of a node's main connections. */
export function mainOutputs(run: NodeRun): Json[][] {
  return outputsOf(run.data, 'main');
}

function outputsOf(data: JsonObject, kind: string): Json[][] {
  const outputs = data[kind];
  return (Array.isArray(outputs) ? outputs : []).map((items) => (Array.isArray(items) ? items : []));
}

/** The items that came in, as the runs before gave them; null if the node itself says what it was given. */
export function itemsIn(source: readonly RunSource[], runOf: RunLookup): Items {
  const lists = source.map((from) => {
    const given = runOf(from.node, from.run);
    return toItems(given === null ? [] : (mainOutputs(given)[from.output] ?? []), given === null ? '' : giverOf(given));
  });
  const values = lists.flatMap(({ values }) => values).slice(0, ITEMS_TOLD);
  return { ...oneOrList(values), count: lists.reduce((sum, { count }) => sum + count, 0) };
}

/** The run of a node before, with what it gave. */
export type RunLookup = (node: string, runIndex: number) => NodeRun | null;

function toItems(items: readonly Json[], type: string): Items {
  const values = items.slice(0, ITEMS_TOLD).map((item) => (isJsonObject(item) ? payloadOf(item, type) : item));
  return { ...oneOrList(values), count: items.length };
}

function oneOrList(values: Json[]): Pick<Items, 'value' | 'values'> {
  return { values, value: values.length < 2 ? (values[0] ?? null) : values };
}

/** Without a drawing, the run that nothing came in to is the Webhook node's. */
function giverOf({ type, source }: NodeRun): string {
  return type === '' && source.length === 0 ? 'webhook' : type;
}

/** @param type of the node that gave the item: only the Webhook node's own item is an envelope around what a caller sent */
function payloadOf(item: JsonObject, type: string): Json {
  const json = item.json ?? null;
  if (!isJsonObject(json)) return json;
  const request = isRequest(json) ? (isWebhook(type) ? sentBody(json) : withoutTransport(json)) : json;
  return withFiles(withError(withoutFailedRun(request), item), item);
}

function isRequest(json: JsonObject): boolean {
  return isJsonObject(json.headers) && 'body' in json && 'webhookUrl' in json;
}

function isWebhook(type: string): boolean {
  return shortType(type) === 'webhook';
}

/** The body alone, where the address says nothing more. */
function sentBody({ body, ...envelope }: JsonObject): Json {
  const said = ['params', 'query'].filter((key) => Object.keys(objectOr(envelope[key])).length > 0);
  if (said.length === 0) return body ?? null;
  return { ...Object.fromEntries(said.map((key) => [key, envelope[key]!])), body: body ?? null };
}

/** A request that a later node handed on: how it was transported, with cookies and keys, is no data of the workflow. */
function withoutTransport({ headers: _, webhookUrl: __, executionMode: ___, ...data }: JsonObject): JsonObject {
  for (const key of ['params', 'query']) if (Object.keys(objectOr(data[key])).length === 0) delete data[key];
  return data;
}

/** An Error Trigger's item holds the failed run: the failure is that run's own and must not count twice. */
function withoutFailedRun(json: Json): Json {
  if (!isJsonObject(json)) return json;
  const execution = objectOr(json.execution);
  if (!isJsonObject(execution.error) || !isJsonObject(json.workflow)) return json;
  return { ...json, execution: { id: execution.id ?? null } };
}

/** Some nodes put the failure of an item beside its data. */
function withError(json: Json, { error }: JsonObject): Json {
  const message = isJsonObject(error) ? textOrNull(error.message) : null;
  return message === null || !isJsonObject(json) || 'error' in json ? json : { ...json, error: message };
}

const FILE_FACTS = ['fileName', 'mimeType', 'fileSize'];

/** Files by their names; their contents are omitted. */
function withFiles(json: Json, { binary }: JsonObject): Json {
  const files = Object.entries(objectOr(binary)).filter(([, file]) => isJsonObject(file));
  if (files.length === 0 || !isJsonObject(json) || 'binary' in json) return json;
  return { ...json, binary: Object.fromEntries(files.map(([name, file]) => [name, factsOf(objectOr(file))])) };
}

function factsOf(file: JsonObject): JsonObject {
  return Object.fromEntries(FILE_FACTS.flatMap((key) => (file[key] === undefined ? [] : [[key, file[key]]])));
}

/** Empty items stand for "done, nothing to say". */
export function isInformative({ value }: Items): boolean {
  if (value === null) return false;
  return !isJsonObject(value) || Object.keys(value).length > 0;
}

/** The first item of one kind of connection, empty if absent. */
export function firstItem(run: NodeRun, kind: string): JsonObject {
  return firstOf(itemsOut(run, kind));
}

/** The first item that the node says it was given. */
export function firstGiven(run: NodeRun, kind: string): JsonObject {
  return firstOf(toItems(outputsOf(run.inputOverride, kind).flat() as Json[], ''));
}

/** The first item, empty if absent or it is no object. */
export function firstOf({ values }: Pick<Items, 'values'>): JsonObject {
  return objectOr(values[0]);
}
