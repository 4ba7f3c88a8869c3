import type { Trace } from '../../core/trace.ts';
import { type DetectionDraft, defineDetector } from '../_kit/define.ts';
import { cut } from '../_kit/text.ts';
import { abandoned } from './abandoned-run.ts';
import { claimCorrected } from './claim-corrected.ts';
import { claimedDespiteFailure } from './claims-checked.ts';
import { itemsDropped } from './dropped-items.ts';
import { emptyAnswer } from './empty-answer.ts';
import { endedOnFailures } from './ended-on-failures.ts';
import { mostlyFailed } from './mostly-failed.ts';
import { openTodoItems } from './open-todo-items.ts';
import { ownVerdict } from './own-verdict.ts';
import { pendingCall } from './pending-call.ts';
import { testsClaimed } from './tests-claimed.ts';
import { unansweredPrompt } from './unanswered-prompt.ts';
import { unansweredResult } from './unanswered-result.ts';
import { unchangedCheck } from './unchanged-check.ts';
import { unrunCode } from './unrun-code.ts';
import { unusualTrouble } from './unusual-trouble.ts';
import type { Misjudgment, Verdict } from './verdict.ts';

export const completion = defineDetector<Misjudgment>({
  type: 'completion',
  title: 'Completion misjudgment',
  failureModes: ['F14'],
  needs: ['steps', 'text'],
  subtypes: {
    claimed_despite_failure: {
      title: 'Success was claimed after a failure',
      impact: 'critical',
      businessImpact: 'Users believe that something was done which was not.',
      failureModes: ['FM-3.1'],
    },
    tests_claimed_not_run: {
      title: 'Passing tests were claimed, none was run',
      impact: 'warning',
      businessImpact: 'Reviewers trust a test result that does not exist.',
      failureModes: ['FM-3.1'],
    },
    tests_claimed_despite_failure: {
      title: 'Passing tests were claimed, the last run had failed',
      impact: 'critical',
      businessImpact: 'Broken work may be merged on the word of the agent.',
      failureModes: ['FM-3.1'],
    },
    unfulfilled_announcement: {
      title: 'The run ended before the announced step',
      impact: 'warning',
      businessImpact: 'The work stops half way and the user has to ask again.',
      failureModes: ['FM-3.1'],
    },
    no_final_answer: {
      title: 'The run ended without an answer',
      impact: 'warning',
      businessImpact: 'The tools were paid for and the user got no answer.',
      failureModes: ['FM-3.1'],
    },
    result_unanswered: {
      title: 'The run ended on a result that was not answered',
      impact: 'warning',
      businessImpact: 'The calls were paid for and the user got no answer.',
      failureModes: ['FM-3.1'],
    },
    check_unchanged: {
      title: 'Handed over while a check answered as before the changes',
      impact: 'warning',
      businessImpact: 'The changes did not reach the cause, and the problem that the run worked on remains.',
    },
    call_pending: {
      title: 'The run ended on a call that is only written out',
      impact: 'warning',
      businessImpact: 'The user received the notation of a step instead of an answer.',
      failureModes: ['FM-3.1'],
    },
    ended_as_failed: {
      title: 'The agent itself marked the task as not done',
      impact: 'warning',
      businessImpact: 'The run counts as finished, and the user did not get what was asked for.',
      failureModes: ['FM-3.1'],
    },
    unanswered_prompt: {
      title: 'The chat ended on a message that asks for another turn',
      impact: 'info',
      businessImpact: 'The chat used up its turns, and the user got no answer.',
      failureModes: ['FM-1.5'],
    },
    empty_answer: {
      title: 'An agent gave an empty answer',
      impact: 'warning',
      businessImpact: 'The answer, or a part of it, is missing, and nothing says so.',
      failureModes: ['FM-3.1'],
    },
    open_todo_items: {
      title: 'The run ended with open items on its own list',
      impact: 'warning',
      businessImpact: 'Part of the work is missing although the run reads as finished.',
      failureModes: ['FM-3.1'],
    },
    claim_corrected: {
      title: 'The user had to correct a claim of success',
      impact: 'warning',
      businessImpact: 'Users find the failures that the agent reported as solved.',
      failureModes: ['FM-3.1'],
    },
    items_dropped: {
      title: 'An iteration left out items that failed',
      impact: 'critical',
      businessImpact: 'Part of the records was not processed although the run reads as a success.',
      failureModes: ['FM-3.1'],
    },
    ended_on_failures: {
      title: 'The last calls of the run all failed',
      impact: 'warning',
      businessImpact: 'The run ended although its last attempts did not work.',
    },
    mostly_failed: {
      title: 'Most calls of the run failed',
      impact: 'warning',
      businessImpact: 'The run ended although little of what it tried worked.',
    },
    unusual_trouble: {
      title: 'One of the most troubled runs of its kind',
      impact: 'warning',
      businessImpact: 'Among your own runs such ones are the likeliest to have missed their goal.',
    },
  },
  detect(trace, { traffic }, report) {
    const verdicts = [
      claimedDespiteFailure(trace),
      testsClaimed(trace),
      claimCorrected(trace),
      unansweredResult(trace) ?? abandoned(trace),
      unchangedCheck(trace),
      ownVerdict(trace),
      unansweredPrompt(trace),
      emptyAnswer(trace),
      pendingCall(trace) ?? unrunCode(trace),
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
  return ended !== null && ended.score >= REPORTED ? ended : (mostlyFailed(trace) ?? ended);
}

const REPORTED = 0.6;

function draftOf(
  { evidence, fix, ...verdict }: Verdict,
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
    fixes: [fix],
  };
}
