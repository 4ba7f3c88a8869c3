import { type Calibration, readCalibration } from './_kit/calibration.ts';
import type { Detector } from './_kit/define.ts';
import communicationCalibration from './communication/calibration.generated.json' with { type: 'json' };
import { communication } from './communication/detector.ts';
import completionCalibration from './completion/calibration.generated.json' with { type: 'json' };
import { completion } from './completion/detector.ts';
import { contextNeglect } from './context_neglect/detector.ts';
import { contextOverflow } from './context_overflow/detector.ts';
import { coordination } from './coordination/detector.ts';
import { costOverrun } from './cost_overrun/detector.ts';
import { decomposition } from './decomposition/detector.ts';
import { derailment } from './derailment/detector.ts';
import groundingCalibration from './grounding/calibration.generated.json' with { type: 'json' };
import { grounding } from './grounding/detector.ts';
import { hallucination } from './hallucination/detector.ts';
import { injectionCalibration } from './injection/calibration.ts';
import { injection } from './injection/detector.ts';
import loopCalibration from './loop/calibration.generated.json' with { type: 'json' };
import { loop } from './loop/detector.ts';
import { MATURITY, type Maturity } from './maturity.ts';
import outputValidationCalibration from './output_validation/calibration.generated.json' with { type: 'json' };
import { outputValidation } from './output_validation/detector.ts';
import { personaDrift } from './persona_drift/detector.ts';
import qualityGateCalibration from './quality_gate/calibration.generated.json' with { type: 'json' };
import { qualityGate } from './quality_gate/detector.ts';
import reasoningActionMismatchCalibration from './reasoning_action_mismatch/calibration.generated.json' with {
  type: 'json',
};
import { reasoningActionMismatch } from './reasoning_action_mismatch/detector.ts';
import { resourceMisallocation } from './resource_misallocation/detector.ts';
import { retrievalQuality } from './retrieval_quality/detector.ts';
import { roleUsurpation } from './role_usurpation/detector.ts';
import { secretLeak } from './secret_leak/detector.ts';
import specificationCalibration from './specification/calibration.generated.json' with { type: 'json' };
import { specification } from './specification/detector.ts';
import { stateCorruption } from './state_corruption/detector.ts';
import { toolFailure } from './tool_failure/detector.ts';
import toolProvisionCalibration from './tool_provision/calibration.generated.json' with { type: 'json' };
import { toolProvision } from './tool_provision/detector.ts';
import { withholding } from './withholding/detector.ts';
import { workflowDesign } from './workflow_design/detector.ts';

export interface RegisteredDetector {
  // biome-ignore lint/suspicious/noExplicitAny: a list of detectors of different subtypes
  detector: Detector<any>;
  /** From `<detector>/calibration.generated.json`; null if no labels exist. */
  calibration: Calibration | null;
  /** By subtype; a subtype that is not listed is preview. If omitted, nothing is preview, for tests of a single detector. */
  maturity?: Readonly<Record<string, Maturity>>;
}

function register<Subtype extends string>(
  detector: Detector<Subtype>,
  calibration: Calibration | null = null,
): RegisteredDetector {
  return { detector, calibration, maturity: MATURITY[detector.type] };
}

/** Every detector, one line each; a test compares the list with the folders. */
export const DETECTORS: readonly RegisteredDetector[] = [
  register(loop, readCalibration(loopCalibration)),
  register(toolFailure),
  register(costOverrun),
  register(stateCorruption),
  register(contextOverflow),
  register(workflowDesign),
  register(injection, injectionCalibration),
  register(secretLeak),
  register(completion, readCalibration(completionCalibration)),
  register(qualityGate, readCalibration(qualityGateCalibration)),
  register(reasoningActionMismatch, readCalibration(reasoningActionMismatchCalibration)),
  register(toolProvision, readCalibration(toolProvisionCalibration)),
  register(outputValidation, readCalibration(outputValidationCalibration)),
  register(specification, readCalibration(specificationCalibration)),
  register(coordination),
  register(communication, readCalibration(communicationCalibration)),
  register(roleUsurpation),
  register(resourceMisallocation),
  register(withholding),
  register(decomposition),
  register(derailment),
  register(personaDrift),
  register(hallucination),
  register(grounding, readCalibration(groundingCalibration)),
  register(retrievalQuality),
  register(contextNeglect),
];
