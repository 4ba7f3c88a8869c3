import type { Detection, DetectionType } from '../../../src/core/detection.ts';
import { DEFAULT_THRESHOLDS } from '../../../src/core/thresholds.ts';
import type { Trace } from '../../../src/core/trace.ts';
import { runDetectors } from '../../../src/detectors/_runner/run.ts';
import { DETECTORS } from '../../../src/detectors/registry.ts';

const MODELS = { find: () => null, costUsd: () => null };

/** Detections of one shipped detector on a run, at default settings but enabled, including previews. */
export function detectOne(type: DetectionType, trace: Trace): Detection[] {
  const detectors = DETECTORS.filter(({ detector }) => detector.type === type);
  const settings = { thresholds: DEFAULT_THRESHOLDS, models: MODELS, overrides: {}, enabled: { [type]: true } };
  const { detections, crashed } = runDetectors(trace, { ...settings, detectors });
  if (crashed.length > 0) throw new Error(crashed[0]!.message);
  return detections.filter(({ severity }) => severity !== 'observation');
}
