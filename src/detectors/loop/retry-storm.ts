import type { Trace } from '../../core/trace.ts';
import { inARow } from '../_kit/completeness.ts';
import type { DetectionDraft, DetectorOptions } from '../_kit/define.ts';
import { quotedError } from '../_kit/quoted-error.ts';
import { counted, cut, oneLine } from '../_kit/text.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';
import { callAdvice } from '../_readings/conduct/call-advice.ts';
import { runEndAfter } from '../_readings/conduct/run-end.ts';
import { isConsecutive } from '../_readings/repeats/repetition.ts';
import { errorShape } from '../_readings/repeats/storms.ts';
import {
  type CallSubtype,
  errorEvidence,
  repetitionScore,
  sameArguments,
  scoreAtEnd,
  spacingText,
} from './call-evidence.ts';
import { causeText } from './cause-text.ts';
import { loopGuard } from './fixes.ts';
import { loopImpact } from './loop-impact.ts';
import { repeatedCalls } from './repeated-calls.ts';
import { sameResultSteps, sameResultText } from './same-result.ts';
import { isTemporary, TEMPORARY_RULE } from './temporary-error.ts';

export function stormDetection(
  trace: Trace,
  uses: readonly ToolUse[],
  at: readonly number[],
  options: DetectorOptions,
): DetectionDraft<CallSubtype> {
  const { thresholds } = options;
  const { calls, first, last, repeated, place } = repeatedCalls(trace, uses, at, options);
  const advice = callAdvice(trace, first);
  const message = cut(oneLine(first.failure!.message), 140).replace(/\.$/, '');
  const end = runEndAfter(trace, last.step);
  const score = repetitionScore(calls.length - 2, thresholds.minMatchesForLoop) * (worksLater(uses, at) ? 0.5 : 1);
  const isPassing = calls.every(isTemporary);
  return {
    subtype: 'retry_storm',
    score: calls.length - 2 < thresholds.minMatchesForLoop ? score : scoreAtEnd(score, end),
    ...place,
    explanation: `${first.agent ?? 'The agent'} called ${first.name} ${counted(calls.length, 'time')}${isConsecutive(uses, at) ? inARow(trace, first.step) : ''}${first.hasArguments ? ` with ${sameArguments(thresholds)}${spacingText(calls)}` : ''}, and it ${calls.every(({ failedBy }) => failedBy === 'result') ? 'returned' : 'failed with'} the same error every time: ${quotedError(first.failure!.message, 140)}.${sameResultText(uses, at)}${causeText(trace, [...place.steps, ...sameResultSteps(uses, at)], advice)}${end.text}`,
    ...loopImpact(trace, calls, end),
    suggestedAction: `End the run of ${first.agent ?? 'the agent'}, or ask a person, after the second equal error of an equal call. ${isPassing ? PAUSE : advice.remedy}`,
    evidence: calls.slice(0, 5).map((call) => errorEvidence(trace, call)),
    fixes: [
      {
        fixType: 'retry_policy',
        title: `Limit retries of ${first.name} to 1, and to temporary errors`,
        description: `Retry ${first.name} once after a pause, and only on timeouts, rate limits and 5xx; return every other error to the agent as final.`,
        rationale: `${counted(calls.length, 'attempt')} ended with the same error: ${cut(message, 80)}.`,
        confidence: 0.7,
        risk: 'low',
        changes: [
          {
            target: first.name,
            format: 'text',
            before: null,
            after: 'retries: 1, pause: 1 s, retry on: timeout | 429 | 5xx, otherwise: return the error as final',
          },
        ],
        isBreaking: false,
        requiresTesting: true,
      },
      ...(isPassing ? [] : [advice.fix, loopGuard(repeated)]),
    ],
    ...(isPassing ? TEMPORARY_RULE : {}),
    key: `${first.name} ${errorShape(message)}`,
  };
}

/** The error is temporary: no argument and no name of the call is wrong. */
const PAUSE =
  'The error is temporary: wait before the retry as long as a Retry-After in it says, and have the agent report that the call failed.';

/** Whether the same call succeeded later: the retries were justified. */
function worksLater(uses: readonly ToolUse[], at: readonly number[]): boolean {
  const last = at[at.length - 1]!;
  const { name, argumentsText } = uses[last]!;
  return uses.some(
    (use, later) => later > last && use.name === name && use.argumentsText === argumentsText && !use.isError,
  );
}
