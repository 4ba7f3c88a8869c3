import type { AnalysisInput, AnalysisOutcome } from '../features/analysis/analyze-chunks.ts';

/** Everything that `worker-main.ts` can do; each pool asks for some of it. */
export interface WorkerTasks {
  analyze: { input: AnalysisInput; output: AnalysisOutcome };
}
