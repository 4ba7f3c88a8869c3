import { isJsonObject } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import type { DetectionDraft, DetectorOptions } from '../_kit/define.ts';
import { counted, cut, oneLine, stepsText } from '../_kit/text.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';
import { argumentsOf, type CallSubtype, callEvidence } from './call-evidence.ts';
import { loopGuard, rememberInPrompt } from './fixes.ts';
import { repeatedCalls } from './repeated-calls.ts';
import type { Rephrasing } from './rephrasing.ts';

export function rephrasingDetection(
  trace: Trace,
  uses: readonly ToolUse[],
  { at, similarity, withoutNewResults }: Rephrasing,
  options: DetectorOptions,
): DetectionDraft<CallSubtype> {
  const wasted = withoutNewResults.map((position) => uses[position]!.step);
  const { calls, first, last, repeated, place } = repeatedCalls(trace, uses, at, options, wasted);
  return {
    subtype: 'rephrasing',
    score: scoreOf(similarity, calls.length),
    ...place,
    explanation: `${first.agent ?? 'The agent'} asked ${first.name} for nearly the same thing ${counted(calls.length, 'time')} in different words, from "${wordingOf(first)}" to "${wordingOf(last)}".${newResultsText(uses, withoutNewResults)}`,
    suggestedAction: adviceText(
      first,
      withoutNewResults.length < calls.length - 1 || !calls.every(({ hasResult }) => hasResult),
    ),
    evidence: calls.slice(0, 4).map((call) => callEvidence(trace, call)),
    fixes: [rememberInPrompt(repeated, ''), loopGuard(repeated)],
    key: first.name,
  };
}

/** A second wording is an ordinary attempt. */
function scoreOf(similarity: number, calls: number): number {
  if (calls < 3) return 0.25 * similarity;
  return similarity < 1.25 ? 0.25 + 0.25 * similarity : Math.min(0.8, 0.56 + 0.03 * (similarity - 1.25));
}

/** Results that brought nothing new after the first cannot be used: another source is needed. */
function adviceText({ agent, name }: ToolUse, hasNewResults: boolean): string {
  const who = agent ?? 'the agent';
  return hasNewResults
    ? `Make ${who} use the results of ${name}, or change the source, before it searches again.`
    : `Make ${who} change the source, or say that ${name} does not find it, instead of asking ${name} again in other words.`;
}

/** Results of the searches, as far as they are recorded. */
function newResultsText(uses: readonly ToolUse[], withoutNewResults: readonly number[]): string {
  if (withoutNewResults.length === 0) return ' Each search had another result.';
  const steps = withoutNewResults.map((position) => uses[position]!.step);
  return ` The search${steps.length === 1 ? '' : 'es'} at ${stepsText(steps)} returned no new result.`;
}

/** The wording of a search: the longest text among the arguments. */
function wordingOf(call: ToolUse): string {
  const texts = isJsonObject(call.arguments)
    ? Object.values(call.arguments).filter((value) => typeof value === 'string')
    : [];
  const longest = texts.reduce((a, b) => (b.length > a.length ? b : a), '');
  return cut(oneLine(longest === '' ? argumentsOf(call) : longest), 100);
}
