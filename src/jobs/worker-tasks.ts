import type { MessagePort } from 'node:worker_threads';
import type { AnalysisInput, AnalysisOutcome } from '../features/analysis/analyze-chunks.ts';
import type { SessionItem } from '../features/coding-sessions/session.record.ts';
import type { FullInput } from '../features/local-sessions/session-bodies.ts';
import type { OffloadKind } from '../features/offload/task.ts';
import type { IntegrityStep } from '../store/sqlite-integrity.ts';
import type { LogStep, LogStepResult } from '../store/sqlite-log.ts';
import type { PrepareInput, PrepareOutput } from './prepare-body.ts';

/** How a worker opens the store. */
export interface StoreFile {
  file: string;
  addonPath?: string;
}

/** The document is sent through `port`. The output states whether all of it was sent. */
export interface OffloadRequest {
  /** Input of the task. */
  name: string;
  input: unknown;
  store: StoreFile;
  port: MessagePort;
}

export type OffloadKinds = Record<OffloadKind, { input: OffloadRequest; output: boolean }>;

/** All tasks of `worker-main.ts`; each pool uses some of them. */
export interface WorkerTasks extends OffloadKinds {
  analyze: { input: AnalysisInput; output: AnalysisOutcome };
  /** Reads a whole session of a coding agent from its files; null if they hold none. */
  readSession: { input: { source: FullInput; receivedAtMs: number }; output: SessionItem | null };
  prepare: { input: PrepareInput; output: PrepareOutput };
  /** `table` null: lists the tables. */
  checkTable: { input: StoreFile & { table: string | null }; output: IntegrityStep };
  runLogStep: { input: StoreFile & { step: LogStep }; output: LogStepResult };
}
