import { describe, expect, it } from 'vitest';
import { hasOwnerEnded, SILENT_MS } from './owner-liveness.ts';
import { processStartOf, thisProcess } from './process-identity.ts';

const running: Record<number, string> = { 10: '500', 11: '' };
const here = { host: 'here', startOf: (pid: number) => running[pid] ?? null };

describe('the owner of leases', () => {
  it.each([
    ['runs', 'here', 10, '500', 0, false],
    ['stalls', 'here', 10, '500', 10 * SILENT_MS, false],
    ['has ended', 'here', 12, '500', 0, true],
    ['has ended, and another process has its pid', 'here', 10, '400', 0, true],
    ['runs on a system that reports no start', 'here', 11, '400', 0, false],
    ['did not know its start', 'here', 10, '', 0, false],
    ['runs on another machine', 'there', 12, '500', SILENT_MS - 1, false],
    ['is silent on another machine', 'there', 12, '500', SILENT_MS, true],
    ['is silent on another machine that has the same pids', 'there', 10, '500', SILENT_MS, true],
  ])('that %s', (_name, host, pid, processStart, silentMs, expected) => {
    expect(hasOwnerEnded({ host, pid, processStart }, silentMs, here)).toBe(expected);
  });

  it('is identified by the process data of the operating system', () => {
    const me = thisProcess();
    expect(hasOwnerEnded(me, 0, { host: me.host, startOf: processStartOf })).toBe(false);
    expect(hasOwnerEnded({ ...me, pid: 2 ** 22 + 1 }, 0, { host: me.host, startOf: processStartOf })).toBe(true);
    expect(thisProcess().ownerId).not.toBe(me.ownerId);
  });
});
