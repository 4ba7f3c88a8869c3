import { parentPort, workerData } from 'node:worker_threads';
import { type AnalysisInput, type AnalysisOutcome, analyzeChunks } from '../features/analysis/analyze-chunks.ts';
import { createModelCatalog } from '../formats/model-catalog/catalog.ts';
import { RunningDetector } from './running-detector.ts';

export interface WorkerRequest {
  id: number;
  input: AnalysisInput;
}

export type WorkerReply = { id: number; outcome: AnalysisOutcome } | { id: number; error: string };

const models = createModelCatalog();
const running = new RunningDetector(workerData as SharedArrayBuffer);

parentPort?.on('message', ({ id, input }: WorkerRequest) => {
  parentPort?.postMessage(answer(id, input));
});

function answer(id: number, input: AnalysisInput): WorkerReply {
  try {
    return { id, outcome: analyzeChunks(input, models, (type) => running.tell(type)) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  } finally {
    running.tell(null);
  }
}
