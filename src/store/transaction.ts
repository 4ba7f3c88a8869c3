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
  const rider = riders.getStore();
  if (rider === undefined || rider.state !== 'waiting') return db.transaction().execute(work);
  return takeAlong(db, rider, work);
}

type Ride = { write(transaction: Db): Promise<void>; state: 'waiting' | 'riding' | 'done' | 'over' };

const riders = new AsyncLocalStorage<Ride>();

async function takeAlong<Result>(
  db: Kysely<Database>,
  rider: Ride,
  work: (transaction: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  rider.state = 'riding';
  try {
    const result = await db.transaction().execute(async (transaction) => {
      const made = await work(transaction);
      await rider.write(transaction);
      return made;
    });
    rider.state = 'done';
    return result;
  } finally {
    if (rider.state === 'riding') rider.state = 'waiting';
  }
}

export interface CommitHook {
  /** Runs `work`; the attached write is part of the first transaction that commits in it. */
  during<Result>(work: () => Promise<Result>): Promise<Result>;
  isCommitted(): boolean;
}

/** A write that is committed together with the first transaction of `work`, without changes to the code that opens it. */
export function onFirstCommit(write: (transaction: Db) => Promise<void>): CommitHook {
  const ride: Ride = { write, state: 'waiting' };
  return {
    async during(work) {
      try {
        return await riders.run(ride, work);
      } finally {
        // Work that continues in the background is not part of it.
        if (ride.state === 'waiting') ride.state = 'over';
      }
    },
    isCommitted: () => ride.state === 'done',
  };
}

/** Splits a list so that one statement stays within the database's parameter limit. */
export function inBatches<Item>(items: readonly Item[], size: number): Item[][] {
  const slices: Item[][] = [];
  for (let at = 0; at < items.length; at += size) slices.push(items.slice(at, at + size));
  return slices;
}
