import type { RedactionKind } from './kinds.ts';

/** Secrets and what kind each is of. */
export type SecretKinds = ReadonlyMap<string, RedactionKind>;

/** How much is remembered: a trace holds few secrets, and what goes on is at the end of the list. */
const MOST_TRACES = 1_000;
const MOST_SECRETS = 100;

/**
 * What was recognised in each of the newest traces, so that a later request of the same trace cannot bring it back in
 * another form. It lives in memory only, and is lost with the process.
 */
export class SeenSecrets {
  readonly #byTrace = new Map<string, Map<string, RedactionKind>>();

  get isEmpty(): boolean {
    return this.#byTrace.size === 0;
  }

  of(tenantId: string, traceId: string): SecretKinds | null {
    return this.#byTrace.get(`${tenantId} ${traceId}`) ?? null;
  }

  note(tenantId: string, traceId: string, secrets: SecretKinds): void {
    const key = `${tenantId} ${traceId}`;
    const known = this.#byTrace.get(key) ?? new Map<string, RedactionKind>();
    for (const [secret, kind] of secrets) if (known.size < MOST_SECRETS) known.set(secret, kind);
    this.#byTrace.delete(key);
    this.#byTrace.set(key, known);
    if (this.#byTrace.size > MOST_TRACES) this.#byTrace.delete(this.#byTrace.keys().next().value as string);
  }
}
