import { join } from 'node:path';

/**
 * State of a spool file, given by its name: `<time>-<pid>-<random>.spool` is ready, `….writing` is held by a writer,
 * `….draining` by the drainer. A name is never used twice, so it can identify its content in `drained_files`.
 */
const READY = '.spool';
const HELD = '.writing';
const CLAIMED = '.draining';

/** The spool folder, in which hooks leave records for the local store. */
export function spoolFolderOf(dataFolder: string): string {
  return join(dataFolder, 'spool');
}

/** One byte for each entry that was rejected because the folder was full. */
export const REFUSED_FILE = 'refused';

/** A writer holds a file for microseconds; a writer that holds it this long has ended. */
const DEAD_WRITER_MS = 60_000;

export function freshName(nowMs: number): string {
  const random = Math.random().toString(36).slice(2, 10);
  return `${String(Math.floor(nowMs)).padStart(14, '0')}-${process.pid}-${process.hrtime.bigint().toString(36)}${random}${READY}`;
}

export function heldName(ready: string): string {
  return `${ready}${HELD}`;
}

export function claimedName(name: string): string {
  return `${onceKeyOf(name)}${CLAIMED}`;
}

export function isReady(name: string): boolean {
  return name.endsWith(READY);
}

export function isDrainable(name: string, ageMs: number): boolean {
  return isReady(name) || name.endsWith(CLAIMED) || (name.endsWith(HELD) && ageMs > DEAD_WRITER_MS);
}

/** The name without the marks of its holder. */
export function onceKeyOf(name: string): string {
  const end = name.indexOf(READY);
  return end === -1 ? name : name.slice(0, end + READY.length);
}
