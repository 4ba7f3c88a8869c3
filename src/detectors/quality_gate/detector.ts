import type { Trace } from '../../core/trace.ts';
import { type DetectionDraft, defineDetector } from '../_kit/define.ts';
import { cut } from '../_kit/text.ts';
import { editEvidence } from '../_readings/conduct/failed-check.ts';
import { codingGap } from './coding-gate.ts';
import { failingCheckGap } from './failing-check-gate.ts';
import type { Gap, GateGap } from './gap.ts';
import { lastRunGap } from './last-run-gate.ts';
import { nothingChangedGap } from './nothing-changed-gate.ts';
import { peersGap } from './peers-gate.ts';

export const qualityGate = defineDetector<Gap>({
  type: 'quality_gate',
  title: 'Quality gate bypass',
  failureModes: ['F13', 'FM-3.2'],
  needs: ['steps', 'settled'],
  subtypes: {
    nothing_run: {
      title: 'Code was changed and never run',
      impact: 'warning',
      businessImpact: 'A change that was never executed may be merged.',
    },
    unverified_change: {
      title: 'Nothing was run after the last change',
      impact: 'warning',
      businessImpact: 'The last change may have broken what worked before it.',
    },
    suite_never_run: {
      title: 'The existing tests were never run',
      impact: 'warning',
      businessImpact: 'What the change breaks elsewhere shows up after the merge.',
    },
    failing_tests_left: {
      title: 'The run ended with failing tests',
      impact: 'critical',
      businessImpact: 'A change whose tests fail may be merged.',
    },
    failing_check_left: {
      title: 'Handed in while the own check still fails',
      impact: 'warning',
      businessImpact: 'A change that is known not to work is handed in as finished.',
    },
    nothing_changed: {
      title: 'Handed in without a change',
      impact: 'critical',
      businessImpact: 'The task is closed, and whatever was wrong is still there.',
    },
    only_new_files: {
      title: 'Handed in with new trial files only',
      impact: 'critical',
      businessImpact: 'The task is closed, scratch files are merged, and the existing code is as it was.',
    },
    failed_run_left: {
      title: 'The run ended on code that failed',
      impact: 'warning',
      businessImpact: 'The result rests on code that is known to fail.',
    },
    answers_disagree: {
      title: 'Agents ended with different answers',
      impact: 'warning',
      businessImpact: 'At least one answer is wrong, and nothing says which.',
    },
  },
  detect(trace, _options, report) {
    const gaps = [codingGap, nothingChangedGap, peersGap].map((find) => find(trace));
    // Failing tests are a failing check; they are reported once.
    if (gaps[0]?.subtype !== 'failing_tests_left') gaps.push(lastRunGap(trace), failingCheckGap(trace));
    for (const gap of gaps) if (gap !== null) report(draftOf(gap, trace));
  },
});

function draftOf({ quote, path, fix, edit, claim, ...gap }: GateGap, { steps }: Trace): DetectionDraft<Gap> {
  const edits = edit == null ? [] : [edit];
  const claims = claim == null ? [] : [claim];
  return {
    ...gap,
    evidence: [
      { kind: 'gate', spanId: steps[gap.step]!.spanId, path, quote: cut(quote, 280), value: null },
      ...edits.map((each) => editEvidence(each, steps[each.step]!.spanId)),
      ...claims.map(({ step, text }) => ({
        kind: 'claim',
        spanId: steps[step]!.spanId,
        path: 'output',
        quote: cut(text, 280),
        value: null,
      })),
    ],
    fixes: [fix],
  };
}
