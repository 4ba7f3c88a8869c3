import { DEFAULT_THRESHOLDS } from '../../core/thresholds.ts';
import { DETECTORS } from '../registry.ts';
import { NO_MODELS } from './tester.ts';

/** Engine settings of a test that runs all detectors as shipped, without prices. */
export const ALL_DETECTORS = {
  thresholds: DEFAULT_THRESHOLDS,
  models: NO_MODELS,
  overrides: {},
  enabled: {},
  detectors: DETECTORS,
};
