import type { Kysely } from 'kysely';
import type { LeaseOwnerTable } from '../../store/job-tables.ts';
import {
  beatLeaseOwner,
  listLeaseOwners,
  registerLeaseOwner,
  releaseLeaseOwner,
} from '../../store/lease-owner.store.ts';
import type { Database } from '../../store/schema.ts';
import { inTransaction } from '../../store/transaction.ts';
import { isGone } from './owner-gone.ts';
import { type ProcessIdentity, processStartOf } from './process-identity.ts';

export interface LeaseKeeperOptions {
  db: Kysely<Database>;
  me: ProcessIdentity;
  /** Milliseconds that never step. */
  monotonicNow(): number;
}

/** Names this process as the owner of its leases, and takes over the work of processes that have ended. */
export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions;
  readonly #heard = new Map<string, { heartbeat: number; at: number }>();
  #registered: Promise<void> | null = null;

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
  }

  /** The owner that every lease of this process names. Registers it on first use. */
  async owner(): Promise<string> {
    this.#registered ??= this.#register();
    await this.#registered;
    return this.#options.me.ownerId;
  }

  /**
   * Releases the leases of processes that have ended, and renews this one's heartbeat where a process on another machine
   * watches it. Call it every two seconds. @returns how many rows became free
   */
  async tick(): Promise<number> {
    const { db, me } = this.#options;
    const owners = await listLeaseOwners(db);
    const others = owners.filter(({ owner_id }) => owner_id !== me.ownerId);
    if (this.#registered !== null && others.length === owners.length) await this.#register();
    if (others.some(({ host }) => host !== me.host)) await beatLeaseOwner(db, me.ownerId);
    let released = 0;
    for (const owner of others) if (this.#isGone(owner)) released += await this.#release(owner.owner_id);
    return released;
  }

  /** Gives up whatever this process still holds. */
  async close(): Promise<void> {
    if (this.#registered === null) return;
    await this.#registered;
    await this.#release(this.#options.me.ownerId);
  }

  #register(): Promise<void> {
    const { ownerId, host, pid, processStart } = this.#options.me;
    const row = { owner_id: ownerId, host, pid, process_start: processStart, heartbeat: 0 };
    return registerLeaseOwner(this.#options.db, row);
  }

  #isGone({ owner_id, host, pid, process_start, heartbeat }: LeaseOwnerTable): boolean {
    const now = this.#options.monotonicNow();
    const heard = this.#heard.get(owner_id);
    if (heard?.heartbeat !== heartbeat) this.#heard.set(owner_id, { heartbeat, at: now });
    const silentMs = heard?.heartbeat === heartbeat ? now - heard.at : 0;
    const owner = { host, pid, processStart: process_start };
    return isGone(owner, silentMs, { host: this.#options.me.host, startOf: processStartOf });
  }

  async #release(ownerId: string): Promise<number> {
    this.#heard.delete(ownerId);
    return inTransaction(this.#options.db, (transaction) => releaseLeaseOwner(transaction, ownerId));
  }
}
