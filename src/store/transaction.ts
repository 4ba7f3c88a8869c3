import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kysely, Transaction } from 'kysely';
import type { Db } from './connection.ts';
import type { Database } from './schema.ts';

/**
 * Runs `work` in one transaction. Only services call this: SQLite has one connection behind a mutex, so using the root
 * handle inside would wait forever.
 */
export function inTransaction<Result>(
  db: Kysely<Database>,
  work: (transaction: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  const attachedWrite = attachedWrites.getStore();
  if (attachedWrite === undefined || attachedWrite.state !== 'waiting') return db.transaction().execute(work);
  return runWithAttached(db, attachedWrite, work);
}

type AttachedWrite = { write(transaction: Db): Promise<void>; state: 'waiting' | 'running' | 'done' | 'expired' };

const attachedWrites = new AsyncLocalStorage<AttachedWrite>();

async function runWithAttached<Result>(
  db: Kysely<Database>,
  attachedWrite: AttachedWrite,
  work: (transaction: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  attachedWrite.state = 'running';
  try {
    const result = await db.transaction().execute(async (transaction) => {
      const value = await work(transaction);
      await attachedWrite.write(transaction);
      return value;
    });
    attachedWrite.state = 'done';
    return result;
  } finally {
    if (attachedWrite.state === 'running') attachedWrite.state = 'waiting';
  }
}

export interface CommitHook {
  /** Runs `work`; the attached write is part of the first transaction that commits in it. */
  during<Result>(work: () => Promise<Result>): Promise<Result>;
  isCommitted(): boolean;
}

/** A write that is committed together with the first transaction of `work`, without changes to the code that opens it. */
export function onFirstCommit(write: (transaction: Db) => Promise<void>): CommitHook {
  const attached: AttachedWrite = { write, state: 'waiting' };
  return {
    async during(work) {
      try {
        return await attachedWrites.run(attached, work);
      } finally {
        // Work that continues in the background is not part of it.
        if (attached.state === 'waiting') attached.state = 'expired';
      }
    },
    isCommitted: () => attached.state === 'done',
  };
}

/** Splits a list so that one statement stays within the database's parameter limit. */
export function inBatches<Item>(items: readonly Item[], size: number): Item[][] {
  const slices: Item[][] = [];
  for (let at = 0; at < items.length; at += size) slices.push(items.slice(at, at + size));
  return slices;
}
