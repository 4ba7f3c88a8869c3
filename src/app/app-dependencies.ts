import type { Clock } from '../core/clock.ts';
import type { Random } from '../core/id.ts';
import type { AnalysisExecutor } from '../features/analysis/executor.ts';
import type { PrepareExecutor } from '../features/ingest/prepare-executor.ts';
import type { TaskRunner } from '../features/offload/task-runner.ts';
import type { DataDisk } from '../features/storage/data-disk.ts';
import type { StorageState } from '../features/storage/storage-guard.ts';
import type { OfflineModelCatalog } from '../formats/model-catalog/catalog.ts';
import type { RedactionOptions } from '../formats/redaction/redactor.ts';
import type { AnyExecutor } from '../platforms/healing/executor.ts';
import type { JudgeClientDependencies } from '../platforms/judge/judge-client.ts';
import type { ResolveHost } from '../platforms/outbound/send-request.ts';
import type { FolderCorrection } from '../store/data-folder/check-data-folder.ts';
import type { LogStepRunner } from './checkpoint-log.ts';

/** External dependencies; the defaults are the production ones. */
export interface AppDependencies {
  clock?: Clock;
  random?: Random;
  models?: OfflineModelCatalog;
  executor?: AnalysisExecutor;
  /** Default: on the calling thread. */
  tasks?: TaskRunner;
  /** @param redaction with the salt of the instance */
  createPrepare?(redaction: RedactionOptions): PrepareExecutor;
  judge?: JudgeClientDependencies;
  resolveHost?: ResolveHost;
  /** Added to the built-in executors. */
  healingExecutors?: readonly AnyExecutor[];
  onTracesChanged?(): void;
  /** Checkpoints the write-ahead log on another thread; if omitted, commits do it. */
  checkpointThread?: LogStepRunner;
  dataDisk?: DataDisk;
  /** A monotonic clock in milliseconds with an arbitrary origin. */
  monotonicMs?(): number;
  /** Called once when writes start to be rejected, and once when they are accepted again. */
  onStorageChange?(state: StorageState): void;
  onProblem?(subject: string, problem: string): void;
  /** Called for an entry of the data folder whose permissions were too open and were corrected. */
  onCorrection?(correction: FolderCorrection): void;
  /** The caller has locked the data folder (`FolderLock`), as a server does. */
  isHeld?: boolean;
}
