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
  lookAgainMs?: number;
}

const LOOK_AGAIN_MS = 30_000;
/** Hooks arrive in bursts: one drain reads them all. */
const GATHER_MS = 50;

/** Drains the folder at once, and again whenever a file appears; drains never overlap. */
export function startSpoolWatcher({
  folder,
  drain,
  onError,
  lookAgainMs = LOOK_AGAIN_MS,
}: SpoolWatcherOptions): SpoolWatcher {
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
    gathering ??= setTimeout(start, GATHER_MS);
  }

  const watcher: FSWatcher = watch(folder, {
    depth: 0,
    ignoreInitial: true,
    ignored: (file) => file.endsWith('.draining'),
  });
  watcher.on('add', scheduleDrain).on('error', onError);
  const ticker = setInterval(scheduleDrain, lookAgainMs);
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
