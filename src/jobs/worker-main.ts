import { workerData } from 'node:worker_threads';
import { analyzeChunks } from '../features/analysis/analyze-chunks.ts';
import { readSession } from '../features/coding-sessions/read-session.ts';
import { bodiesOf } from '../features/local-sessions/session-bodies.ts';
import { createModelCatalog } from '../formats/model-catalog/catalog.ts';
import { loadAddon } from '../store/sqlite-addon.ts';
import { checkTable } from '../store/sqlite-integrity.ts';
import { runLogStep } from '../store/sqlite-log.ts';
import { AddonGate } from './addon-gate.ts';
import { handleTasks } from './handle-tasks.ts';
import { OffloadWorker } from './offload-worker.ts';
import { prepareBody } from './prepare-body.ts';
import { RunningDetector } from './running-detector.ts';
import type { OffloadRequest, StoreFile, WorkerTasks } from './worker-tasks.ts';
import type { WorkerMemory } from './worker-thread.ts';

const models = createModelCatalog();
const offload = new OffloadWorker(models);
const { memory, addonGate } = workerData as WorkerMemory;
const running = new RunningDetector(memory);
const gate = new AddonGate(addonGate);
const loadStore = ({ addonPath }: StoreFile) => gate.load(() => loadAddon(addonPath));

function runOffloaded(request: OffloadRequest): Promise<boolean> {
  loadStore(request.store);
  return offload.answer(request);
}

handleTasks<WorkerTasks>({
  read: runOffloaded,
  check: runOffloaded,
  judge: runOffloaded,
  prepare: prepareBody,
  readSession: ({ source, receivedAtMs }) => readSession(bodiesOf(source), { models, receivedAtMs })?.item ?? null,
  checkTable(input) {
    loadStore(input);
    return checkTable(input.file, input.addonPath, input.table);
  },
  runLogStep(input) {
    loadStore(input);
    return runLogStep(input.file, input.addonPath, input.step);
  },
  analyze(input) {
    try {
      return analyzeChunks(input, models, (type) => running.set(type));
    } finally {
      running.set(null);
    }
  },
});
