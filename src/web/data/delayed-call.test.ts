import { expect, it } from 'vitest';
import { DelayedCall, type Timers } from './delayed-call.ts';

/** Timers that run when the test advances the time. */
function virtualTimers(): Timers & { advance(ms: number): void } {
  let now = 0;
  let id = 0;
  const waiting = new Map<number, { at: number; run(): void }>();
  return {
    start(run, delayMs) {
      id += 1;
      waiting.set(id, { at: now + delayMs, run });
      return id;
    },
    stop: (timer) => void waiting.delete(timer),
    advance(ms) {
      now += ms;
      for (const [timer, { at, run }] of [...waiting])
        if (at <= now) {
          waiting.delete(timer);
          run();
        }
    },
  };
}

function setUp() {
  const timers = virtualTimers();
  const calls: string[] = [];
  const delayed = new DelayedCall<string>(250, (text) => calls.push(text), timers);
  return { timers, calls, delayed };
}

it('calls once with the last value, when no other has come for the delay', () => {
  const { timers, calls, delayed } = setUp();
  for (const text of ['r', 're', 'ref']) {
    delayed.schedule(text);
    timers.advance(249);
  }
  expect(calls).toEqual([]);
  timers.advance(1);
  expect(calls).toEqual(['ref']);
  timers.advance(1_000);
  expect(calls).toEqual(['ref']);
});

it('calls at once when asked, and not again after the delay', () => {
  const { timers, calls, delayed } = setUp();
  delayed.schedule('ref');
  delayed.runNow('refund');
  timers.advance(1_000);
  expect(calls).toEqual(['refund']);
});

it('calls nothing after it was cancelled', () => {
  const { timers, calls, delayed } = setUp();
  delayed.schedule('ref');
  delayed.cancel();
  timers.advance(1_000);
  expect(calls).toEqual([]);
});
