import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { type NodeRun, objectOr, type RunSource } from './execution-shape.ts';

/** Items beyond these are counted and not told: a node may move thousands. */
const ITEMS_TOLD = 50;

export interface Items {
  count: number;
  /** The one item, or a list of the first; null where there is none. Binary data is left out. */
  value: Json;
}

/** What a node gave on all its outputs of one kind of connection. */
export function itemsOut(data: JsonObject, kind: string): Items {
  const outputs = data[kind];
  return toItems((Array.isArray(outputs) ? outputs : []).flatMap((items) => (Array.isArray(items) ? items : [])));
}

/** What came in, read off the runs that gave it; null where the node says itself what it was given. */
export function itemsIn(source: readonly RunSource[], runOf: (node: string, run: number) => NodeRun | null): Items {
  return toItems(
    source.flatMap(({ node, output, run }) => {
      const outputs = runOf(node, run)?.data.main;
      const items = Array.isArray(outputs) ? outputs[output] : null;
      return Array.isArray(items) ? items : [];
    }),
  );
}

function toItems(items: readonly Json[]): Items {
  const values = items.slice(0, ITEMS_TOLD).map((item) => (isJsonObject(item) ? payloadOf(item.json ?? null) : item));
  return { count: items.length, value: values.length < 2 ? (values[0] ?? null) : values };
}

/** What a caller sent: a webhook's item wraps it in the request, an error's in all that was known of the failed run. */
function payloadOf(json: Json): Json {
  if (!isJsonObject(json)) return json;
  if (isJsonObject(json.headers) && 'body' in json && 'webhookUrl' in json) {
    const query = objectOr(json.query);
    return Object.keys(query).length === 0 ? (json.body ?? null) : { query, body: json.body ?? null };
  }
  const execution = objectOr(json.execution);
  // The failure is the failed execution's own: told there, it must not count twice.
  if (isJsonObject(execution.error) && isJsonObject(json.workflow))
    return { execution: { id: execution.id ?? null }, workflow: json.workflow };
  return json;
}

/** Empty items stand for "done, nothing to say". */
export function isTelling({ value }: Items): boolean {
  if (value === null) return false;
  return !isJsonObject(value) || Object.keys(value).length > 0;
}

/** The `json` of the first item of one kind of connection. */
export function firstItem(data: JsonObject, kind: string): JsonObject {
  return firstOf(itemsOut(data, kind));
}

/** The first item, empty where there is none or it is no object. */
export function firstOf({ value }: Items): JsonObject {
  return objectOr(Array.isArray(value) ? value[0] : (value ?? undefined));
}
