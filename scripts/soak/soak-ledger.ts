import type { Credentials } from '../../test/support/served.ts';
import type { SoakTrace } from './soak-traces.ts';
import type { Ledger } from './soak-traffic.ts';

interface Entry {
  who: Credentials;
  spanIds: string[];
}

/** As many traces of each tenant as are read back in a minute or two; chosen evenly from all that was acknowledged. */
const MOST_A_TENANT = 2_000;

/** Keeps an even sample of the acknowledged traces of each tenant (reservoir sampling). */
export class SoakLedger implements Ledger {
  acknowledgedSpans = 0;
  readonly #kept = new Map<string, Map<string, Entry>>();
  readonly #noted = new Map<string, number>();
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  note(who: Credentials, { traceId, spanIds }: SoakTrace): void {
    this.acknowledgedSpans += spanIds.length;
    const noted = (this.#noted.get(who.tenantId) ?? 0) + 1;
    this.#noted.set(who.tenantId, noted);
    const kept = this.#kept.get(who.tenantId) ?? new Map<string, Entry>();
    this.#kept.set(who.tenantId, kept);
    if (kept.size >= MOST_A_TENANT) {
      if (this.#random() >= MOST_A_TENANT / noted) return;
      kept.delete([...kept.keys()][Math.floor(this.#random() * kept.size)]!);
    }
    kept.set(traceId, { who, spanIds });
  }

  forget(traceId: string): void {
    for (const kept of this.#kept.values()) kept.delete(traceId);
  }

  any({ tenantId }: Credentials): string | null {
    const ids = [...(this.#kept.get(tenantId)?.keys() ?? [])];
    return ids.length === 0 ? null : ids[Math.floor(this.#random() * ids.length)]!;
  }

  /** Every trace that is read back. */
  entries(): { traceId: string; who: Credentials; spanIds: string[] }[] {
    return [...this.#kept.values()].flatMap((kept) => [...kept].map(([traceId, entry]) => ({ traceId, ...entry })));
  }
}
