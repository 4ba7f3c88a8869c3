import { pluralize } from './amounts.ts';

/** A member of an object or array, in order. */
export interface JsonEntry {
  key: string;
  value: unknown;
}

/** Limits of the members that are initially visible. */
const MAX_SHOWN = 120;
const MAX_CHILDREN = 40;

export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

export function sizeOf(container: object): number {
  return Array.isArray(container) ? container.length : Object.keys(container).length;
}

/** The first members, up to `limit`. */
export function entriesOf(container: object, limit: number): JsonEntry[] {
  if (Array.isArray(container)) return container.slice(0, limit).map((value, index) => ({ key: String(index), value }));
  return Object.keys(container)
    .slice(0, limit)
    .map((key) => ({ key, value: (container as Record<string, unknown>)[key] }));
}

/** The containers that are initially open: level by level, until `MAX_SHOWN` members are visible. Without recursion. */
export function initiallyOpen(value: unknown): ReadonlySet<object> {
  const open = new Set<object>();
  let shown = 0;
  let level = isContainer(value) ? [value] : [];
  while (level.length > 0) {
    const next: object[] = [];
    for (const container of level) {
      const children = Math.min(sizeOf(container), MAX_CHILDREN);
      if (shown > 0 && shown + children > MAX_SHOWN) return open;
      open.add(container);
      shown += children;
      next.push(
        ...entriesOf(container, MAX_CHILDREN).flatMap((entry) => (isContainer(entry.value) ? [entry.value] : [])),
      );
    }
    level = next;
  }
  return open;
}

/** `{3 members}`, `[1,204 items]`. */
export function containerText(container: object): string {
  return Array.isArray(container)
    ? `[${pluralize(container.length, 'item')}]`
    : `{${pluralize(sizeOf(container), 'member')}}`;
}

/** Whether a text in the value contains the passage. */
export function containsText(value: unknown, passage: string): boolean {
  const stack: unknown[] = [value];
  while (stack.length > 0) {
    const next = stack.pop();
    if (typeof next === 'string' && next.includes(passage)) return true;
    if (isContainer(next)) for (const child of Object.values(next)) stack.push(child);
  }
  return false;
}
