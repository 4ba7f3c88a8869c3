/** Half-life of an owner's recorded use. */
const HALF_LIFE_MS = 30_000;
const NEGLIGIBLE_MS = 0.01;

/**
 * Recent time used per owner. The owner with the least use goes first, so a quiet owner never waits behind
 * a busy one, and a busy one waits but is never starved.
 */
export class FairShare<Owner> {
  readonly #used = new Map<Owner, { ms: number; at: number }>();

  charge(owner: Owner, ms: number, now: number): void {
    this.#used.set(owner, { ms: this.usedMs(owner, now) + ms, at: now });
    if (this.#used.size > 10_000) this.#removeNegligible(now);
  }

  usedMs(owner: Owner, now: number): number {
    const used = this.#used.get(owner);
    if (used === undefined) return 0;
    return used.ms * 2 ** (-Math.max(0, now - used.at) / HALF_LIFE_MS);
  }

  /** Least use first; equal owners keep their order. */
  inOrder(owners: readonly Owner[], now: number): Owner[] {
    return owners.toSorted((one, other) => this.usedMs(one, now) - this.usedMs(other, now));
  }

  #removeNegligible(now: number): void {
    for (const owner of this.#used.keys()) if (this.usedMs(owner, now) < NEGLIGIBLE_MS) this.#used.delete(owner);
  }
}
