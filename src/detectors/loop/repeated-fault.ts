import type { Thresholds } from '../../core/thresholds.ts';
import type { Trace } from '../../core/trace.ts';
import { failedEdits } from '../_coding/failed-edits.ts';
import type { ToolUse } from '../_kit/calls.ts';
import type { DetectorOptions, Finding } from '../_kit/define.ts';
import { counted, cut } from '../_kit/text.ts';
import { type CallSubtype, errorEvidence, oneLine } from './call-story.ts';
import { isExploration } from './exploration.ts';
import { loopGuard, rememberInPrompt } from './fixes.ts';
import { repeatedCalls } from './repeated-calls.ts';
import { errorShape, isParallel } from './retry-storm.ts';

/**
 * Calls of one tool in one run of an agent that failed in the same words but for values, whatever they asked: positions in the
 * list of uses. Edits that do not apply are a detection of their own. Only of tools that do work in this trace; one that never
 * worked is reported by `tool_failure`.
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
    const key = `${agentRunOf(trace, use.step)} ${use.name} ${errorShape(use.failure.message)}`;
    groups.set(key, [...(groups.get(key) ?? []), at]);
  });
  return [...groups.values()]
    .map((at) => at.filter((position, n) => n === 0 || !isParallel(uses[at[n - 1]!]!, uses[position]!)))
    .filter((at) => at.length > minMatchesForLoop && !isExploration(at.map((position) => uses[position]!)));
}

/** The span around all that an agent did when it was called once; -1 where no span represents it. */
function agentRunOf(trace: Trace, step: number): number {
  for (let at = trace.steps[step]!.parent; at !== null; at = trace.steps[at]!.parent)
    if (trace.steps[at]!.kind === 'agent') return at;
  return -1;
}

export function repeatedFaultFinding(
  trace: Trace,
  uses: readonly ToolUse[],
  at: readonly number[],
  options: DetectorOptions,
): Finding<CallSubtype> {
  const { calls, first, last, repeated, place } = repeatedCalls(trace, uses, at, options);
  const agent = first.agent ?? 'The agent';
  const [opening, ending] = [first, last].map(({ failure }) => cut(oneLine(failure!.message), 100));
  return {
    subtype: 'repeated_fault',
    score: Math.min(0.85, 0.6 + 0.04 * (calls.length - 3)),
    ...place,
    explanation: `${agent} called ${first.name} ${counted(calls.length, 'time')} with the same error, from "${opening}" to "${ending}". Other calls of it worked.`,
    suggestedAction: `Let ${first.name} answer such a call with an example of one that works, and stop after the second equal error.`,
    evidence: calls.slice(0, 5).map((call) => errorEvidence(trace, call)),
    fixes: [rememberInPrompt(repeated, cut(oneLine(first.failure!.message), 80)), loopGuard(repeated)],
    key: `${first.name} ${errorShape(first.failure!.message)}`,
  };
}
