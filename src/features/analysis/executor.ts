import type { ModelCatalog } from '../../core/model-catalog.ts';
import { type AnalysisInput, type AnalysisOutcome, analyzeChunks } from './analyze-chunks.ts';

/** Where analyses run: worker threads in a server, the same thread in a one-shot command. */
export interface AnalysisExecutor {
  run(input: AnalysisInput): Promise<AnalysisOutcome>;
  close(): Promise<void>;
}

export function createInThreadExecutor(models: ModelCatalog): AnalysisExecutor {
  return {
    run: async (input) => analyzeChunks(input, models),
    close: async () => {},
  };
}
