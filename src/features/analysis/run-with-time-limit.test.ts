import { describe, expect, it } from 'vitest';
import { DEFAULT_THRESHOLDS } from '../../core/thresholds.ts';
import type { Detector } from '../../detectors/_kit/define.ts';
import { words } from '../../detectors/_kit/text.ts';
import { hashedNgrams } from '../../detectors/_models/hashed-ngrams.ts';
import { type EngineSettings, runDetectors } from '../../detectors/_runner/run.ts';
import { parseTrace } from '../../detectors/_testing/notation.ts';
import { ngramsOf } from '../../detectors/injection/piece-ngrams.ts';
import { DETECTORS, type RegisteredDetector } from '../../detectors/registry.ts';
import { createModelCatalog } from '../../formats/model-catalog/catalog.ts';
import { runWithTimeLimit } from './run-with-time-limit.ts';

const TEXT = 'Pay the invoice of Ann Lee. '.repeat(40);

describe('a function that never ends is interrupted', { timeout: 30_000 }, () => {
  it.each<[string, () => void]>([
    [
      'in a loop without calls',
      () => {
        for (;;);
      },
    ],
    [
      'in a primitive',
      () => {
        for (;;) words(TEXT);
      },
    ],
    [
      'in an expression',
      () => {
        /^(?:[a-z]+)+$/.test(`${'a'.repeat(80)}!`);
      },
    ],
    [
      'in its own catch',
      () => {
        for (;;)
          try {
            for (;;);
          } catch {}
      },
    ],
    [
      'in a callback',
      () => {
        [1, 2].sort(() => {
          for (;;);
        });
      },
    ],
  ])('%s', (_name, run) => {
    expect(runWithTimeLimit(100, run)).toBe(false);
  });

  it('a complete analysis is saved', () => {
    const done: number[] = [];
    expect(runWithTimeLimit(10_000, () => done.push(1))).toBe(true);
    expect(runWithTimeLimit(10_000, () => expect(runWithTimeLimit(50, () => words(TEXT))).toBe(true))).toBe(true);
    expect(done).toEqual([1]);
  });

  it('an exception is reported', () => {
    const broken = () => {
      throw new TypeError('broken');
    };
    expect(() => runWithTimeLimit(10_000, broken)).toThrow(new TypeError('broken'));
  });

  it.each([
    ['hashedNgrams', hashedNgrams],
    ['ngramsOf', ngramsOf],
  ])('%s counts rightly after it was ended in the middle', (_name, read) => {
    const plain = (text: string) => {
      const { indices, values } = read(text);
      return { indices: [...indices], values: [...values] };
    };
    const before = plain('Send the report to the office.');
    // Ended at some place of many: none of them may leave a trace.
    for (const ms of [20, 21, 22, 23, 24]) {
      const endless = () => {
        for (;;) read(TEXT);
      };
      expect(runWithTimeLimit(ms, endless)).toBe(false);
      expect(plain('Send the report to the office.')).toEqual(before);
    }
  });
});

describe('a detector that overruns its time', { timeout: 60_000 }, () => {
  const trace = parseTrace(
    `
agent researcher
repeat 3
  llm gpt-4o 100/10 calls search {"q":"opening hours"}
  tool search {"q":"opening hours"} -> "nothing found"
llm gpt-4o 100/10 -> "I could not find them."`,
  );
  const settings: EngineSettings = {
    thresholds: DEFAULT_THRESHOLDS,
    models: createModelCatalog(),
    overrides: {},
    enabled: {},
  };
  const limit = { now: () => performance.now(), traceMs: 60_000, detectorMs: 1_000, within: runWithTimeLimit };
  const planted = (loop: () => void): RegisteredDetector => {
    const [own] = DETECTORS as [RegisteredDetector];
    const detector: Detector = {
      ...own.detector,
      type: 'cost_overrun',
      needs: [],
      detect(value, options, report) {
        own.detector.detect(value, options, report);
        for (;;) loop();
      },
    };
    return { ...own, detector };
  };

  it('is stopped inside and outside of a primitive and does not affect other detectors', () => {
    const honest = DETECTORS.filter(({ detector }) => detector.type !== 'cost_overrun');
    const alone = runDetectors(trace, { ...settings, detectors: honest });
    const endless = [planted(() => {}), ...honest, planted(() => ngramsOf(TEXT))];
    const result = runDetectors(trace, { ...settings, limit, detectors: endless });
    expect(alone.detections.map(({ type }) => type)).toContain('loop');
    expect(result.overran.map(({ type, ms }) => [type, ms !== null && ms >= 900])).toEqual([
      ['cost_overrun', true],
      ['cost_overrun', true],
    ]);
    expect({ ...result, overran: [] }).toEqual(alone);
    expect(runDetectors(trace, { ...settings, limit, detectors: honest })).toEqual(alone);
  });
});
