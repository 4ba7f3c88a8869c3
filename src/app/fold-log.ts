import { LogKeeper, type LogPages } from '../features/storage/log-keeper.ts';
import type { StoreConnection } from '../store/connection.ts';
import { type LogStep, NOTHING_WRITTEN } from '../store/sqlite-log.ts';

/** A thread that writes the write-ahead log. */
export interface LogStepWriter {
  /** Whether the last step ran. */
  readonly isAvailable: boolean;
  write(step: LogStep): Promise<LogPages>;
  close(): Promise<void>;
}

/**
 * Writes the write-ahead log into the database. @param isEmptied also cuts the file of the log
 * @returns whether all of it was written
 */
export type FoldLog = (isEmptied: boolean) => Promise<boolean>;

/** On the thread of `writer`; without one, as in a command of the command line, on this thread. */
export function createFoldLog({ db, space, state }: StoreConnection, writer: LogStepWriter | undefined): FoldLog {
  if (writer === undefined) return async (isEmptied) => space.checkpoint(isEmptied);
  const write = async (step: LogStep): Promise<LogPages> => {
    // The thread has a connection of its own, which the guard of statements does not cover.
    if (state.fault !== null) return NOTHING_WRITTEN;
    try {
      return await writer.write(step);
    } finally {
      space.setFallback(!writer.isAvailable);
    }
  };
  const keeper = new LogKeeper({ write, hold: (work) => db.connection().execute(work) });
  return (isEmptied) => keeper.fold(isEmptied);
}
