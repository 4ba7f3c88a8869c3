import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Identity of a process, so that another process on the same machine can detect its end. */
export interface ProcessIdentity {
  ownerId: string;
  host: string;
  pid: number;
  /** Start time: a pid can be reused, and in a container it is always the same. Empty if unknown. */
  processStart: string;
}

export function thisProcess(): ProcessIdentity {
  return { ownerId: randomUUID(), host: hostname(), pid: process.pid, processStart: processStartOf(process.pid) ?? '' };
}

/** Null if no such process runs, empty if the system does not report its start time. */
export function processStartOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may contain spaces; the start time is the 20th field after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return isRunning(pid) ? '' : null;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
