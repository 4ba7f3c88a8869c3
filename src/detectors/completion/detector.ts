import type { Trace } from '../../core/trace.ts';
import { type DetectionDraft, defineDetector } from '../_kit/define.ts';
import { cut } from '../_kit/text.ts';
import { abandoned } from './abandoned-run.ts';
import { claimCorrected } from './claim-corrected.ts';
import { claimedDespiteFailure } from './claims-checked.ts';
import { declaredActMissing } from './declared-act.ts';
import { itemsDropped } from './dropped-items.ts';
import { emptyAnswer } from './empty-answer.ts';
import { endedOnFailures } from './ended-on-failures.ts';
import { itemsUnread } from './items-unread.ts';
import { lostRun } from './lost-run.ts';
import { completionManifest } from './manifest.ts';
import { mostlyFailed } from './mostly-failed.ts';
import { negativeCheck } from './negative-check.ts';
import { openTodoItems } from './open-todo-items.ts';
import { ownVerdict } from './own-verdict.ts';
import { pagesUnread } from './pages-unread.ts';
import { pendingCall } from './pending-call.ts';
import { rejectedAnswer } from './rejected-answer.ts';
import { reportedNotDone } from './reported-not-done.ts';
import { roundVerdicts } from './round-verdicts.ts';
import { stubLeft } from './stub-left.ts';
import { testsClaimed } from './tests-claimed.ts';
import { unansweredPrompt } from './unanswered-prompt.ts';
import { unansweredResult } from './unanswered-result.ts';
import { unchangedCheck } from './unchanged-check.ts';
import { unfinishedWork } from './unfinished-work.ts';
import { unmetRequirement } from './unmet-requirement.ts';
import { unrunCode } from './unrun-code.ts';
import { unrunLastCode } from './unrun-last-code.ts';
import { unusualTrouble } from './unusual-trouble.ts';
import type { Misjudgment, Verdict } from './verdict.ts';

export const completion = defineDetector({
  ...completionManifest,
  detect(trace, { traffic }, report) {
    const verdicts = [
      claimedDespiteFailure(trace),
      testsClaimed(trace),
      claimCorrected(trace),
      unansweredResult(trace) ?? declaredActMissing(trace) ?? abandoned(trace),
      unchangedCheck(trace) ?? negativeCheck(trace),
      unmetRequirement(trace),
      ownVerdict(trace) ?? lostRun(trace) ?? roundVerdicts(trace) ?? reportedNotDone(trace),
      rejectedAnswer(trace),
      pagesUnread(trace) ?? itemsUnread(trace),
      unfinishedWork(trace),
      unansweredPrompt(trace),
      emptyAnswer(trace),
      pendingCall(trace) ?? stubLeft(trace) ?? unrunCode(trace) ?? unrunLastCode(trace),
      openTodoItems(trace),
      itemsDropped(trace),
      endedInFailure(trace),
      unusualTrouble(trace, traffic),
    ];
    for (const verdict of verdicts) {
      if (verdict === null) continue;
      report(draftOf(verdict, (step) => trace.steps[step]!.spanId));
    }
  },
});

/** One detection for the failures at the end: the series of failures, unless an answer follows and most calls failed. */
function endedInFailure(trace: Trace): Verdict | null {
  const ended = endedOnFailures(trace);
  return ended !== null && ended.score >= MIN_REPORTED_SCORE ? ended : (mostlyFailed(trace) ?? ended);
}

const MIN_REPORTED_SCORE = 0.6;

function draftOf(
  { evidence, causeFix, fix, ...verdict }: Verdict,
  spanIdOf: (step: number) => string,
): DetectionDraft<Misjudgment> {
  return {
    ...verdict,
    evidence: evidence.map(({ kind, step, path, quote }) => ({
      kind,
      spanId: spanIdOf(step),
      path,
      quote: cut(quote, 280),
      value: null,
    })),
    fixes: [...(causeFix === undefined ? [] : [causeFix]), fix],
  };
}
