import { canonicalJson, isJsonObject, type Json } from '../../../core/json.ts';
import type { StateSnapshot, Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { withoutVolatile } from '../../_kit/normalise.ts';
import { type Counters, countersIn } from './state-counters.ts';

/**
 * Difference between each recorded state and the previous state of its thread, as text, by step. Empty if only a counter or
 * clock changed; null for the first state of a thread.
 */
export const stateChanges = memoizeByRef((trace: Trace) => changesIn(trace, (state) => state));

/** The same without message histories and calls, which other rules compare. */
export const stateWork = memoizeByRef((trace: Trace) => changesIn(trace, withoutMessages));

function changesIn(trace: Trace, read: (state: Json) => Json): ReadonlyMap<number, string | null> {
  const changes = new Map<number, string | null>();
  const bySequence = [...trace.states].sort((a, b) => a.sequence - b.sequence);
  for (const snapshots of Map.groupBy(bySequence, ({ threadId }) => threadId ?? '').values()) {
    const counters = countersIn(trace, snapshots);
    let before: StateSnapshot | undefined;
    for (const snapshot of snapshots) {
      if (before === undefined) changes.set(snapshot.step, null);
      else {
        const isSame = before.stateHash === snapshot.stateHash;
        const change = isSame ? '' : changeOf(read(before.state), read(snapshot.state), '', counters);
        changes.set(snapshot.step, `${changes.get(snapshot.step) ?? ''}${change}`);
      }
      before = snapshot;
    }
  }
  return changes;
}

function changeOf(before: Json | undefined, now: Json | undefined, path: string, counters: Counters): string {
  if (before === now) return '';
  if (now === undefined) return `${path} removed\n`;
  if (isJsonObject(before) && isJsonObject(now)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((name) => !BOOKKEEPING.has(name));
    return names
      .sort()
      .map((name) => changeOf(before[name], now[name], `${path}/${name}`, counters))
      .join('');
  }
  if (counters.isCounting(before, now, path)) return '';
  if (Array.isArray(before) && Array.isArray(now) && isBeginningOf(before, now))
    return now
      .slice(before.length)
      .map((item) => `${path} adds ${textOf(item)}\n`)
      .join('');
  const text = textOf(now);
  return before !== undefined && text === textOf(before) ? '' : `${path} becomes ${text}\n`;
}

function isBeginningOf(before: readonly Json[], now: readonly Json[]): boolean {
  return before.length <= now.length && before.every((item, at) => canonicalJson(item) === canonicalJson(now[at]!));
}

function withoutMessages(value: Json): Json {
  if (Array.isArray(value)) return value.filter((item) => !isMessage(item) && !isCall(item)).map(withoutMessages);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([, member]) => !isMessage(member) && !isCall(member));
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutMessages(member)]));
}

function isMessage(item: Json): boolean {
  if (!isJsonObject(item)) return false;
  const { content, role, type } = isJsonObject(item.kwargs) ? { ...item, ...item.kwargs } : item;
  return content !== undefined && (role !== undefined || type !== undefined);
}

function isCall(item: Json): boolean {
  return isJsonObject(item) && typeof item.name === 'string' && (item.args ?? item.arguments) !== undefined;
}

/** Fields for a runtime's own bookkeeping: they differ in every round although nothing happened. */
const BOOKKEEPING = new Set([
  'message_id',
  'tool_call_id',
  'run_id',
  'request_id',
  'trace_id',
  'span_id',
  'checkpoint_id',
  'created_at',
  'updated_at',
  'timestamp',
]);

function textOf(value: Json): string {
  if (typeof value === 'string') return withoutVolatile(value);
  return withoutVolatile(canonicalJson(withoutIdentity(value)));
}

/** Removes message ids, which differ in every round although the messages are the same. */
function withoutIdentity(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutIdentity);
  if (!isJsonObject(value)) return value;
  const isEntry = value.content !== undefined;
  const stable = Object.entries(value).filter(([name]) => !BOOKKEEPING.has(name) && !(isEntry && name === 'id'));
  return Object.fromEntries(stable.map(([name, inner]) => [name, withoutIdentity(inner)]));
}
