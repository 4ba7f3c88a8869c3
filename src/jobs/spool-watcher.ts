import { type FSWatcher, watch } from 'chokidar';
import { makeFolder } from '../store/data-folder/make-folder.ts';

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
export class SpoolWatcher {
  readonly #options: SpoolWatcherOptions;
  readonly #watcher: FSWatcher;
  readonly #ticker: NodeJS.Timeout;
  /** Collects the events of a burst before the next drain. */
  #gathering: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  #isWanted = false;
  #isStopped = false;

  constructor(options: SpoolWatcherOptions) {
    const { folder, onError, pollMs = POLL_MS } = options;
    this.#options = options;
    makeFolder(folder);
    const ignored = (file: string) => file.endsWith('.draining');
    this.#watcher = watch(folder, { depth: 0, ignoreInitial: true, ignored });
    this.#watcher.on('add', () => this.#scheduleDrain()).on('error', onError);
    this.#ticker = setInterval(() => this.#scheduleDrain(), pollMs);
    this.#scheduleDrain();
  }

  /** Stops after the current drain. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#ticker);
    if (this.#gathering) clearTimeout(this.#gathering);
    await this.#watcher.close();
    await this.#running;
  }

  #scheduleDrain(): void {
    if (this.#isStopped) return;
    this.#isWanted = true;
    this.#gathering ??= setTimeout(() => {
      this.#gathering = null;
      this.#running ??= this.#drainUntilQuiet();
    }, BATCH_DELAY_MS);
  }

  async #drainUntilQuiet(): Promise<void> {
    const { drain, onError } = this.#options;
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false;
      await drain().catch(onError);
    }
    this.#running = null;
  }
}
