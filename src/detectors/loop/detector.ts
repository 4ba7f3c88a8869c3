import type { Trace } from '../../core/trace.ts';
import { type DetectionDraft, defineDetector } from '../_kit/define.ts';
import { findCallLoops } from './call-loops.ts';
import { findMessageLoops } from './message-loops.ts';
import { findRecursionLimit } from './recursion-limit.ts';
import { findReportedLoops } from './reported-loop.ts';
import { findRestated, restatedDetection } from './restated.ts';
import { findRoundFaults } from './rounds.ts';
import { findSameVerdicts, sameVerdictDetection } from './same-verdict.ts';
import { findSessionLoops } from './session-loops.ts';
import { findStalledCheck } from './stalled-check.ts';
import { stalledCheckDetection } from './stalled-check-detection.ts';

const WASTE = 'Each repeated step costs time and tokens, while the user waits.';

export const loop = defineDetector({
  type: 'loop',
  title: 'Loop',
  failureModes: ['F3', 'FM-1.3'],
  needs: ['steps'],
  subtypes: {
    recursion_limit: {
      title: 'Run stopped at its step limit',
      impact: 'critical',
      businessImpact: 'The run ended without a result after spending its whole budget of steps.',
      failureModes: ['FM-1.5'],
    },
    cyclic: { title: 'Steps repeat in a cycle', impact: 'critical', businessImpact: WASTE },
    exact_repetition: { title: 'The same call repeated in a row', impact: 'critical', businessImpact: WASTE },
    stalled: { title: 'Calls repeated without a new result', impact: 'critical', businessImpact: WASTE },
    retry_storm: {
      title: 'Retries of a call that keeps failing the same way',
      impact: 'critical',
      businessImpact: WASTE,
    },
    repeated_fault: {
      title: 'The same error again and again from a tool that otherwise works',
      impact: 'warning',
      businessImpact: WASTE,
    },
    reported_loop: { title: 'The runtime itself reports a loop', impact: 'critical', businessImpact: WASTE },
    rephrasing: { title: 'The same search in different words', impact: 'warning', businessImpact: WASTE },
    iteration_escape: {
      title: 'An iteration ran outside of its bounds',
      impact: 'critical',
      businessImpact: 'Every extra round costs as much as the others, and its results belong to nothing.',
    },
    exit_not_met: {
      title: 'A loop used all its rounds without meeting its exit condition',
      impact: 'warning',
      businessImpact: 'What follows works with a result that is not finished, as if it were.',
      failureModes: ['FM-1.5'],
    },
    failing_test: {
      title: 'The same test fails again after every edit',
      impact: 'warning',
      businessImpact: 'Edits that do not reach the cause are paid for, and the work is not done.',
    },
    unmoved_check: {
      title: 'The same answer after every attempt, until the end',
      impact: 'warning',
      businessImpact: 'The run ended on a result that none of its attempts changed.',
    },
    rejected_edits: {
      title: 'Edits that do not apply',
      impact: 'info',
      businessImpact: 'Every rejected edit is a call of the model that changes nothing.',
    },
    unchanged_reread: {
      title: 'Unchanged lines are read again',
      impact: 'info',
      businessImpact: 'The same text is paid for again, and fills the context.',
    },
    polling: {
      title: 'A running command is polled again and again',
      impact: 'info',
      businessImpact: 'Every poll is paid like a call of the model; a longer wait brings the same result.',
    },
    same_verdict: {
      title: 'New versions of the work, and the same answer every time',
      impact: 'info',
      businessImpact: WASTE,
    },
    restated: {
      title: 'An agent gives the same answer again, with nothing new in between',
      impact: 'warning',
      businessImpact: WASTE,
    },
    message_repetition: { title: 'An agent repeats the same message', impact: 'warning', businessImpact: WASTE },
  },
  detect(trace, options, report) {
    const cutOff = findRecursionLimit(trace, options);
    if (cutOff !== null) report(cutOff);
    for (const draft of findRoundFaults(trace)) report(draft);
    const found = findCallLoops(trace, options);
    // The cut-off run already names the cycle of nodes that its messages would show again.
    const talk = cutOff === null ? findMessageLoops(trace, options) : [];
    const cycles = talk.filter(({ subtype }) => subtype === 'cyclic');
    const chains = cutOff === null ? findRestated(trace, options.thresholds.minMatchesForLoop + 1) : [];
    const restated = chains.map((chain) => restatedDetection(trace, chain, options));
    const ownRepeats = [...found.filter((draft) => isChat(trace, draft)), ...restated].filter(
      (draft) => !isPartOf(draft, cycles),
    );
    for (const draft of found) if (!isChat(trace, draft)) report(draft);
    for (const draft of ownRepeats) report(draft);
    const unmoved = findStalledCheck(trace);
    const isCovered = ({ steps }: { steps: readonly number[] }) =>
      unmoved?.runs.every(({ step }) => steps.includes(step));
    if (unmoved !== null && !found.some(isCovered)) report(stalledCheckDetection(trace, unmoved, options));
    for (const draft of findReportedLoops(trace, found)) report(draft);
    for (const draft of findSessionLoops(trace, found, options.models)) report(draft);
    const reviews = cutOff === null ? findSameVerdicts(trace, options.thresholds.minMatchesForLoop + 1) : [];
    for (const versions of reviews) report(sameVerdictDetection(trace, versions, options));
    for (const draft of talk) if (draft.subtype === 'cyclic' || !isPartOf(draft, ownRepeats)) report(draft);
  },
});

type Steps = Pick<DetectionDraft<string>, 'steps'>;

/** Whether the calls are code that a chat ran. Their results are messages, so a cycle of the messages reports them, too. */
function isChat(trace: Trace, { steps }: Steps): boolean {
  return trace.steps[steps.at(-1)!]!.kind === 'message';
}

function isPartOf({ steps }: Steps, others: readonly Steps[]): boolean {
  return others.some((other) => steps.every((step) => other.steps.includes(step)));
}
