import { useEffect, useMemo, useRef } from 'preact/hooks';
import { DelayedCall, type Timers } from '../data/delayed-call.ts';

const BROWSER_TIMERS: Timers = {
  start: (run, delayMs) => window.setTimeout(run, delayMs),
  stop: (timer) => window.clearTimeout(timer),
};

/** The delay after the last key before a search is sent. */
export const TYPING_MS = 250;

/** A call that is delayed until the user stops typing; it is cancelled when the component is unmounted. */
export function useDelayedCall<Value>(call: (value: Value) => void): DelayedCall<Value> {
  const current = useRef(call);
  current.current = call;
  const delayed = useMemo(
    () => new DelayedCall<Value>(TYPING_MS, (value) => current.current(value), BROWSER_TIMERS),
    [],
  );
  useEffect(() => () => delayed.cancel(), [delayed]);
  return delayed;
}
