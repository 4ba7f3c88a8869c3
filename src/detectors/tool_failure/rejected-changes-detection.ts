import type { Trace } from '../../core/trace.ts';
import { isCompleteAfter } from '../_kit/completeness.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { cut } from '../_kit/text.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import type { RejectedChanges } from './rejected-changes.ts';

const MAX_QUOTED = 3;

export function rejectedChangesDetection(
  trace: Trace,
  { rejected, accepted }: RejectedChanges,
): DetectionDraft<'changes_rejected'> {
  const [first] = rejected;
  const { name, agent } = first;
  const who = agent ?? 'the agent';
  const reasons = rejected.slice(0, MAX_QUOTED).map((use) => `step ${use.step}: "${reasonOf(use, 90)}"`);
  return {
    subtype: 'changes_rejected',
    score: 0.64,
    step: first.step,
    steps: rejected.map(({ step }) => step),
    agent,
    explanation: `${name} rejected ${rejected.length} changes, each for another reason (${reasons.join('; ')}).${endText(trace, { rejected, accepted })}`,
    suggestedAction: `Compare what ${name} was asked to change with what the user asked for, and have ${who} check the named conditions before the call.`,
    evidence: rejected.slice(0, MAX_QUOTED).map((use) => ({
      kind: 'error',
      spanId: trace.steps[use.step]!.spanId,
      path: 'tool.result',
      quote: reasonOf(use, 280),
      value: null,
    })),
    fixes: [
      checkFix('tool_change', {
        title: `State the conditions of ${name} in its description`,
        target: `description of ${name}`,
        description: `List in the description of ${name} what it rejects, and have it name every violated condition at once, so that the arguments are checked before the call and corrected together.`,
        after: `${name}: rejects a call when … ; check these conditions with the look-up tools first. An error lists all violated conditions.`,
        why: 'Each rejection names a condition that was not checked before the call.',
      }),
    ],
    key: name,
  };
}

function reasonOf({ failure, resultText }: ToolUse, limit: number): string {
  return cut((failure?.message || resultText).trim(), limit);
}

/** One sentence with a leading space; empty if a later call may be among the rejected records of the run. */
function endText(trace: Trace, { rejected, accepted }: RejectedChanges): string {
  if (accepted !== null) return ` The call at step ${accepted.step} was accepted.`;
  return isCompleteAfter(trace, rejected.at(-1)!.step) ? ` No later call of ${rejected[0].name} was accepted.` : '';
}
