import { canonicalJson, isJsonObject, type Json } from '../../core/json.ts';
import type { Fault } from './fault.ts';
import { isAppendOnly } from './field-names.ts';
import { isSame, type SnapshotPair, type SnapshotSeries } from './snapshot-series.ts';

const SUMMARY = /summar|compact|condens|"remove"|RemoveMessage|trimmed/i;

/** Lists that record a run and lose entries without a summary in their place. */
export function findShrunkLists(series: SnapshotSeries): Fault[] {
  if (!series.isFull) return [];
  return series.pairs.flatMap((pair) => shrunkIn(pair, series));
}

function shrunkIn(pair: SnapshotPair, series: SnapshotSeries): Fault[] {
  const faults: Fault[] = [];
  for (const [path, after] of pair.to.fields) {
    const before = pair.from.fields.get(path);
    if (!isAppendOnly(path) || !Array.isArray(before) || !Array.isArray(after)) continue;
    if (before.length - after.length < 1 || before.length < 3 || !hasGrown(path, pair, series)) continue;
    const score = isSummarized(pair, after) ? 0 : scoreShrink(before, after);
    if (score === 0) continue;
    const what = 'lost entries that no summary replaces';
    faults.push({
      subtype: 'list_shrunk',
      path,
      before: before.length,
      after: after.length,
      from: pair.from,
      to: pair.to,
      score,
      what,
    });
  }
  return faults;
}

function hasGrown(path: string, pair: SnapshotPair, series: SnapshotSeries): boolean {
  const lengths = series.entries
    .slice(0, pair.index)
    .map((entry) => entry.fields.get(path))
    .filter(Array.isArray)
    .map((list) => list.length);
  return lengths.slice(1).filter((length, index) => length > lengths[index]!).length >= 2;
}

function isSummarized(pair: SnapshotPair, list: Json[]): boolean {
  const hasSummaryField = pair.to.keys.some(
    (key) => SUMMARY.test(key) && !isSame(pair.from.fields.get(key), pair.to.fields.get(key)),
  );
  return hasSummaryField || list.slice(0, 3).some((entry) => SUMMARY.test(canonicalJson(entry)));
}

function scoreShrink(before: Json[], after: Json[]): number {
  const known = new Set(before.map(entryIdentity));
  const kept = after.filter((entry) => known.has(entryIdentity(entry))).length;
  if (kept === 0) return 0.65;
  const last = before.at(-1)!;
  const isTailKept = after.some((entry) => entryIdentity(entry) === entryIdentity(last));
  // Dropping the oldest entries and keeping the newest is a sliding window.
  return isTailKept ? 0.3 : 0.5;
}

function entryIdentity(entry: Json): string {
  return isJsonObject(entry) && typeof entry.id === 'string' ? entry.id : canonicalJson(entry);
}
