import { hostname } from 'node:os';

/** A process that executes operations, identified so that the next process on the same machine can detect its end. */
export interface LeaseHolder {
  host: string;
  pid: number;
  /** Created at start: a process id may be reused, in a container it is always the same. */
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

/** Whether the lease is over: it has expired, or its holder is a process of this machine that ended. */
export function isLapsed(
  lease: { holder: LeaseHolder | null; until: number },
  now: number,
  thisProcess: LeaseHolder,
  isAlive: (pid: number) => boolean,
): boolean {
  const { holder, until } = lease;
  if (now >= until) return true;
  if (holder === null || holder.host !== thisProcess.host || holder.start === thisProcess.start) return false;
  return holder.pid === thisProcess.pid || !isAlive(holder.pid);
}
