import type { Trace } from '../../core/trace.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { cut } from '../_kit/text.ts';
import { checkFix, ruleFix } from '../_readings/conduct/remedy.ts';
import type { BlockedChange } from './blocked-change.ts';

export function blockedChangeDetection(
  trace: Trace,
  { rejected, cause, id, field, before, after }: BlockedChange,
): DetectionDraft<'blocked_by_own_change'> {
  const { name, agent, failure } = rejected;
  const who = agent ?? 'the agent';
  const spanOf = (step: number) => trace.steps[step]!.spanId;
  const reason = cut((failure?.message || rejected.resultText).trim(), 120);
  return {
    subtype: 'blocked_by_own_change',
    score: 0.64,
    // The order of the two changes was decided here.
    step: cause.step,
    steps: [cause.step, rejected.step, before.step],
    agent: cause.agent,
    explanation: `${name} rejected "${id}" at step ${rejected.step} ("${reason}"). The run itself had changed this record before: ${cause.name} at step ${cause.step} set its ${field} from "${before.value}" (step ${before.step}) to "${after}". No later call of ${name} accepted it.`,
    suggestedAction: `Check whether ${name} accepts the record before ${cause.name}. If it does, have ${who} call ${name} first. Check whether the change at step ${cause.step} has to be undone.`,
    evidence: [
      { kind: 'error', spanId: spanOf(rejected.step), path: 'tool.result', quote: cut(reason, 280), value: null },
      { kind: 'source', spanId: spanOf(cause.step), path: 'tool.result', quote: after, value: field },
      { kind: 'source', spanId: spanOf(before.step), path: 'tool.result', quote: before.value, value: field },
    ],
    fixes: [
      ruleFix(trace, cause.agent, {
        title: 'Plan all changes of a record before the first one',
        rule: `Before you call ${cause.name}, list all changes that the user wants for the record: after ${cause.name} its ${field} is "${after}", and ${name} rejects it.`,
        why: `${cause.name} changed the ${field} of "${id}", and ${name} rejected it afterwards.`,
      }),
      checkFix('tool_change', {
        title: `State in ${cause.name} what it excludes`,
        target: `description of ${cause.name}`,
        description: `Say in the description of ${cause.name} that it sets the ${field} of the record, and which tools reject the record afterwards.`,
        after: `${cause.name}: sets ${field} to "${after}"; after it, ${name} is no longer possible. Call ${name} first.`,
        why: 'The agent cannot know the order of the changes from the descriptions of the tools.',
      }),
    ],
    key: `${name} ${id}`,
  };
}
