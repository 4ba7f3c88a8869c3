import type { Kysely } from 'kysely';
import type { LeaseOwnerTable } from '../../store/job-tables.ts';
import {
  heartbeatLeaseOwner,
  listLeaseOwners,
  registerLeaseOwner,
  releaseLeaseOwner,
} from '../../store/lease-owner.store.ts';
import type { Database } from '../../store/schema.ts';
import { inTransaction } from '../../store/transaction.ts';
import { hasOwnerEnded } from './owner-liveness.ts';
import { type ProcessIdentity, processStartOf } from './process-identity.ts';

export interface LeaseManagerOptions {
  db: Kysely<Database>;
  me: ProcessIdentity;
  /** Monotonic milliseconds. */
  monotonicNow(): number;
}

/** Identifies this process as the owner of its leases, and releases the leases of processes that have ended. */
export class LeaseManager {
  readonly #options: LeaseManagerOptions;
  readonly #lastHeartbeats = new Map<string, { heartbeat: number; at: number }>();
  #registered: Promise<void> | null = null;

  constructor(options: LeaseManagerOptions) {
    this.#options = options;
  }

  /** The owner id of all leases of this process. Registered at first use. */
  async owner(): Promise<string> {
    this.#registered ??= this.#register();
    await this.#registered;
    return this.#options.me.ownerId;
  }

  /**
   * Releases the leases of processes that have ended, and renews this one's heartbeat if a process on another machine
   * monitors it. Call it every two seconds. @returns how many rows became free
   */
  async tick(): Promise<number> {
    const { db, me } = this.#options;
    const owners = await listLeaseOwners(db);
    const others = owners.filter(({ owner_id }) => owner_id !== me.ownerId);
    if (this.#registered !== null && others.length === owners.length) await this.#register();
    if (others.some(({ host }) => host !== me.host)) await heartbeatLeaseOwner(db, me.ownerId);
    let released = 0;
    for (const owner of others) if (this.#hasEnded(owner)) released += await this.#release(owner.owner_id);
    return released;
  }

  /** Releases all leases of this process. */
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

  #hasEnded({ owner_id, host, pid, process_start, heartbeat }: LeaseOwnerTable): boolean {
    const now = this.#options.monotonicNow();
    const lastHeartbeat = this.#lastHeartbeats.get(owner_id);
    if (lastHeartbeat?.heartbeat !== heartbeat) this.#lastHeartbeats.set(owner_id, { heartbeat, at: now });
    const silentMs = lastHeartbeat?.heartbeat === heartbeat ? now - lastHeartbeat.at : 0;
    const owner = { host, pid, processStart: process_start };
    return hasOwnerEnded(owner, silentMs, { host: this.#options.me.host, startOf: processStartOf });
  }

  async #release(ownerId: string): Promise<number> {
    this.#lastHeartbeats.delete(ownerId);
    return inTransaction(this.#options.db, (transaction) => releaseLeaseOwner(transaction, ownerId));
  }
}
