import { Checkpointer, type LogPages } from '../features/storage/checkpointer.ts';
import type { StoreConnection } from '../store/connection.ts';
import { type LogStep, NOTHING_WRITTEN } from '../store/sqlite-log.ts';

/** Runs the steps of a checkpoint of the write-ahead log on a thread. */
export interface LogStepRunner {
  /** Whether the last step finished. */
  readonly isAvailable: boolean;
  runStep(step: LogStep): Promise<LogPages>;
  close(): Promise<void>;
}

/**
 * Checkpoints the write-ahead log.
 * @param truncates whether to truncate the log file too
 * @returns whether all pages of the log were transferred
 */
export type CheckpointLog = (truncates: boolean) => Promise<boolean>;

/** Without a thread, as in a CLI command, the checkpoint runs on the thread of the caller. */
export function createCheckpointLog(
  { db, space, state }: StoreConnection,
  thread: LogStepRunner | undefined,
): CheckpointLog {
  if (thread === undefined) return async (truncates) => space.checkpoint(truncates);
  const runStep = async (step: LogStep): Promise<LogPages> => {
    // The thread has its own connection, which the statement guard does not cover.
    if (state.fault !== null) return NOTHING_WRITTEN;
    try {
      return await thread.runStep(step);
    } finally {
      space.setFallback(!thread.isAvailable);
    }
  };
  const checkpointer = new Checkpointer({ runStep, hold: (work) => db.connection().execute(work) });
  return (truncates) => checkpointer.checkpoint(truncates);
}
