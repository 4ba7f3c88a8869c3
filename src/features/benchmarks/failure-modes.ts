import type { DetectionType } from '../../core/detection.ts';
import { DETECTORS } from '../../detectors/registry.ts';

/** A failure mode of the benchmark: F1 to F16, with its MAST name (Cemri et al. 2025). */
export interface FailureMode {
  mode: string;
  name: string;
  mast: readonly string[];
  detectors: readonly DetectionType[];
}

const MODES: readonly Omit<FailureMode, 'detectors'>[] = [
  { mode: 'F1', name: 'Specification mismatch', mast: ['FM-1.1'] },
  { mode: 'F2', name: 'Poor task decomposition', mast: [] },
  { mode: 'F3', name: 'Resource misallocation', mast: ['FM-1.3'] },
  { mode: 'F4', name: 'Inadequate tool provision', mast: [] },
  { mode: 'F5', name: 'Flawed workflow design', mast: [] },
  { mode: 'F6', name: 'Task derailment', mast: ['FM-2.3'] },
  { mode: 'F7', name: 'Context neglect', mast: ['FM-1.4', 'FM-2.1'] },
  { mode: 'F8', name: 'Information withholding', mast: ['FM-2.4'] },
  { mode: 'F9', name: 'Role usurpation', mast: ['FM-1.2'] },
  { mode: 'F10', name: 'Communication breakdown', mast: ['FM-2.2'] },
  { mode: 'F11', name: 'Coordination failure', mast: ['FM-2.5', 'FM-2.6'] },
  { mode: 'F12', name: 'Output validation failure', mast: ['FM-3.3'] },
  { mode: 'F13', name: 'Quality gate bypass', mast: ['FM-3.2'] },
  { mode: 'F14', name: 'Completion misjudgment', mast: ['FM-1.5', 'FM-3.1'] },
  { mode: 'F15', name: 'Grounding failure', mast: [] },
  { mode: 'F16', name: 'Retrieval quality failure', mast: [] },
];

/** The detectors of a mode are those whose manifest names it. */
export const FAILURE_MODES: readonly FailureMode[] = MODES.map((each) => ({
  ...each,
  detectors: detectorsOf(each.mode),
}));

/** Without those that need budgets of a tenant: on a run of a benchmark they cannot fire. */
function detectorsOf(mode: string): DetectionType[] {
  return DETECTORS.flatMap(({ detector: { type, failureModes, evaluation } }) =>
    failureModes.includes(mode) && !evaluation?.runsWith.includes('tenant_settings') ? [type] : [],
  );
}
