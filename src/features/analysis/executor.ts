import type { ModelCatalog } from '../../core/model-catalog.ts';
import { FairShare } from '../_kit/fair-share.ts';
import { type AnalysisInput, type AnalysisOutcome, analyzeChunks } from './analyze-chunks.ts';

/** Decides when an analysis runs: live before history, tenants in turn. */
export interface AnalysisPriority {
  tenantNo: number;
  /** It has lower priority than live analyses. */
  isHistory: boolean;
}

/** Whether analyses can run. `since` is in Unix milliseconds. */
export interface ExecutorState {
  isAvailable: boolean;
  since: number | null;
  lastError: string | null;
}

/** Where analyses run: worker threads in a server, the calling thread in a one-shot command. */
export interface AnalysisExecutor {
  /** @throws WorkerUnavailableError if no worker can start */
  run(input: AnalysisInput, priority?: AnalysisPriority): Promise<AnalysisOutcome>;
  readonly state: ExecutorState;
  /** Recent analysis time of each tenant. */
  readonly share: FairShare<number>;
  close(): Promise<void>;
}

export function createInThreadExecutor(models: ModelCatalog): AnalysisExecutor {
  return {
    run: async (input) => analyzeChunks(input, models),
    state: { isAvailable: true, since: null, lastError: null },
    share: new FairShare(),
    close: async () => {},
  };
}
