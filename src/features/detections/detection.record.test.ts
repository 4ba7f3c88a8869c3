import { expect, test } from 'vitest';
import type { Detection } from '../../core/detection.ts';
import { toDetectionRecord } from './detection.record.ts';

const detection: Detection = {
  type: 'loop',
  subtype: 'cyclic',
  failureModes: [],
  agent: 'planner',
  spanIds: ['a', 'b'],
  step: 1,
  confidence: 0.95,
  isCalibrated: true,
  severity: 'warning',
  tier: 'experimental',
  method: 'rule',
  title: 'Cycle',
  explanation: 'The cycle ran twice.',
  businessImpact: '',
  suggestedAction: '',
  evidence: [{ kind: 'text', spanId: 'b', path: 'output', quote: 'Go on.', value: null, step: 1, stepCount: 2 }],
  wastedTokens: 0,
  wastedCostUsd: 0,
  fixes: [],
  fingerprint: 'f',
};
const recordOf = (one: Detection) =>
  toDetectionRecord(one, {
    detectionId: 'det_1',
    traceId: 't',
    conversationId: null,
    issueId: null,
    createdAtMs: 0,
    withdrawnAtMs: null,
    validation: null,
    appliedFixes: {},
  });

test('a fact is not calibrated: nothing is estimated', () => {
  expect(recordOf(detection)).toMatchObject({ basis: 'fact', calibrated: false });
  const estimated = { ...detection, subtype: 'rephrasing', confidence: 0.8 };
  expect(recordOf(estimated)).toMatchObject({ basis: 'calibrated', calibrated: true });
});

test('evidence names its step and the number of steps with its text; stored evidence of an earlier version does not', () => {
  expect(recordOf(detection).evidence).toMatchObject([{ span_id: 'b', step: 1, step_count: 2 }]);
  const earlier = { kind: 'text', spanId: 'b', path: null, quote: null, value: 1 };
  expect(recordOf({ ...detection, evidence: [earlier] }).evidence).toMatchObject([{ step: null, step_count: 1 }]);
});
