import type { MessagePort } from 'node:worker_threads';
import type { AnalysisInput, AnalysisOutcome } from '../features/analysis/analyze-chunks.ts';
import type { SessionItem } from '../features/coding-sessions/session.record.ts';
import type { FullInput } from '../features/local-sessions/session-bodies.ts';
import type { OffloadKind } from '../features/offload/task.ts';
import type { IntegrityStep } from '../store/sqlite-integrity.ts';
import type { LogStep, LogStepResult } from '../store/sqlite-log.ts';
import type { PrepareInput, PrepareOutput } from './prepare-body.ts';

/** Where a worker finds the store. */
export interface StoreFile {
  file: string;
  addonPath?: string;
}

/** The document goes through `port`. The output says whether all of it was sent. */
export interface OffloadRequest {
  /** Of the task. */
  name: string;
  input: unknown;
  store: StoreFile;
  port: MessagePort;
}

export type OffloadKinds = Record<OffloadKind, { input: OffloadRequest; output: boolean }>;

/** Everything that `worker-main.ts` can do; each pool asks for some of it. */
export interface WorkerTasks extends OffloadKinds {
  analyze: { input: AnalysisInput; output: AnalysisOutcome };
  /** Reads the whole of a coding agent's session from its files; null where they hold none. */
  readSession: { input: { source: FullInput; receivedAtMs: number }; output: SessionItem | null };
  prepare: { input: PrepareInput; output: PrepareOutput };
  /** `table` null: lists the tables. */
  checkTable: { input: StoreFile & { table: string | null }; output: IntegrityStep };
  runLogStep: { input: StoreFile & { step: LogStep }; output: LogStepResult };
}
