import type { Detection } from '../../src/core/detection.ts';

/** The one finding that a fitted model raises on runs it may have been fitted on. */
export const LIKELY_FAILED = { type: 'completion', subtype: 'likely_failed' } as const;

interface Alarm {
  type: string;
  subtype: string;
  confidence: number;
}

/**
 * Detections with the alarm that models would raise which have not seen the run's task: `answer` is its probability,
 * null where they raise none, and undefined where nothing was held out, which leaves all as shipped.
 */
export function withHeldOutAlarm<Found extends Alarm>(
  detections: readonly Found[],
  answer: number | null | undefined,
  blank: Found,
): Found[] {
  if (answer === undefined) return [...detections];
  const shipped = detections.find(isLikelyFailed);
  const others = detections.filter((detection) => !isLikelyFailed(detection));
  return answer === null ? others : [...others, { ...(shipped ?? blank), confidence: answer }];
}

function isLikelyFailed({ type, subtype }: Alarm): boolean {
  return type === LIKELY_FAILED.type && subtype === LIKELY_FAILED.subtype;
}

/** An alarm that the shipped models did not raise, as far as it is counted. */
export const BLANK_ALARM: Detection = {
  ...LIKELY_FAILED,
  failureModes: ['F14'],
  agent: null,
  spanIds: [],
  step: null,
  confidence: 0,
  isCalibrated: true,
  severity: 'warning',
  tier: 'experimental',
  method: 'failure-risk',
  title: '',
  explanation: 'raised by the held-out models only',
  businessImpact: '',
  suggestedAction: '',
  evidence: [],
  wastedTokens: 0,
  wastedCostUsd: 0,
  fixes: [],
  fingerprint: '',
};
