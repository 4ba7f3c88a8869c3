import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { NodeRun, RunSource } from './execution-shape.ts';

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
  const values = items.slice(0, ITEMS_TOLD).map((item) => (isJsonObject(item) ? (item.json ?? null) : item));
  return { count: items.length, value: values.length < 2 ? (values[0] ?? null) : values };
}

/** Empty items stand for "done, nothing to say". */
export function isTelling({ value }: Items): boolean {
  if (value === null) return false;
  return !isJsonObject(value) || Object.keys(value).length > 0;
}

/** The `json` of the first item of one kind of connection. */
export function firstItem(data: JsonObject, kind: string): JsonObject {
  const { value } = itemsOut(data, kind);
  const first = Array.isArray(value) ? value[0] : value;
  return isJsonObject(first) ? first : {};
}
