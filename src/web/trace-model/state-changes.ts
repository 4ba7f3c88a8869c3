/** How one member of a state differs from the state before. */
export interface StateChange {
  key: string;
  kind: 'added' | 'removed' | 'changed';
  before: unknown;
  after: unknown;
  /** The member is gone, or has another type of value: what reads it may break. */
  isBreaking: boolean;
}

/** Members of the outermost level that differ, in order of the later state; removed ones come last. */
export function stateChanges(before: unknown, after: unknown): StateChange[] {
  const [old, now] = [membersOf(before), membersOf(after)];
  const changes: StateChange[] = [];
  for (const [key, value] of now) {
    if (!old.has(key)) changes.push({ key, kind: 'added', before: undefined, after: value, isBreaking: false });
    else if (!isEqual(old.get(key), value)) {
      const earlier = old.get(key);
      changes.push({
        key,
        kind: 'changed',
        before: earlier,
        after: value,
        isBreaking: typeOf(earlier) !== typeOf(value),
      });
    }
  }
  for (const [key, value] of old)
    if (!now.has(key)) changes.push({ key, kind: 'removed', before: value, after: undefined, isBreaking: true });
  return changes;
}

/** `null`, `list`, `object`, `text`, `number`, `boolean`: what one calls the type of a JSON value. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value === 'string' ? 'text' : typeof value;
}

/** A state that is no object is one member without a name. */
function membersOf(state: unknown): Map<string, unknown> {
  if (typeof state !== 'object' || state === null || Array.isArray(state))
    return state === null || state === undefined ? new Map() : new Map([['', state]]);
  return new Map(Object.entries(state));
}

function isEqual(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
