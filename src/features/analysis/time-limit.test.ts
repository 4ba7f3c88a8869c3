import { expect, it } from 'vitest';
import { parseTrace } from '../../detectors/_testing/notation.ts';
import { timeLimitOf } from './time-limit.ts';

it.each([
  ['a small run', 10, 5_000],
  ['a long one', 1_000_000, 6_000],
  ['a very long one', 30_000_000, 8_000],
])('%s gives a detector its time', (_name, characters, expected) => {
  const trace = parseTrace('agent clerk\nllm m -> "one"');
  trace.steps[0]!.input = 'x'.repeat(characters);
  const { detectorMs, traceMs } = timeLimitOf(trace);
  expect(Math.round(detectorMs / 100) * 100).toBe(expected);
  // Who is cut off twice over still leaves time for others, and all end before their worker is taken for stuck.
  expect(traceMs).toBeGreaterThan(2 * detectorMs);
  expect(traceMs + 2 * detectorMs).toBeLessThan(100_000);
});
