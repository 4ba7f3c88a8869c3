import { type Json, leafTexts } from '../../core/json.ts';
import type { Message, Trace } from '../../core/trace.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { cut, oneLine } from '../_kit/text.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { type PersonRejection, personRejections } from '../_readings/conduct/person-rejections.ts';
import { checkFix, ruleFix } from '../_readings/conduct/remedy.ts';
import { isUserTurn } from '../_readings/repeats/actors.ts';

interface RejectedCallMade {
  rejection: PersonRejection;
  use: ToolUse;
}

/**
 * Calls that a person rejected and that were executed later with the same texts as arguments, although the person wrote
 * nothing in between. A number may differ, but not if the person named it. None for sessions of coding agents: they ask again
 * before a repeated call, and the answer is not recorded.
 */
function rejectedCallsMade(trace: Trace): RejectedCallMade[] {
  if (trace.codingSession !== undefined) return [];
  return personRejections(trace).flatMap((rejection): RejectedCallMade[] => {
    const use = toolUses(trace).find(
      ({ step, name, isError, hasResult, arguments: args }) =>
        step > rejection.step && name === rejection.tool && hasResult && !isError && isSameRequest(rejection, args),
    );
    return use === undefined || hasMessageBetween(trace, rejection, use) ? [] : [{ rejection, use }];
  });
}

/** Whether the user wrote something between the rejection and the call, as a step or in the messages of a model call. */
function hasMessageBetween(trace: Trace, { step, tool }: PersonRejection, use: ToolUse): boolean {
  const between = trace.steps.slice(step + 1, use.step + 1);
  return between.some((one) => isUserTurn(one) || hasMessageAfterCall(one.inputMessages, tool));
}

function hasMessageAfterCall(messages: readonly Message[], tool: string): boolean {
  const call = messages.findLastIndex(({ toolCalls }) => toolCalls.some(({ name }) => name === tool));
  return call !== -1 && messages.slice(call + 1).some(({ role }) => role === 'user');
}

function isSameRequest({ arguments: rejected, quote }: PersonRejection, made: Json): boolean {
  const [before, after] = [leafTexts(rejected), leafTexts(made)];
  const texts = (values: readonly string[]) =>
    values
      .filter((value) => Number.isNaN(Number(value)))
      .sort()
      .join('\n');
  if (before.length === 0 || texts(before) !== texts(after)) return false;
  if (texts(before) === '') return before.join() === after.join();
  return after.every((value) => before.includes(value) || !quote.includes(value));
}

export function rejectedCallDetections(trace: Trace): DetectionDraft<'rejected_call_made'>[] {
  const byTool = new Map(rejectedCallsMade(trace).map((made) => [made.use.name, made]));
  return [...byTool.values()].map(({ rejection, use }) => {
    const request = trace.steps
      .slice(0, use.step + 1)
      .findLast(({ outputMessages }) =>
        outputMessages.some(({ toolCalls }) => toolCalls.some((one) => one.name === use.name)),
      );
    const agent = request?.agent ?? use.agent;
    const who = agent ?? trace.steps[use.step]!.name;
    const call = cut(`${use.name}(${oneLine(use.argumentsText)})`, 140);
    const rejected = cut(oneLine(JSON.stringify(rejection.arguments)), 100);
    const quote = cut(oneLine(rejection.quote), 120);
    return {
      subtype: 'rejected_call_made',
      score: 0.9,
      step: use.step,
      steps: [use.step, rejection.step],
      agent,
      explanation: `A person rejected the call of ${use.name} with ${rejected} (step ${rejection.step}: "${quote}"). ${who} then requested ${call}, and it was executed at step ${use.step}. The trace contains no approval after the rejection.`,
      suggestedAction: `Reverse the effect of ${call} if that is possible, and require a new approval for every call of ${use.name} after a rejection, whatever its arguments.`,
      evidence: [
        {
          kind: 'call',
          spanId: trace.steps[use.step]!.spanId,
          path: 'tool.arguments',
          quote: null,
          value: cut(use.argumentsText, 280),
        },
        {
          kind: 'source',
          spanId: trace.steps[rejection.step]!.spanId,
          path: rejection.path,
          quote: rejection.quote,
          value: null,
        },
      ],
      fixes: [
        checkFix('workflow_change', {
          title: `Keep a rejection of ${use.name} in force`,
          target: `approval of ${use.name}`,
          description: `Store the rejected arguments for the rest of the run. Before ${use.name} runs again, ask the person, also for a call below the limit from which approval is needed.`,
          after: `if a call of ${use.name} was rejected in this run: ask the person before every further call of it`,
          why: 'The second call did not pass the approval that rejected the first one.',
        }),
        ruleFix(trace, agent, {
          title: 'Accept a rejection',
          rule: `When a person rejects a call, do not make it again in another form. Say that it was rejected, and ask what to do.`,
          why: `${who} requested ${use.name} again after the rejection.`,
        }),
      ],
      key: use.name,
    };
  });
}
