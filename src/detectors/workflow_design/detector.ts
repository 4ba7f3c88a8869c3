import { defineDetector } from '../_kit/define.ts';
import { findConflictingWrites } from './conflicting-writes.ts';
import { findDataFlaws } from './data-flaws.ts';
import { findDeclaredFlaws } from './declared-flaws.ts';
import { fixOf } from './flaw.ts';
import { workflowDesignManifest } from './manifest.ts';
import { findRoutingFlaws } from './routing-flaws.ts';
import { findUnguardedCalls } from './unguarded-calls.ts';
import { findUntakenBranches } from './untaken-branches.ts';

export const workflowDesign = defineDetector({
  ...workflowDesignManifest,
  detect(trace, _options, report) {
    const flaws = [
      ...findDeclaredFlaws(trace),
      ...findRoutingFlaws(trace),
      ...findUntakenBranches(trace),
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
