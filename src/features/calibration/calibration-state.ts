import type { TrafficReference } from '../../detectors/_kit/traffic-reference.ts';
import type { AdaptedFirings } from '../../detectors/_runner/adapted-firing.ts';
import { type AdaptedKind, DEFAULT_TARGET_ALERT_RATE } from './adapt-firing.ts';

export interface CalibrationSettings {
  enabled: boolean;
  /** Share of traces that may have a `warning` or higher. */
  targetAlertRate: number;
}

export const DEFAULT_CALIBRATION: CalibrationSettings = { enabled: true, targetAlertRate: DEFAULT_TARGET_ALERT_RATE };

/** The last result for the tenant's traffic, as stored. */
export interface CalibrationState {
  /** Unix milliseconds. */
  computedAt: number;
  frameworks: FrameworkCalibration[];
}

export interface FrameworkCalibration {
  framework: string;
  /** Number of traces it was computed from. */
  traces: number;
  alertRate: { before: number; after: number };
  adapted: (AdaptedKind & { since: number })[];
  /** Null if the riskiest runs are not reported. */
  risk: TrafficReference | null;
}

/** Names of the settings that store it. */
export const CALIBRATION_SETTINGS = 'calibration';
export const CALIBRATION_STATE = 'calibration_state';

/** By framework, as used by the engine; empty if the tenant disabled it. */
export function adaptedFirings(
  { enabled }: CalibrationSettings,
  state: CalibrationState | null,
): Readonly<Record<string, AdaptedFirings>> {
  if (!enabled || state === null) return {};
  return Object.fromEntries(
    state.frameworks.map(({ framework, adapted }) => [framework, Object.fromEntries(adapted.map(toFiring))]),
  );
}

/** Reference of recent runs, by framework; empty if the tenant disabled it. */
export function trafficReferences(
  { enabled }: CalibrationSettings,
  state: CalibrationState | null,
): Readonly<Record<string, TrafficReference>> {
  const known = enabled && state !== null ? state.frameworks : [];
  return Object.fromEntries(known.flatMap(({ framework, risk }) => (risk === null ? [] : [[framework, risk]])));
}

function toFiring({ detector, subtype, firing, warning, reason }: AdaptedKind): [string, AdaptedFirings[string]] {
  const why = `Reported because such detections are rare in your own traffic (${reason}).`;
  return [`${detector}/${subtype}`, { firing, warning, why }];
}

/** An unchanged entry keeps its start time. */
export function withStartTimes(
  adapted: readonly AdaptedKind[],
  before: FrameworkCalibration | undefined,
  now: number,
): FrameworkCalibration['adapted'] {
  return adapted.map((kind) => {
    const known = before?.adapted.find(({ detector, subtype, direction }) => {
      return detector === kind.detector && subtype === kind.subtype && direction === kind.direction;
    });
    return { ...kind, since: known?.since ?? now };
  });
}
