import { type FSWatcher, watch } from 'chokidar';
import { makeFolder } from '../store/data-folder/make-folder.ts';

export interface SpoolWatcher {
  /** Stops after the current drain. */
  stop(): Promise<void>;
}

export interface SpoolWatcherOptions {
  folder: string;
  drain(): Promise<unknown>;
  onError(error: unknown): void;
  /** Interval of polls without an event: for entries of a process that died, and for file systems without events. */
  pollMs?: number;
}

const POLL_MS = 30_000;
/** Hooks arrive in bursts: one drain reads them all. */
const BATCH_DELAY_MS = 50;

/** Drains the folder at once, and again whenever a file appears; drains never overlap. */
export function startSpoolWatcher({ folder, drain, onError, pollMs = POLL_MS }: SpoolWatcherOptions): SpoolWatcher {
  makeFolder(folder);
  let gathering: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let isWanted = false;
  let isStopped = false;

  async function drainUntilQuiet(): Promise<void> {
    while (isWanted && !isStopped) {
      isWanted = false;
      await drain().catch(onError);
    }
    running = null;
  }

  function start(): void {
    gathering = null;
    running ??= drainUntilQuiet();
  }

  function scheduleDrain(): void {
    if (isStopped) return;
    isWanted = true;
    gathering ??= setTimeout(start, BATCH_DELAY_MS);
  }

  const watcher: FSWatcher = watch(folder, {
    depth: 0,
    ignoreInitial: true,
    ignored: (file) => file.endsWith('.draining'),
  });
  watcher.on('add', scheduleDrain).on('error', onError);
  const ticker = setInterval(scheduleDrain, pollMs);
  scheduleDrain();

  return {
    async stop() {
      isStopped = true;
      clearInterval(ticker);
      if (gathering) clearTimeout(gathering);
      await watcher.close();
      await running;
    },
  };
}
