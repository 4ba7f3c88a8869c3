import { beforeEach, describe, expect, it } from 'vitest';
import type { Receiver } from '../../store/alert-delivery.store.ts';
import type { AlertDeliveryTable } from '../../store/schema.ts';
import { DeliveryQueue } from './delivery-queue.ts';

/** `tenant target`, due in this order. */
let due: string[];
let served: string[];
let releases: Map<string, (error?: Error) => void>;
let queue: DeliveryQueue;
beforeEach(() => {
  due = [];
  served = [];
  releases = new Map();
  queue = new DeliveryQueue({ lease, serve });
});

async function lease(limit: number, { receivers, tenants }: { receivers: Receiver[]; tenants: number[] }) {
  const isFree = (row: Receiver) =>
    !tenants.includes(row.tenant_no) &&
    !receivers.some((one) => one.tenant_no === row.tenant_no && one.target === row.target);
  const taken = due.filter((text) => isFree(toRow(text))).slice(0, limit);
  for (const text of taken) due.splice(due.indexOf(text), 1);
  return taken.map(toRow);
}

async function serve(rows: readonly AlertDeliveryTable[]): Promise<void> {
  const name = `${rows[0]?.tenant_no} ${rows[0]?.target}`;
  served.push(`${name} x${rows.length}`);
  await new Promise<void>((done, fail) => {
    releases.set(name, (error) => (error ? fail(error) : done()));
  });
}

function toRow(text: string): AlertDeliveryTable {
  const [tenant, target] = text.split(' ') as [string, string];
  return { tenant_no: Number(tenant), channel: 'email', target } as AlertDeliveryTable;
}

describe('deliveries', () => {
  it.each<[string, string[], string[]]>([
    ['of one receiver are served together', ['1 a', '1 a'], ['1 a x2']],
    ['of several receivers are served side by side', ['1 a', '1 b', '2 a'], ['1 a x1', '1 b x1', '2 a x1']],
  ])('%s', async (_name, rows, expected) => {
    due = [...rows];
    expect(await queue.start(10)).toBe(rows.length);
    expect(served).toEqual(expected);
  });

  it('of a busy receiver wait, those of another do not', async () => {
    due = ['1 a'];
    await queue.start(10);
    due = ['1 a', '2 a'];
    await queue.start(10);
    expect(served).toEqual(['1 a x1', '2 a x1']);
    releases.get('1 a')?.();
    await queue.wait(10_000);
    await queue.start(10);
    expect(served).toEqual(['1 a x1', '2 a x1', '1 a x1']);
  });

  it('of a tenant with eight slow receivers wait, those of another do not', async () => {
    due = Array.from({ length: 8 }, (_, at) => `1 r${at}`);
    await queue.start(10);
    due = ['1 next', '2 a'];
    await queue.start(10);
    expect(served.slice(8)).toEqual(['2 a x1']);
    expect(due).toEqual(['1 next']);
  });

  it('that could not be noted are reported once', async () => {
    due = ['1 a'];
    await queue.start(10);
    releases.get('1 a')?.(new Error('disk full'));
    await queue.idle();
    await expect(queue.start(10)).rejects.toThrow('disk full');
    expect(await queue.start(10)).toBe(0);
  });
});
