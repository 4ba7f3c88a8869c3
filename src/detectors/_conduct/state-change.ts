import { canonicalJson, isJsonObject, type Json } from '../../core/json.ts';
import type { StateSnapshot, Trace } from '../../core/trace.ts';
import { withoutVolatile } from '../_kit/normalise.ts';
import { onceEach } from '../_kit/once.ts';

/**
 * What each recorded state adds to the one before it in its thread, as text: empty where nothing changed but a counter.
 * Null for the first state of a thread. By step.
 */
export const stateChanges = onceEach((trace: Trace): ReadonlyMap<number, string | null> => {
  const changes = new Map<number, string | null>();
  const last = new Map<string, StateSnapshot>();
  const lists = new Map<string, ReadonlySet<number>>();
  for (const snapshot of [...trace.states].sort((a, b) => a.sequence - b.sequence)) {
    const thread = snapshot.threadId ?? '';
    const before = last.get(thread);
    last.set(thread, snapshot);
    if (before === undefined) {
      changes.set(snapshot.step, null);
      lists.set(thread, listLengths(snapshot.state));
      continue;
    }
    const lengths = lists.get(thread)!;
    const said = before.stateHash === snapshot.stateHash ? '' : changeOf(before.state, snapshot.state, '', lengths);
    changes.set(snapshot.step, `${changes.get(snapshot.step) ?? ''}${said}`);
  }
  return changes;
});

/** Lengths of the lists a run began with: a number that counts up to one of them goes through the list. */
function listLengths(state: Json, lengths = new Set<number>()): ReadonlySet<number> {
  if (Array.isArray(state)) lengths.add(state.length);
  else if (isJsonObject(state)) for (const value of Object.values(state)) listLengths(value, lengths);
  return lengths;
}

function changeOf(before: Json | undefined, now: Json | undefined, path: string, lists: ReadonlySet<number>): string {
  if (before === now) return '';
  if (now === undefined) return `${path} removed\n`;
  if (isJsonObject(before) && isJsonObject(now)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
    return names.map((name) => changeOf(before[name], now[name], `${path}/${name}`, lists)).join('');
  }
  if (isCounting(before, now, lists)) return '';
  if (Array.isArray(before) && Array.isArray(now) && isBeginningOf(before, now))
    return now
      .slice(before.length)
      .map((item) => `${path} adds ${textOf(item)}\n`)
      .join('');
  const text = textOf(now);
  return before !== undefined && text === textOf(before) ? '' : `${path} becomes ${text}\n`;
}

/** A whole number that goes up by one tells a round from the next, unless it goes through a list of the state. */
function isCounting(before: Json | undefined, now: Json, lists: ReadonlySet<number>): boolean {
  if (typeof before !== 'number' || typeof now !== 'number' || !Number.isInteger(before) || now !== before + 1)
    return false;
  return ![...lists].some((length) => length > 1 && now <= length);
}

function isBeginningOf(before: readonly Json[], now: readonly Json[]): boolean {
  return before.length <= now.length && before.every((item, at) => canonicalJson(item) === canonicalJson(now[at]!));
}

/** Ids of messages differ from round to round though the messages say the same. */
const IDENTITY = new Set(['id', 'message_id', 'tool_call_id', 'run_id', 'created_at', 'timestamp']);

function textOf(value: Json): string {
  if (typeof value === 'string') return withoutVolatile(value);
  return withoutVolatile(canonicalJson(withoutIdentity(value)));
}

function withoutIdentity(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutIdentity);
  if (!isJsonObject(value)) return value;
  const lasting = Object.entries(value).filter(([name]) => !IDENTITY.has(name));
  return Object.fromEntries(lasting.map(([name, inner]) => [name, withoutIdentity(inner)]));
}
