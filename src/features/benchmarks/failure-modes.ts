import type { DetectionType } from '../../core/detection.ts';

/** A failure mode of the benchmark: F1 to F16, with its MAST name (Cemri et al. 2025). */
export interface FailureMode {
  mode: string;
  name: string;
  mast: readonly string[];
  detectors: readonly DetectionType[];
}

export const FAILURE_MODES: readonly FailureMode[] = [
  { mode: 'F1', name: 'Specification mismatch', mast: ['FM-1.1'], detectors: ['specification'] },
  { mode: 'F2', name: 'Poor task decomposition', mast: [], detectors: ['decomposition'] },
  { mode: 'F3', name: 'Resource misallocation', mast: ['FM-1.3'], detectors: ['resource_misallocation', 'loop'] },
  { mode: 'F4', name: 'Inadequate tool provision', mast: [], detectors: ['tool_provision', 'tool_failure'] },
  { mode: 'F5', name: 'Flawed workflow design', mast: [], detectors: ['workflow_design'] },
  { mode: 'F6', name: 'Task derailment', mast: ['FM-2.3'], detectors: ['derailment', 'persona_drift'] },
  {
    mode: 'F7',
    name: 'Context neglect',
    mast: ['FM-1.4', 'FM-2.1'],
    detectors: ['context_neglect', 'context_overflow'],
  },
  { mode: 'F8', name: 'Information withholding', mast: ['FM-2.4'], detectors: ['withholding'] },
  { mode: 'F9', name: 'Role usurpation', mast: ['FM-1.2'], detectors: ['role_usurpation'] },
  { mode: 'F10', name: 'Communication breakdown', mast: ['FM-2.2'], detectors: ['communication'] },
  {
    mode: 'F11',
    name: 'Coordination failure',
    mast: ['FM-2.5', 'FM-2.6'],
    detectors: ['coordination', 'reasoning_action_mismatch'],
  },
  { mode: 'F12', name: 'Output validation failure', mast: ['FM-3.3'], detectors: ['output_validation'] },
  { mode: 'F13', name: 'Quality gate bypass', mast: ['FM-3.2'], detectors: ['quality_gate'] },
  { mode: 'F14', name: 'Completion misjudgment', mast: ['FM-1.5', 'FM-3.1'], detectors: ['completion'] },
  { mode: 'F15', name: 'Grounding failure', mast: [], detectors: ['grounding', 'hallucination'] },
  { mode: 'F16', name: 'Retrieval quality failure', mast: [], detectors: ['retrieval_quality'] },
];
