import type { ProcessIdentity } from './process-identity.ts';

/** An owner on another machine counts as ended when its heartbeat has not changed for this long. */
export const SILENT_MS = 10_000;

/**
 * Whether the process that holds leases has ended. On this machine the operating system knows, so a process that only stalls
 * keeps its leases; for another machine only the heartbeat counts.
 *
 * @param silentMs time since the heartbeat last changed
 */
export function hasOwnerEnded(
  owner: Omit<ProcessIdentity, 'ownerId'>,
  silentMs: number,
  { host, startOf }: { host: string; startOf(pid: number): string | null },
): boolean {
  if (owner.host !== host) return silentMs >= SILENT_MS;
  const start = startOf(owner.pid);
  return start === null || (owner.processStart !== '' && start !== '' && start !== owner.processStart);
}
