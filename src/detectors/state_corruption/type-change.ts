import { type Json, parseJson } from '../../core/json.ts';
import type { Step } from '../../core/trace.ts';
import type { Fault } from './fault.ts';
import { isPlaceholder, type JsonType, jsonType } from './field.ts';
import { isEphemeral, isGeneric } from './field-names.ts';
import { failsLaterStep } from './later-failure.ts';
import type { SnapshotPair, SnapshotSeries } from './snapshot-series.ts';

/**
 * Nodes may write a record first and a sentence later: a type change without a failure is info, unless the text is the
 * serialized value.
 */
const INFO_SCORE = 0.5;

/** A field whose JSON type changes between two real values. */
export function findTypeChanges(series: SnapshotSeries, steps: readonly Step[]): Fault[] {
  return series.pairs.flatMap((pair) => typeChangesOf(pair, series, steps));
}

function typeChangesOf(pair: SnapshotPair, series: SnapshotSeries, steps: readonly Step[]): Fault[] {
  const faults: Fault[] = [];
  for (const [path, after] of pair.to.fields) {
    const before = pair.from.fields.get(path);
    if (before === undefined || jsonType(before) === jsonType(after)) continue;
    if (isPlaceholder(before) || after === null || isEphemeral(path)) continue;
    const full = scoreChange(path, before, after, pair, series);
    if (full === 0) continue;
    const isFault =
      isStringified(before, after, statesOfType(path, before, pair, series)) ||
      failsLaterStep(path, pair.to.snapshot.step, steps);
    const score = isFault ? full : Math.min(full, INFO_SCORE);
    const what = `turned from ${withArticle(jsonType(before))} into ${withArticle(jsonType(after))}`;
    faults.push({ subtype: 'type_change', path, before, after, from: pair.from, to: pair.to, score, what });
  }
  return faults;
}

function scoreChange(path: string, before: Json, after: Json, pair: SnapshotPair, series: SnapshotSeries): number {
  const earlier = series.entries.slice(0, pair.index).map((entry) => entry.fields.get(path));
  const types = new Set(earlier.filter((value) => !isPlaceholder(value)).map((value) => jsonType(value!)));
  if (types.size > 1 || alternates(path, series)) return 0;
  if (isPlaceholder(after)) return jsonType(after) === 'boolean' ? 0.3 : 0;
  if (isNonFiniteText(after)) return 0;
  let score = scoreOfKinds(before, after);
  if (isGeneric(path)) score -= series.isFull ? 0.2 : 0.45;
  if (earlier.filter((value) => value !== undefined && jsonType(value) === jsonType(before)).length >= 2) score += 0.05;
  return Math.max(0, Math.min(1, score));
}

/** Number of earlier states with a value of the same type in the field. */
function statesOfType(path: string, before: Json, { index }: SnapshotPair, { entries }: SnapshotSeries): number {
  return entries.slice(0, index).filter(({ fields }) => {
    const value = fields.get(path);
    return value !== undefined && jsonType(value) === jsonType(before);
  }).length;
}

/** Whether a text is the serialized previous value: a number with its unit, a joined list, JSON. */
function isStringified(before: Json, after: Json, stateCount: number): boolean {
  if (typeof after !== 'string' || typeof before === 'string' || before === null) return false;
  if (typeof before === 'number') return stateCount >= MIN_STATES && /^\D{0,4}\d/.test(after);
  if (after === '[object Object]' || isParsedFrom(after, before)) return true;
  return Array.isArray(before) && before.length > 1 && ['', ' '].some((blank) => before.join(`,${blank}`) === after);
}

const MIN_STATES = 2;

/** Whether the type alternates: the field contains a union by design. */
function alternates(path: string, series: SnapshotSeries): boolean {
  const types = series.entries.flatMap((entry) => {
    const value = entry.fields.get(path);
    return isPlaceholder(value) ? [] : [jsonType(value!)];
  });
  return types.slice(1).filter((type, index) => type !== types[index]).length >= 3;
}

/** Text to structure is parsing and usually intended; structure to text is usually a mistake. */
function scoreOfKinds(before: Json, after: Json): number {
  const change = `${jsonType(before)}>${jsonType(after)}`;
  if (typeof before === 'string') return isParsedFrom(before, after) ? 0.2 : 0.5;
  if (change === 'number>string' || change === 'list>string' || change === 'object>string') return 0.85;
  if (change === 'object>list') return 0.6;
  return change === 'boolean>string' || change === 'boolean>object' ? 0.5 : 0.75;
}

function isParsedFrom(text: string, value: Json): boolean {
  const parsed = parseJson(text);
  return parsed !== undefined && jsonType(parsed) === jsonType(value);
}

/** Whether the text is `NaN` or similar in a number field, which the bounds rule reports. */
function isNonFiniteText(value: Json): boolean {
  return typeof value === 'string' && /^[+-]?(?:nan|inf|infinity)$/i.test(value);
}

function withArticle(type: JsonType): string {
  return type === 'object' ? 'an object' : `a ${type}`;
}
