import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process, described so that another process on the same machine can tell that it has ended. */
export interface ProcessIdentity {
  ownerId: string;
  host: string;
  pid: number;
  /** When the system started it: a pid can be reused, and in a container it is always the same. Empty where unknown. */
  processStart: string;
}

export function thisProcess(): ProcessIdentity {
  return { ownerId: randomUUID(), host: hostname(), pid: process.pid, processStart: processStartOf(process.pid) ?? '' };
}

/** Null where no such process runs, empty where the system does not say when it started. */
export function processStartOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may hold spaces; the start time is the 20th field behind it.
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
