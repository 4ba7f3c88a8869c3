import { defineDetector } from '../_kit/define.ts';
import { findConflictingWrites } from './conflicting-writes.ts';
import { findDataFlaws } from './data-flaws.ts';
import { findDeclaredFlaws } from './declared-flaws.ts';
import { fixOf, type WorkflowSubtype } from './flaw.ts';
import { findRoutingFlaws } from './routing-flaws.ts';
import { findUnguardedCalls } from './unguarded-calls.ts';

export const workflowDesign = defineDetector<WorkflowSubtype>({
  type: 'workflow_design',
  title: 'Workflow design',
  failureModes: ['F5'],
  needs: ['steps'],
  subtypes: {
    unreachable_node: {
      title: 'No declared path leads to a node',
      impact: 'warning',
      businessImpact: 'Work that the workflow contains may never be done.',
    },
    dead_end: {
      title: 'A path stops before the end of the workflow',
      impact: 'warning',
      businessImpact: 'Runs that take this path stop without an answer.',
    },
    cycle_without_exit: {
      title: 'A cycle has no way out',
      impact: 'critical',
      businessImpact: 'Runs repeat the cycle until a limit stops them, and every round costs money.',
    },
    dangling_route: {
      title: 'Control was sent to a node that the run does not have',
      impact: 'critical',
      businessImpact: 'The work that was handed over may not be done, although the run looks complete.',
    },
    after_end: {
      title: 'A node ran after the end',
      impact: 'warning',
      businessImpact: 'Work goes on after the result was final, and may change it.',
    },
    unhandled_error: {
      title: 'A failure bypassed its handler',
      impact: 'warning',
      businessImpact: 'The fallback that was built for this failure did not run.',
    },
    conflicting_writes: {
      title: 'Parallel branches overwrote each other',
      impact: 'critical',
      businessImpact: "One branch's result is lost, and which one changes from run to run.",
    },
    no_error_handling: {
      title: 'No error handling for a service',
      impact: 'warning',
      businessImpact: 'When the service fails or refuses once, the work is dropped without a message to anyone.',
    },
    missing_field: {
      title: 'A node asks for a field that its data does not have',
      impact: 'warning',
      businessImpact: 'The node works with an empty value: wrong messages, addresses or records, and no error.',
    },
  },
  detect(trace, _options, report) {
    const flaws = [
      ...findDeclaredFlaws(trace),
      ...findRoutingFlaws(trace),
      ...findConflictingWrites(trace),
      ...findUnguardedCalls(trace),
      ...findDataFlaws(trace),
    ];
    for (const flaw of flaws) {
      const { target: _target, change: _change, patch: _patch, rationale: _rationale, ...draft } = flaw;
      report({ ...draft, fixes: [fixOf(flaw)] });
    }
  },
});
