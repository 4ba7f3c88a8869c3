import { expect, it } from 'vitest';
import { placeOfDetection } from './detection-place.ts';

const DETECTION = { traceId: 't', detectionId: 'det_1', spanIds: ['first', 'second'] };

it.each([
  ['opens the decisive step, not the first span', { ...DETECTION, step: 3 }, null],
  ['opens the decisive step if that is the first step of the run', { ...DETECTION, step: 0 }, null],
  ['opens the first span if no step is decisive', { ...DETECTION, step: null }, 'first'],
  ['opens the trace if there is no span', { ...DETECTION, step: null, spanIds: [] }, null],
])('placeOfDetection %s', (_title, detection, spanId) => {
  expect(placeOfDetection(detection)).toEqual({ traceId: 't', spanId, detectionId: 'det_1' });
});
