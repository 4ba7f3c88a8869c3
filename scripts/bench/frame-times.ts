import type { CDPSession } from 'playwright-core';

interface TraceEvent {
  name: string;
  /** `X`: an event with a duration. */
  ph: string;
  pid: number;
  tid: number;
  /** Start, microseconds. */
  ts: number;
  /** Processor time of the thread, microseconds; elapsed time is longer on a busy machine. */
  tdur?: number;
}

/** Few, because recording takes time itself. */
const CATEGORIES = ['cc'];

/**
 * Processor time of the main thread for each frame that Chromium draws during `run`, milliseconds. A frame is the task that
 * runs the event handlers and the script of the frame, and updates style, layout and paint.
 */
export async function frameTimes(session: CDPSession, run: () => Promise<void>): Promise<number[]> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { value: unknown[] }) => events.push(...(value as TraceEvent[]));
  session.on('Tracing.dataCollected', collect);
  const completed = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.start', { traceConfig: { includedCategories: CATEGORIES } });
  await run();
  await session.send('Tracing.end');
  await completed;
  session.off('Tracing.dataCollected', collect);
  const frames = events.filter(({ name, ph }) => name === 'ProxyMain::BeginMainFrame' && ph === 'X');
  return frames.flatMap(({ tdur }) => (tdur === undefined ? [] : [tdur / 1_000]));
}
