import { parentPort, workerData } from 'node:worker_threads';
import { DEFAULT_CONFIG } from '../../src/app/config.ts';
import { openApp } from '../../src/app/open-app.ts';

/** Start parameters of a thread that simulates a second process. */
export interface SecondProcess {
  dataFolder: string;
  /** Fixed time of its clock, Unix milliseconds. */
  now: number;
  /** Number of traces that it dequeues at a time. */
  limit: number;
}

/** Analyzes all due traces through a separate store on the same file, and posts the number of traces. */
if (parentPort !== null) {
  const { dataFolder, now, limit } = workerData as SecondProcess;
  const app = await openApp({ ...DEFAULT_CONFIG, dataFolder }, { clock: { now: () => now } });
  parentPort.postMessage('open');
  let count = 0;
  for (let taken = -1; taken !== 0; count += taken) taken = await app.services.analysis.runDue(limit);
  await app.close();
  parentPort.postMessage(count);
}
