import { expect, test } from 'vitest';
import { type RowMark, rowMark } from './row-mark.ts';

/** Step 1 decides a critical detection that involves steps 1 to 3; step 0 is the parent of all. */
const detections = {
  worst: Uint8Array.of(0, 4, 4, 4, 0),
  decisive: Uint8Array.of(0, 4, 0, 0, 0),
  decisiveBelow: Uint8Array.of(4, 0, 0, 0, 0),
};
const none: RowMark = { severity: null, inside: null, isEvidence: false };

test.each<[string, number, { worst: number; decisive: number } | null, boolean | null, Partial<RowMark>]>([
  ['the decisive step', 1, null, null, { severity: 'critical' }],
  ['another step of the detection', 2, null, null, { isEvidence: true }],
  ['a step without a detection', 4, null, null, {}],
  ['an expanded parent', 0, null, true, {}],
  ['a collapsed parent', 0, null, false, { inside: 'critical' }],
  ['a collapsed fold with the decisive step', 1, { worst: 4, decisive: 4 }, false, { severity: 'critical' }],
  ['an expanded fold with the decisive step', 1, { worst: 4, decisive: 4 }, true, {}],
  ['a collapsed fold of other steps of the detection', 2, { worst: 4, decisive: 0 }, false, { isEvidence: true }],
])('%s', (_case, step, totals, isExpanded, expected) =>
  expect(rowMark(detections, step, totals, isExpanded)).toEqual({ ...none, ...expected }),
);
