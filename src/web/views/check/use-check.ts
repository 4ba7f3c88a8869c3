import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { isAborted } from '../../data/problem-text.ts';

/** A check that a person starts, and its latest outcome. */
export interface Check<Result> {
  result: ReadonlySignal<Result | undefined>;
  error: ReadonlySignal<unknown>;
  isRunning: ReadonlySignal<boolean>;
  run(): Promise<void>;
}

/** A new run replaces one that is not answered yet. */
export function useCheck<Result>(ask: (signal: AbortSignal) => Promise<Result>): Check<Result> {
  const result = useSignal<Result | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const isRunning = useSignal(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  async function run() {
    running.current?.abort();
    const mine = new AbortController();
    running.current = mine;
    isRunning.value = true;
    try {
      result.value = await ask(mine.signal);
      error.value = undefined;
    } catch (thrown) {
      if (isAborted(thrown)) return;
      result.value = undefined;
      error.value = thrown;
    }
    if (running.current === mine) isRunning.value = false;
  }
  return { result, error, isRunning, run };
}
