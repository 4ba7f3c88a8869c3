import { isJsonObject } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import type { ToolUse } from '../_kit/calls.ts';
import type { DetectorOptions, Finding } from '../_kit/define.ts';
import { counted, cut } from '../_kit/text.ts';
import { wasteOf } from '../_kit/waste.ts';
import { argumentsOf, type CallSubtype, callEvidence, oneLine } from './call-story.ts';
import { loopGuard, rememberInPrompt } from './fixes.ts';
import type { Rephrasing } from './rephrasing.ts';

export function rephrasingFinding(
  trace: Trace,
  uses: readonly ToolUse[],
  { at, likeness }: Rephrasing,
  { models }: DetectorOptions,
): Finding<CallSubtype> {
  const calls = at.map((position) => uses[position]!);
  const [first, second] = calls as [ToolUse, ToolUse];
  const steps = calls.map((call) => call.step);
  const repeated = { trace, agent: first.agent, what: first.name, times: calls.length };
  return {
    subtype: 'rephrasing',
    score: likeness < 1.25 ? 0.25 + 0.25 * likeness : Math.min(0.8, 0.56 + 0.03 * (likeness - 1.25)),
    step: second.step,
    steps,
    agent: first.agent,
    explanation: `${first.agent ?? 'The agent'} asked ${first.name} for nearly the same thing ${counted(calls.length, 'time')} in different words, from "${wording(first)}" to "${wording(calls[calls.length - 1]!)}". The results in between did not change what it looked for.`,
    suggestedAction: `Make ${first.agent ?? 'the agent'} use the results of ${first.name}, or change the source, before it searches again.`,
    evidence: calls.slice(0, 4).map((call) => callEvidence(trace, call)),
    ...wasteOf(trace, steps.slice(1), models),
    fixes: [rememberInPrompt(repeated, ''), loopGuard(repeated)],
    key: first.name,
  };
}

/** What was asked for: the longest text among the arguments. */
function wording(call: ToolUse): string {
  const texts = isJsonObject(call.arguments)
    ? Object.values(call.arguments).filter((value) => typeof value === 'string')
    : [];
  const longest = texts.reduce((a, b) => (b.length > a.length ? b : a), '');
  return cut(oneLine(longest === '' ? argumentsOf(call) : longest), 100);
}
