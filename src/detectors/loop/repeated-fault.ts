import type { Thresholds } from '../../core/thresholds.ts';
import type { Trace } from '../../core/trace.ts';
import type { DetectionDraft, DetectorOptions } from '../_kit/define.ts';
import { quotedError } from '../_kit/quoted-error.ts';
import { counted, cut, oneLine } from '../_kit/text.ts';
import { differingPieces } from '../_kit/text-difference.ts';
import { agentSpanOf, type ToolUse } from '../_readings/calls/calls.ts';
import { failedEdits } from '../_readings/coding/failed-edits.ts';
import { callAdvice } from '../_readings/conduct/call-advice.ts';
import { errorShape, isParallel } from '../_readings/repeats/storms.ts';
import { type CallSubtype, errorEvidence } from './call-evidence.ts';
import { isExploration } from './exploration.ts';
import { loopGuard, rememberInPrompt } from './fixes.ts';
import { repeatedCalls } from './repeated-calls.ts';

/**
 * Calls of one tool in one run of an agent that failed with the same message apart from values, whatever their arguments:
 * positions in the list of uses. Rejected edits have a detection of their own. Only for tools that succeeded in this trace;
 * a tool that never worked is reported by `tool_failure`.
 */
export function findRepeatedFaults(
  trace: Trace,
  uses: readonly ToolUse[],
  { minMatchesForLoop }: Thresholds,
): number[][] {
  const works = new Set(uses.filter(({ isError }) => !isError).map(({ name }) => name));
  const groups = new Map<string, number[]>();
  const rejected = new Set(failedEdits(trace).map(({ step }) => step));
  uses.forEach((use, at) => {
    if (use.failure === null || use.command !== null || !works.has(use.name) || rejected.has(use.step)) return;
    const key = `${agentSpanOf(trace, use.step)} ${use.name} ${errorShape(use.failure.message)}`;
    groups.set(key, [...(groups.get(key) ?? []), at]);
  });
  return [...groups.values()]
    .map((at) => at.filter((position, n) => n === 0 || !isParallel(uses[at[n - 1]!]!, uses[position]!)))
    .filter((at) => at.length > minMatchesForLoop && !isExploration(at.map((position) => uses[position]!)));
}

export function repeatedFaultDetection(
  trace: Trace,
  uses: readonly ToolUse[],
  at: readonly number[],
  options: DetectorOptions,
): DetectionDraft<CallSubtype> {
  const { calls, first, last, repeated, place } = repeatedCalls(trace, uses, at, options);
  const agent = first.agent ?? 'The agent';
  const messages = differingPieces(first.failure!.message, last.failure!.message, 100);
  const errorText =
    messages === null ? `: ${quotedError(first.failure!.message, 100)}` : `, from "${messages[0]}" to "${messages[1]}"`;
  const advice = callAdvice(trace, first);
  return {
    subtype: 'repeated_fault',
    score: Math.min(0.85, 0.6 + 0.04 * (calls.length - 3)),
    ...place,
    explanation: `${agent} called ${first.name} ${counted(calls.length, 'time')} with the same error${errorText}. Other calls of it worked.`,
    suggestedAction: `${advice.action} The call that works can serve as an example: step ${workingStep(uses, first)} of ${first.name} succeeded.`,
    evidence: calls.slice(0, 5).map((call) => errorEvidence(trace, call)),
    fixes: [advice.fix, rememberInPrompt(repeated, cut(oneLine(first.failure!.message), 80)), loopGuard(repeated)],
    key: `${first.name} ${errorShape(first.failure!.message)}`,
  };
}

/** A successful call of the same tool. One exists because the tool succeeded in this trace. */
function workingStep(uses: readonly ToolUse[], { name, step }: ToolUse): number {
  const working = uses.filter((use) => use.name === name && !use.isError);
  return (working.find((use) => use.step > step) ?? working.at(-1)!).step;
}
