import type { Trace } from '../../core/trace.ts';
import { type DetectionDraft, defineDetector } from '../_kit/define.ts';
import { withEnclosing } from '../_kit/enclosing-steps.ts';
import { findCallLoops } from './call-loops.ts';
import { endlessWaitDetection, findEndlessWait } from './endless-wait.ts';
import { loopManifest } from './manifest.ts';
import { findMessageLoops } from './message-loops.ts';
import { findRecursionLimit } from './recursion-limit.ts';
import { findRepeatedTexts, repeatedTextDetection } from './repeated-text.ts';
import { findReportedLoops } from './reported-loop.ts';
import { findRestated, restatedDetection } from './restated.ts';
import { findRoundFaults } from './rounds.ts';
import { findSameVerdicts, sameVerdictDetection } from './same-verdict.ts';
import { findSessionLoops } from './session-loops.ts';
import { findStalledCheck } from './stalled-check.ts';
import { stalledCheckDetection } from './stalled-check-detection.ts';

export const loop = defineDetector({
  ...loopManifest,
  detect(trace, options, report) {
    const cutOff = findRecursionLimit(trace, options);
    if (cutOff !== null) report(cutOff);
    for (const draft of findRoundFaults(trace)) report(draft);
    const found = findCallLoops(trace, options);
    // The cut-off run already names the cycle of nodes that its messages would show again.
    const messageLoops = cutOff === null ? findMessageLoops(trace, options) : [];
    const cycles = messageLoops.filter(({ subtype }) => subtype === 'cyclic');
    const chains = cutOff === null ? findRestated(trace, options.thresholds.minMatchesForLoop + 1) : [];
    const restated = chains.map((chain) => restatedDetection(trace, chain, options));
    const ownRepeats = [...found.filter((draft) => isChat(trace, draft)), ...restated].filter(
      (draft) => !isPartOf(trace, draft, cycles),
    );
    for (const draft of found) if (!isChat(trace, draft)) report(draft);
    for (const draft of ownRepeats) report(draft);
    const unmoved = findStalledCheck(trace);
    const isCovered = ({ steps }: { steps: readonly number[] }) =>
      unmoved?.runs.every(({ step }) => steps.includes(step));
    if (unmoved !== null && !found.some(isCovered)) report(stalledCheckDetection(trace, unmoved, options));
    for (const draft of findReportedLoops(trace, found)) report(draft);
    const wait = findEndlessWait(trace);
    if (wait !== null) report(endlessWaitDetection(trace, wait, options));
    for (const repeated of findRepeatedTexts(trace)) report(repeatedTextDetection(trace, repeated, options));
    for (const draft of findSessionLoops(trace, found, options.models)) report(draft);
    const reviews = cutOff === null ? findSameVerdicts(trace, options.thresholds.minMatchesForLoop + 1) : [];
    for (const versions of reviews) report(sameVerdictDetection(trace, versions, options));
    for (const draft of messageLoops)
      if (draft.subtype === 'cyclic' || !isPartOf(trace, draft, ownRepeats)) report(draft);
  },
});

type Steps = Pick<DetectionDraft<string>, 'steps'>;

/** Whether the calls are code that a chat ran. Their results are messages, so a cycle of the messages reports them, too. */
function isChat(trace: Trace, { steps }: Steps): boolean {
  return trace.steps[steps.at(-1)!]!.kind === 'message';
}

/** Whether the steps are steps of another draft or inside them: the model calls of agents whose turns are a cycle. */
function isPartOf(trace: Trace, { steps }: Steps, others: readonly Steps[]): boolean {
  return others.some((other) =>
    steps.every((step) => withEnclosing(trace, step).some(({ index }) => other.steps.includes(index))),
  );
}
