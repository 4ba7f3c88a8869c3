import type { RedactionKind } from './kinds.ts';

/** Secrets with their kinds. */
export type SecretKinds = ReadonlyMap<string, RedactionKind>;

/** Limits of the cache: a trace contains few secrets, and active traces are at the end of the list. */
const MAX_TRACES = 1_000;
const MAX_SECRETS = 100;

/**
 * Known secrets of each of the newest traces, so that a later request of a trace cannot contain them in another form. In
 * memory only, lost with the process.
 */
export class SeenSecrets {
  readonly #byTrace = new Map<string, Map<string, RedactionKind>>();

  get isEmpty(): boolean {
    return this.#byTrace.size === 0;
  }

  of(tenantId: string, traceId: string): SecretKinds | null {
    return this.#byTrace.get(`${tenantId} ${traceId}`) ?? null;
  }

  add(tenantId: string, traceId: string, secrets: SecretKinds): void {
    const key = `${tenantId} ${traceId}`;
    const known = this.#byTrace.get(key) ?? new Map<string, RedactionKind>();
    for (const [secret, kind] of secrets) if (known.size < MAX_SECRETS) known.set(secret, kind);
    this.#byTrace.delete(key);
    this.#byTrace.set(key, known);
    if (this.#byTrace.size > MAX_TRACES) this.#byTrace.delete(this.#byTrace.keys().next().value as string);
  }
}
