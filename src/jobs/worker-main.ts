import { workerData } from 'node:worker_threads';
import { analyzeChunks } from '../features/analysis/analyze-chunks.ts';
import { readSession } from '../features/coding-sessions/read-session.ts';
import { bodiesOf } from '../features/local-sessions/session-bodies.ts';
import { createModelCatalog } from '../formats/model-catalog/catalog.ts';
import { checkTable } from '../store/sqlite-integrity.ts';
import { runLogStep } from '../store/sqlite-log.ts';
import { handleTasks } from './handle-tasks.ts';
import { OffloadWorker } from './offload-worker.ts';
import { prepareBody } from './prepare-body.ts';
import { RunningDetector } from './running-detector.ts';
import type { WorkerTasks } from './worker-tasks.ts';

const models = createModelCatalog();
const offload = new OffloadWorker(models);
const running = new RunningDetector(workerData as SharedArrayBuffer);

handleTasks<WorkerTasks>({
  read: (request) => offload.answer(request),
  check: (request) => offload.answer(request),
  judge: (request) => offload.answer(request),
  prepare: prepareBody,
  readSession: ({ source, receivedAtMs }) => readSession(bodiesOf(source), { models, receivedAtMs })?.item ?? null,
  checkTable: ({ file, addonPath, table }) => checkTable(file, addonPath, table),
  runLogStep: ({ file, addonPath, step }) => runLogStep(file, addonPath, step),
  analyze(input) {
    try {
      return analyzeChunks(input, models, (type) => running.set(type));
    } finally {
      running.set(null);
    }
  },
});
