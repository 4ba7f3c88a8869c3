import { parentPort, workerData } from 'node:worker_threads';
import { DEFAULT_CONFIG } from '../../src/app/config.ts';
import { openApp } from '../../src/app/open-app.ts';

/** What a thread that stands for a second process is started with. */
export interface SecondProcess {
  dataFolder: string;
  /** Unix milliseconds at which its clock stands. */
  now: number;
  /** Traces it takes at a time. */
  limit: number;
}

/** Analyses all that is due on a store of its own over the same file, and posts how many traces it took. */
if (parentPort !== null) {
  const { dataFolder, now, limit } = workerData as SecondProcess;
  const app = await openApp({ ...DEFAULT_CONFIG, dataFolder }, { clock: { now: () => now } });
  parentPort.postMessage('open');
  let count = 0;
  for (let taken = -1; taken !== 0; count += taken) taken = await app.services.analysis.runDue(limit);
  await app.close();
  parentPort.postMessage(count);
}
