import { expect } from 'vitest';
import type { Detection } from '../../src/core/detection.ts';
import { isAtLeast } from '../../src/core/severity.ts';
import { DEFAULT_THRESHOLDS } from '../../src/core/thresholds.ts';
import type { Trace } from '../../src/core/trace.ts';
import { runDetectors } from '../../src/detectors/_runner/run.ts';
import { parseTrace } from '../../src/detectors/_testing/notation.ts';
import { createModelCatalog } from '../../src/formats/model-catalog/catalog.ts';

const models = createModelCatalog();

/** Detections of the shipped detectors at default settings, of severity warning or worse. Throws if a detector crashes. */
export function alarmsOf(trace: Trace | string): Detection[] {
  const read = typeof trace === 'string' ? parseTrace(trace) : trace;
  const settings = { thresholds: DEFAULT_THRESHOLDS, models, overrides: {}, enabled: {} };
  const { detections, crashed } = runDetectors(read, settings);
  expect(crashed).toEqual([]);
  return detections.filter(({ severity }) => isAtLeast(severity, 'warning'));
}
