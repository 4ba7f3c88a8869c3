import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kysely, Transaction } from 'kysely';
import type { Db } from './connection.ts';
import type { Database } from './schema.ts';

/**
 * Runs `work` in one transaction. Only services call this: SQLite has one connection behind a mutex, so using the root
 * handle inside would wait for ever.
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

export interface Rider {
  /** Runs `work`; what rides is written in the first transaction that commits in it. */
  during<Result>(work: () => Promise<Result>): Promise<Result>;
  hasRidden(): boolean;
}

/** Something that is to be committed together with whatever is changed first, without those who change it knowing of it. */
export function ridingAlong(write: (transaction: Db) => Promise<void>): Rider {
  const ride: Ride = { write, state: 'waiting' };
  return {
    async during(work) {
      try {
        return await riders.run(ride, work);
      } finally {
        // What goes on in the background then is not part of it.
        if (ride.state === 'waiting') ride.state = 'over';
      }
    },
    hasRidden: () => ride.state === 'done',
  };
}

/** Cuts a list so that one statement stays within a database's limit of parameters. */
export function inSlices<Item>(items: readonly Item[], size: number): Item[][] {
  const slices: Item[][] = [];
  for (let at = 0; at < items.length; at += size) slices.push(items.slice(at, at + size));
  return slices;
}
