import { isJsonObject } from '../../core/json.ts';
import type { Step } from '../../core/trace.ts';
import type { Fault } from './fault.ts';
import { isKeyedMap, isPlaceholder, leafName, parentPath } from './field.ts';
import { isEphemeral } from './field-names.ts';
import { failsLaterStep } from './later-failure.ts';
import { isSame, type SnapshotPair, type SnapshotSeries } from './snapshot-series.ts';

/** Fields that had a value and are missing or null in a later snapshot of the whole state. */
export function findLostFields(series: SnapshotSeries, steps: readonly Step[]): Fault[] {
  if (!series.isFull) return [];
  return series.pairs.flatMap((pair) => lostIn(pair, series, steps));
}

function lostIn(pair: SnapshotPair, series: SnapshotSeries, steps: readonly Step[]): Fault[] {
  const faults: Fault[] = [];
  for (const [path, before] of pair.from.fields) {
    const after = pair.to.fields.get(path);
    const isGone = after === undefined;
    if ((!isGone && after !== null) || isPlaceholder(before) || isEphemeral(path)) continue;
    if (isGone && !isParentKept(path, pair)) continue;
    const score = scoreLoss(path, isGone, pair, series, steps);
    if (score === 0) continue;
    faults.push({
      subtype: isGone ? 'field_vanished' : 'field_nulled',
      path,
      before,
      after: null,
      from: pair.from,
      to: pair.to,
      score,
      what: isGone ? 'was lost' : 'was set to null',
    });
  }
  return faults;
}

/** Whether the parent object still exists; otherwise the object was lost, not the field. */
function isParentKept(path: string, pair: SnapshotPair): boolean {
  const parent = parentPath(path);
  if (parent === '') return true;
  const object = pair.to.fields.get(parent);
  return isJsonObject(object) && !isKeyedMap(object) && Object.keys(object).length > 0;
}

function scoreLoss(
  path: string,
  isGone: boolean,
  pair: SnapshotPair,
  series: SnapshotSeries,
  steps: readonly Step[],
): number {
  if (isMoved(path, pair)) return 0;
  const before = pair.from.fields.get(path)!;
  const later = series.entries.slice(pair.index + 1).map((entry) => entry.fields.get(path));
  if (later.some((value) => isSame(value, before))) return 0;
  if (failsLaterStep(path, pair.to.snapshot.step, steps)) return 0.9;
  const stateCount = series.entries
    .slice(0, pair.index)
    .filter((entry) => !isPlaceholder(entry.fields.get(path))).length;
  const isLast = later.length === 0;
  // A node may remove a value that it has used: info. The last snapshot of a graph is often its output schema, a subset
  // of its state.
  if (isGone) return (stateCount >= 2 || isIdentity(path) ? 0.5 : 0.4) - (isLast ? 0.2 : 0);
  return (stateCount >= 2 ? 0.45 : 0.3) + (isIdentity(path) ? 0.25 : 0);
}

/** Whether the value was renamed or moved: it occurs under a key that did not exist before. */
function isMoved(path: string, pair: SnapshotPair): boolean {
  const before = pair.from.fields.get(path)!;
  for (const [other, value] of pair.to.fields) {
    if (!pair.from.fields.has(other) && isSame(value, before)) return true;
  }
  return false;
}

/** Whether the field identifies the record of the run; no node has a reason to remove it. */
function isIdentity(path: string): boolean {
  return /(?:^|_)id$|Id$|^(?:user|customer|account|order|tenant|patient|goal|task|plan)(?:_?id)?$/.test(leafName(path));
}
