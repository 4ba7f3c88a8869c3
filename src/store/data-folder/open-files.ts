import { resolve } from 'node:path';

const openings = new Map<string, number>();

/**
 * Whether this process has the database open. Closing a file descriptor releases all POSIX locks of the process on that file,
 * so only SQLite may open it in the meantime.
 */
export function isOpenHere(file: string): boolean {
  return (openings.get(resolve(file)) ?? 0) > 0;
}

export function recordOpened(file: string): void {
  openings.set(resolve(file), (openings.get(resolve(file)) ?? 0) + 1);
}

export function recordClosed(file: string): void {
  const remaining = (openings.get(resolve(file)) ?? 0) - 1;
  if (remaining > 0) openings.set(resolve(file), remaining);
  else openings.delete(resolve(file));
}
