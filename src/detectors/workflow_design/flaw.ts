import type { Evidence, Fix, FixChange } from '../../core/detection.ts';

export type WorkflowSubtype =
  | 'unreachable_node'
  | 'dead_end'
  | 'cycle_without_exit'
  | 'dangling_route'
  | 'after_end'
  | 'unhandled_error'
  | 'conflicting_writes'
  | 'no_error_handling'
  | 'missing_field'
  | 'no_branch_taken';

/** A fault in the structure of the workflow, found by one rule. */
export interface Flaw {
  subtype: WorkflowSubtype;
  score: number;
  /** Null if the fault is in the declared graph and not in a step. */
  step: number | null;
  steps: number[];
  agent: string | null;
  explanation: string;
  suggestedAction: string;
  evidence: Evidence[];
  /** The node or edge to change. */
  target: string;
  /** The change in words or as a line of code. */
  change: string;
  /** The same as a patch of the declared graph, if possible. */
  patch?: FixChange | null;
  rationale: string;
  key: string;
}

export function fixOf(flaw: Flaw): Fix {
  return {
    fixType: 'workflow_change',
    title: `Change ${flaw.target}`,
    description: flaw.suggestedAction,
    rationale: flaw.rationale,
    confidence: 0.55,
    risk: 'medium',
    changes: [
      { target: flaw.target, format: 'text', before: null, after: flaw.change },
      ...(flaw.patch ? [flaw.patch] : []),
    ],
    isBreaking: false,
    requiresTesting: true,
  };
}
