import type { AnalysisService } from '../features/analysis/analysis.service.ts';

export interface AnalysisLoop {
  /** Looks for due traces now. */
  wake(): void;
  /** Ends after the batch under way. */
  stop(): Promise<void>;
}

export interface AnalysisLoopOptions {
  analysis: Pick<AnalysisService, 'runDue' | 'nextDueAt'>;
  now(): number;
  onError(error: unknown): void;
}

const BATCH = 50;
/** Never sleeps longer, since another process may have noted work. */
const MAX_SLEEP_MS = 1_000;
const MIN_SLEEP_MS = 20;

/** Takes traces as they settle, and sleeps until the next one is due. */
export function startAnalysisLoop({ analysis, now, onError }: AnalysisLoopOptions): AnalysisLoop {
  let isStopped = false;
  let wakeSleeper: () => void = () => {};
  const ended = run();

  async function run(): Promise<void> {
    while (!isStopped) {
      try {
        if ((await analysis.runDue(BATCH)) === 0) await sleep(await untilNext());
      } catch (error) {
        onError(error);
        await sleep(MAX_SLEEP_MS);
      }
    }
  }

  async function untilNext(): Promise<number> {
    const next = await analysis.nextDueAt();
    if (next === null) return MAX_SLEEP_MS;
    return Math.min(MAX_SLEEP_MS, Math.max(MIN_SLEEP_MS, next - now()));
  }

  async function sleep(ms: number): Promise<void> {
    if (isStopped) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wakeSleeper = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  return {
    wake: () => wakeSleeper(),
    async stop() {
      isStopped = true;
      wakeSleeper();
      await ended;
    },
  };
}
