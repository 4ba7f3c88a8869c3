import type { Credentials } from '../../test/support/served.ts';
import type { SoakTrace } from './soak-traces.ts';
import type { Ledger } from './soak-traffic.ts';

interface Entry {
  tenant: Credentials;
  spanIds: string[];
}

/** Number of traces per tenant that can be read back in one or two minutes; a uniform sample of the acknowledged traces. */
const MAX_TRACES_PER_TENANT = 2_000;

/** A uniform sample of the acknowledged traces of each tenant (reservoir sampling). */
export class SoakLedger implements Ledger {
  acknowledgedSpans = 0;
  readonly #samples = new Map<string, Map<string, Entry>>();
  readonly #recorded = new Map<string, number>();
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  record(tenant: Credentials, { traceId, spanIds }: SoakTrace): void {
    this.acknowledgedSpans += spanIds.length;
    const recorded = (this.#recorded.get(tenant.tenantId) ?? 0) + 1;
    this.#recorded.set(tenant.tenantId, recorded);
    const samples = this.#samples.get(tenant.tenantId) ?? new Map<string, Entry>();
    this.#samples.set(tenant.tenantId, samples);
    if (samples.size >= MAX_TRACES_PER_TENANT) {
      if (this.#random() >= MAX_TRACES_PER_TENANT / recorded) return;
      samples.delete([...samples.keys()][Math.floor(this.#random() * samples.size)]!);
    }
    samples.set(traceId, { tenant, spanIds });
  }

  remove(traceId: string): void {
    for (const samples of this.#samples.values()) samples.delete(traceId);
  }

  pick({ tenantId }: Credentials): string | null {
    const ids = [...(this.#samples.get(tenantId)?.keys() ?? [])];
    return ids.length === 0 ? null : ids[Math.floor(this.#random() * ids.length)]!;
  }

  /** Every trace that is read back. */
  entries(): { traceId: string; tenant: Credentials; spanIds: string[] }[] {
    return [...this.#samples.values()].flatMap((samples) =>
      [...samples].map(([traceId, entry]) => ({ traceId, ...entry })),
    );
  }
}
