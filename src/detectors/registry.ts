import type { Calibration } from './_kit/calibration.ts';
import type { Detector } from './_kit/define.ts';
import { confirmMaturity, declaredMaturity, type MaturityBySubtype } from './_kit/maturity.ts';
import { communication } from './communication/detector.ts';
import { completion } from './completion/detector.ts';
import { contextNeglect } from './context_neglect/detector.ts';
import { contextOverflow } from './context_overflow/detector.ts';
import { coordination } from './coordination/detector.ts';
import { costOverrun } from './cost_overrun/detector.ts';
import { decomposition } from './decomposition/detector.ts';
import { derailment } from './derailment/detector.ts';
import { grounding } from './grounding/detector.ts';
import { hallucination } from './hallucination/detector.ts';
import { injection } from './injection/detector.ts';
import { loop } from './loop/detector.ts';
import { outputValidation } from './output_validation/detector.ts';
import { personaDrift } from './persona_drift/detector.ts';
import { qualityGate } from './quality_gate/detector.ts';
import { reasoningActionMismatch } from './reasoning_action_mismatch/detector.ts';
import { resourceMisallocation } from './resource_misallocation/detector.ts';
import { retrievalQuality } from './retrieval_quality/detector.ts';
import { roleUsurpation } from './role_usurpation/detector.ts';
import { secretLeak } from './secret_leak/detector.ts';
import { specification } from './specification/detector.ts';
import { stateCorruption } from './state_corruption/detector.ts';
import { subtypeRecord } from './subtype-records.ts';
import { toolFailure } from './tool_failure/detector.ts';
import { toolProvision } from './tool_provision/detector.ts';
import { withholding } from './withholding/detector.ts';
import { workflowDesign } from './workflow_design/detector.ts';

/** Every detector, one line each; a test compares the list with the folders. Tables over all detectors follow this order. */
export const DETECTORS: readonly RegisteredDetector[] = [
  loop,
  toolFailure,
  costOverrun,
  stateCorruption,
  contextOverflow,
  workflowDesign,
  injection,
  secretLeak,
  completion,
  qualityGate,
  reasoningActionMismatch,
  toolProvision,
  outputValidation,
  specification,
  coordination,
  communication,
  roleUsurpation,
  resourceMisallocation,
  withholding,
  decomposition,
  derailment,
  personaDrift,
  hallucination,
  grounding,
  retrievalQuality,
  contextNeglect,
].map((detector) => register<string>(detector));

export interface RegisteredDetector {
  // biome-ignore lint/suspicious/noExplicitAny: a list of detectors of different subtypes
  detector: Detector<any>;
  /** From `<detector>/calibration.generated.json`; null if no labels exist. */
  calibration: Calibration | null;
  /** By subtype; a subtype that is not listed is preview. If omitted, nothing is preview, for tests of a single detector. */
  maturity?: MaturityBySubtype;
}

function register<Subtype extends string>(detector: Detector<Subtype>): RegisteredDetector {
  const { type, calibration = null } = detector;
  const maturity = confirmMaturity(declaredMaturity(detector), (subtype) => subtypeRecord(type, subtype));
  return { detector, calibration, maturity };
}
