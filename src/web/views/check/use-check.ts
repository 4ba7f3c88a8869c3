import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { isAborted } from '../../data/problem-text.ts';

/** A check that the user starts, and its latest outcome. */
export interface Check<Result> {
  result: ReadonlySignal<Result | undefined>;
  error: ReadonlySignal<unknown>;
  isRunning: ReadonlySignal<boolean>;
  run(): Promise<void>;
}

/** A new run aborts the one in progress. */
export function useCheck<Result>(request: (signal: AbortSignal) => Promise<Result>): Check<Result> {
  const result = useSignal<Result | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const isRunning = useSignal(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  async function run() {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    isRunning.value = true;
    try {
      result.value = await request(controller.signal);
      error.value = undefined;
    } catch (thrown) {
      if (isAborted(thrown)) return;
      result.value = undefined;
      error.value = thrown;
    }
    if (running.current === controller) isRunning.value = false;
  }
  return { result, error, isRunning, run };
}
