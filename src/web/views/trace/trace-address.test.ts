import { expect, test } from 'vitest';
import { readTraceAddress, type TraceAddress, traceQuery } from './trace-address.ts';

const PLAIN = {
  view: 'tree',
  spanId: null,
  detectionId: null,
  tab: null,
  window: null,
  find: '',
  isOnlyDetections: false,
} as const;

test.each<[Record<string, string>, TraceAddress]>([
  [{}, PLAIN],
  [
    { view: 'chat', span: 'a' },
    { ...PLAIN, view: 'chat', spanId: 'a' },
  ],
  [
    { t: '1500-9000', only: 'detections' },
    { ...PLAIN, window: { from: 1_500, to: 9_000 }, isOnlyDetections: true },
  ],
  [
    { finding: 'd', tab: 'state', find: 'x y' },
    { ...PLAIN, detectionId: 'd', tab: 'state', find: 'x y' },
  ],
])('readTraceAddress and traceQuery are inverse for %j', (query, address) => {
  expect(readTraceAddress(query)).toEqual(address);
  expect(traceQuery(address)).toEqual(query);
});

test.each([
  { view: 'other' },
  { tab: 'other' },
  { t: '9-1' },
  { t: '5-5' },
  { t: '1e9-2' },
  { t: '-1-2' },
  { only: 'x' },
])('an invalid value is ignored: %j', (query) => expect(readTraceAddress(query)).toEqual(PLAIN));
