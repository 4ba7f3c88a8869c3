import { hostname } from 'node:os';

/** A process that executes operations, in a way that the next process on the same machine can tell that it is gone. */
export interface LeaseHolder {
  host: string;
  pid: number;
  /** Made at the start: a number may be given to another process later, in a container always the same one. */
  start: string;
}

/** Longer than a read, a write and another read may take. */
export const LEASE_MS = 300_000;

export function thisProcess(start: string): LeaseHolder {
  return { host: hostname(), pid: process.pid, start };
}

export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether nobody works under the lease any more: its time is over, or its holder is a process of this machine that ended. */
export function isLapsed(
  lease: { holder: LeaseHolder | null; until: number },
  now: number,
  me: LeaseHolder,
  isAlive: (pid: number) => boolean,
): boolean {
  const { holder, until } = lease;
  if (now >= until) return true;
  if (holder === null || holder.host !== me.host || holder.start === me.start) return false;
  return holder.pid === me.pid || !isAlive(holder.pid);
}
