import type { Trace } from '../../core/trace.ts';
import { type DetectionDraft, defineDetector } from '../_kit/define.ts';
import { cut } from '../_kit/text.ts';
import { editEvidence } from '../_readings/conduct/failed-check.ts';
import { falseTestClaim } from '../_readings/conduct/false-test-claim.ts';
import { changedTestsGap } from './changed-tests-gate.ts';
import { codingGap } from './coding-gate.ts';
import { failingCheckGap } from './failing-check-gate.ts';
import type { Gap, GateGap } from './gap.ts';
import { lastRunGap } from './last-run-gate.ts';
import { qualityGateManifest } from './manifest.ts';
import { nothingChangedGap } from './nothing-changed-gate.ts';
import { onlyCommentsGap } from './only-comments-gate.ts';
import { peersGap } from './peers-gate.ts';
import { repeatedFailuresGap } from './repeated-failures-gate.ts';

export const qualityGate = defineDetector({
  ...qualityGateManifest,
  detect(trace, _options, report) {
    const gaps = [
      codingGap(trace),
      nothingChangedGap(trace) ?? onlyCommentsGap(trace),
      peersGap(trace),
      changedTestsGap(trace),
    ];
    // Failing tests are a failing check; they are reported once.
    if (gaps[0]?.subtype !== 'failing_tests_left')
      gaps.push(lastRunGap(trace), failingCheckGap(trace) ?? repeatedFailuresGap(trace));
    for (const gap of gaps) if (gap !== null && !isFalseClaim(gap, trace)) report(draftOf(gap, trace));
  },
});

/** Whether `completion` reports this test run with the claim that it contradicts: one false claim is one detection. */
function isFalseClaim({ subtype, evidenceStep }: GateGap, trace: Trace): boolean {
  return subtype === 'failing_tests_left' && falseTestClaim(trace)?.failed.use.step === evidenceStep;
}

function draftOf(
  { quote, path, causeFix, fix, edit, evidenceStep, ...gap }: GateGap,
  { steps }: Trace,
): DetectionDraft<Gap> {
  const edits = edit == null ? [] : [edit];
  return {
    ...gap,
    evidence: [
      { kind: 'gate', spanId: steps[evidenceStep ?? gap.step]!.spanId, path, quote: cut(quote, 280), value: null },
      ...edits.map((each) => editEvidence(each, steps[each.step]!.spanId)),
    ],
    fixes: [...(causeFix === undefined ? [] : [causeFix]), fix],
  };
}
