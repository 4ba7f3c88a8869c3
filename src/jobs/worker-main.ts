import { parentPort } from 'node:worker_threads';
import { type AnalysisInput, type AnalysisOutcome, analyzeChunks } from '../features/analysis/analyze-chunks.ts';
import { createModelCatalog } from '../formats/model-catalog/catalog.ts';

export interface WorkerRequest {
  id: number;
  input: AnalysisInput;
}

export type WorkerReply = { id: number; outcome: AnalysisOutcome } | { id: number; error: string };

const models = createModelCatalog();

parentPort?.on('message', ({ id, input }: WorkerRequest) => {
  parentPort?.postMessage(answer(id, input));
});

function answer(id: number, input: AnalysisInput): WorkerReply {
  try {
    return { id, outcome: analyzeChunks(input, models) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}
