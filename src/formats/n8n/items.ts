import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { NodeRun, RunSource } from './execution-shape.ts';
import { objectOr, textOrNull } from './json-fields.ts';
import { shortType } from './node-kind.ts';

/** Further items are counted but not stored: a node may process thousands. */
const MAX_STORED_ITEMS = 50;

export interface Items {
  count: number;
  /** The first items, without the contents of files. */
  values: Json[];
  /** The only item, or the list of items; null if there are none. */
  value: Json;
}

/** Items on all outputs of a node for one kind of connection. */
export function itemsOut(run: NodeRun, kind: string): Items {
  return toItems(outputsOf(run.data, kind).flat() as Json[], sourceTypeOf(run));
}

/** The items of each output of a node's main connections. */
export function mainOutputs(run: NodeRun): Json[][] {
  return outputsOf(run.data, 'main');
}

function outputsOf(data: JsonObject, kind: string): Json[][] {
  const outputs = data[kind];
  return (Array.isArray(outputs) ? outputs : []).map((items) => (Array.isArray(items) ? items : []));
}

/** The input items from the preceding runs; null if the node itself records its input. */
export function itemsIn(source: readonly RunSource[], runOf: RunLookup): Items {
  const lists = source.map((from) => {
    const given = runOf(from.node, from.run);
    return toItems(
      given === null ? [] : (mainOutputs(given)[from.output] ?? []),
      given === null ? '' : sourceTypeOf(given),
    );
  });
  const values = lists.flatMap(({ values }) => values).slice(0, MAX_STORED_ITEMS);
  return { ...oneOrList(values), count: lists.reduce((sum, { count }) => sum + count, 0) };
}

/** Finds the run of a preceding node, with its output. */
export type RunLookup = (node: string, runIndex: number) => NodeRun | null;

function toItems(items: readonly Json[], type: string): Items {
  const values = items.slice(0, MAX_STORED_ITEMS).map((item) => (isJsonObject(item) ? payloadOf(item, type) : item));
  return { ...oneOrList(values), count: items.length };
}

function oneOrList(values: Json[]): Pick<Items, 'value' | 'values'> {
  return { values, value: values.length < 2 ? (values[0] ?? null) : values };
}

/** Without a declared graph, the run without input is that of the Webhook node. */
function sourceTypeOf({ type, source }: NodeRun): string {
  return type === '' && source.length === 0 ? 'webhook' : type;
}

/** @param type of the node that output the item: only the Webhook node's own item is an envelope around the caller's data */
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

/** Only the body, if the address adds nothing. */
function sentBody({ body, ...envelope }: JsonObject): Json {
  const present = ['params', 'query'].filter((key) => Object.keys(objectOr(envelope[key])).length > 0);
  if (present.length === 0) return body ?? null;
  return { ...Object.fromEntries(present.map((key) => [key, envelope[key]!])), body: body ?? null };
}

/** A request that a later node passed on. Its transport data, with cookies and keys, is not data of the workflow. */
function withoutTransport({ headers: _, webhookUrl: __, executionMode: ___, ...data }: JsonObject): JsonObject {
  for (const key of ['params', 'query']) if (Object.keys(objectOr(data[key])).length === 0) delete data[key];
  return data;
}

/** An Error Trigger's item contains the failed run, whose failure must not count twice. */
function withoutFailedRun(json: Json): Json {
  if (!isJsonObject(json)) return json;
  const execution = objectOr(json.execution);
  if (!isJsonObject(execution.error) || !isJsonObject(json.workflow)) return json;
  return { ...json, execution: { id: execution.id ?? null } };
}

/** Some nodes put the failure of an item next to its data. */
function withError(json: Json, { error }: JsonObject): Json {
  const message = isJsonObject(error) ? textOrNull(error.message) : null;
  return message === null || !isJsonObject(json) || 'error' in json ? json : { ...json, error: message };
}

const FILE_FACTS = ['fileName', 'mimeType', 'fileSize'];

/** Files by name; their contents are omitted. */
function withFiles(json: Json, { binary }: JsonObject): Json {
  const files = Object.entries(objectOr(binary)).filter(([, file]) => isJsonObject(file));
  if (files.length === 0 || !isJsonObject(json) || 'binary' in json) return json;
  return { ...json, binary: Object.fromEntries(files.map(([name, file]) => [name, factsOf(objectOr(file))])) };
}

function factsOf(file: JsonObject): JsonObject {
  return Object.fromEntries(FILE_FACTS.flatMap((key) => (file[key] === undefined ? [] : [[key, file[key]]])));
}

/** Empty items only mean that a node is done. */
export function hasData({ value }: Items): boolean {
  if (value === null) return false;
  return !isJsonObject(value) || Object.keys(value).length > 0;
}

/** The first item of one kind of connection; empty if there is none. */
export function firstItem(run: NodeRun, kind: string): JsonObject {
  return firstOf(itemsOut(run, kind));
}

/** The first input item that the node records. */
export function firstInputItem(run: NodeRun, kind: string): JsonObject {
  return firstOf(toItems(outputsOf(run.inputOverride, kind).flat() as Json[], ''));
}

/** The first item; empty if it is missing or not an object. */
export function firstOf({ values }: Pick<Items, 'values'>): JsonObject {
  return objectOr(values[0]);
}
