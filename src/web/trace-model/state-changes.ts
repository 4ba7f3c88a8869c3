/** The change of one member of a state since the previous state. */
export interface StateChange {
  key: string;
  kind: 'added' | 'removed' | 'changed';
  before: unknown;
  after: unknown;
  /** The member is removed or has another type, which can break its readers. */
  isBreaking: boolean;
}

/** Changed members of the outermost level, in the order of the later state; removed ones come last. */
export function stateChanges(before: unknown, after: unknown): StateChange[] {
  const [oldMembers, newMembers] = [membersOf(before), membersOf(after)];
  const changes: StateChange[] = [];
  for (const [key, value] of newMembers) {
    if (!oldMembers.has(key)) changes.push({ key, kind: 'added', before: undefined, after: value, isBreaking: false });
    else if (!isEqual(oldMembers.get(key), value)) {
      const oldValue = oldMembers.get(key);
      changes.push({
        key,
        kind: 'changed',
        before: oldValue,
        after: value,
        isBreaking: typeOf(oldValue) !== typeOf(value),
      });
    }
  }
  for (const [key, value] of oldMembers)
    if (!newMembers.has(key)) changes.push({ key, kind: 'removed', before: value, after: undefined, isBreaking: true });
  return changes;
}

/** The displayed type of a JSON value: `null`, `list`, `object`, `text`, `number` or `boolean`. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value === 'string' ? 'text' : typeof value;
}

/** A state that is not an object counts as one unnamed member. */
function membersOf(state: unknown): Map<string, unknown> {
  if (typeof state !== 'object' || state === null || Array.isArray(state))
    return state === null || state === undefined ? new Map() : new Map([['', state]]);
  return new Map(Object.entries(state));
}

function isEqual(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
