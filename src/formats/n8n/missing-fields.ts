import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { MissingField } from '../../core/trace.ts';
import type { NodeRun, RunSource } from './execution-shape.ts';
import { shortType } from './node-kind.ts';

/** Nodes that test whether a field exists, or run code of their own. */
const TESTING_NODES = new Set(['if', 'switch', 'filter', 'merge', 'code', 'function', 'functionItem', 'stickyNote']);

/** Number of items to examine; a node may receive thousands. */
const MAX_ITEMS = 50;
const MAX_FIELDS = 10;
const MAX_DEPTH = 12;

/**
 * Fields that a node's settings request as `{{ $json.path }}`, or of another node as `{{ $('Node').item.json.path }}`, and
 * that none of its items has. Expressions that do more than name a field are omitted because they may handle a missing
 * field.
 */
export function missingFields(
  node: { type: string; parameters: Json },
  source: readonly RunSource[],
  runOf: (node: string, run: number) => NodeRun | null,
): MissingField[] {
  if (TESTING_NODES.has(shortType(node.type))) return [];
  const known = new Map<string | null, JsonObject[]>();
  const itemsFor = (of: string | null) => {
    const items = known.get(of) ?? (of === null ? itemsGiven(source, runOf) : itemsOf(runOf(of, 0)));
    known.set(of, items);
    return items;
  };
  const requested = requestedFields(node.parameters);
  return requested
    .filter(({ of, path }) => itemsFor(of).length > 0 && !itemsFor(of).some((item) => hasField(item, path)))
    .slice(0, MAX_FIELDS)
    .map(({ of, path, setting }) => ({
      path: path.join('.'),
      setting,
      alike: similarField(path[0]!, itemsFor(of), requested),
    }));
}

interface RequestedField {
  /** The node whose items are meant; null for the input items. */
  of: string | null;
  path: string[];
  setting: string;
}

function requestedFields(parameters: Json): RequestedField[] {
  const found = new Map<string, RequestedField>();
  collect(parameters, '', 0, found);
  return [...found.values()];
}

function collect(value: Json, setting: string, depth: number, found: Map<string, RequestedField>): void {
  if (typeof value === 'string') {
    for (const { of, path } of value.startsWith('=') ? fieldsIn(value) : []) {
      const key = JSON.stringify([of, ...path]);
      if (!found.has(key)) found.set(key, { of, path, setting });
    }
    return;
  }
  if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return;
  for (const [key, inner] of Object.entries(value)) collect(inner, setting || key, depth + 1, found);
}

/** A bare path between two braces: `$json.a.b`, `$json["a b"].c`, `$('Node').first().json.a`, `$node["Node"].json.a`. */
const PATH_ALONE = /^(?:\.[A-Za-z_$][\w$]{0,99}|\[(?:"[^"\]]{1,99}"|'[^'\]]{1,99}')\]){1,9}$/;
const OWN = '$json';
const OTHER =
  /^(?:\$\((?:"([^"]{1,99})"|'([^']{1,99})')\)\.(?:item|first\(\)|last\(\))|\$node\[(?:"([^"]{1,99})"|'([^']{1,99})')\])\.json/;
const PART = /\.([A-Za-z_$][\w$]*)|\["([^"]*)"\]|\['([^']*)'\]/g;

function fieldsIn(expression: string): { of: string | null; path: string[] }[] {
  return expression
    .split('{{')
    .slice(1)
    .flatMap((piece) => {
      const pathText = piece.split('}}', 1)[0]!.trim();
      const other = OTHER.exec(pathText);
      const of = other === null ? null : (other[1] ?? other[2] ?? other[3] ?? other[4] ?? null);
      const path =
        other !== null ? pathText.slice(other[0].length) : pathText.startsWith(OWN) ? pathText.slice(OWN.length) : '';
      return PATH_ALONE.test(path) ? [{ of, path: partsOf(path) }] : [];
    });
}

function partsOf(path: string): string[] {
  return [...path.matchAll(PART)].map((part) => part[1] ?? part[2] ?? part[3] ?? '');
}

/** The complete input items, unlike the stored ones. */
function itemsGiven(source: readonly RunSource[], runOf: (node: string, run: number) => NodeRun | null): JsonObject[] {
  return source
    .flatMap(({ node, output, run }) => {
      const outputs = runOf(node, run)?.data.main;
      const items = Array.isArray(outputs) ? outputs[output] : null;
      return Array.isArray(items) ? items.slice(0, MAX_ITEMS) : [];
    })
    .flatMap(jsonOf);
}

/** The output of another node in its first run, on all its outputs. */
function itemsOf(run: NodeRun | null): JsonObject[] {
  const outputs = run?.data.main;
  const items = (Array.isArray(outputs) ? outputs : []).flatMap((list) => (Array.isArray(list) ? list : []));
  return items.slice(0, MAX_ITEMS).flatMap(jsonOf);
}

function jsonOf(item: Json): JsonObject[] {
  return isJsonObject(item) && isJsonObject(item.json) ? [item.json] : [];
}

/** Null is a value: only an absent field is missing. A length is not a field. */
function hasField(item: JsonObject, path: readonly string[]): boolean {
  let at: Json | undefined = item;
  for (const part of path) {
    if (Array.isArray(at) || typeof at === 'string') return true;
    if (!isJsonObject(at) || !Object.hasOwn(at, part)) return false;
    at = at[part];
  }
  return true;
}

/** A similar field that the settings also request is probably the alternative of two optional fields. */
function similarField(name: string, items: readonly JsonObject[], requested: readonly RequestedField[]): string | null {
  const known = new Set(items.flatMap((item) => Object.keys(item)));
  if (known.has(name)) return null;
  const meant = new Set(requested.map(({ path }) => path[0]));
  return [...known].slice(0, 200).find((other) => !meant.has(other) && isAlike(name, other)) ?? null;
}

/** Whether the names differ only in case or separators, or by one letter in a longer name. */
function isAlike(one: string, other: string): boolean {
  const [a, b] = [normalized(one), normalized(other)];
  if (a === b) return true;
  return Math.min(a.length, b.length) >= 5 && isOneEdit(a, b);
}

function normalized(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function isOneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  const rest = (text: string, from: number) => text.slice(from);
  return (
    rest(a, same + 1) === rest(b, same + 1) ||
    rest(a, same + 1) === rest(b, same) ||
    rest(a, same) === rest(b, same + 1)
  );
}
