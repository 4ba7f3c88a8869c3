/** One finished tool call of a session, reduced to what detecting a repetition needs. */
export interface RecordedCall {
  /** The caller: the agent itself or one of its subagents. */
  agent: string;
  /** Id of the current user prompt; empty if the agent reports none. */
  prompt: string;
  tool: string;
  /** Hash of tool and arguments. */
  call: string;
  /** Hash of the result, without times and other volatile values. */
  result: string;
  hasFailed: boolean;
  /** Whether it may have changed something; calls after it are not repetitions of calls before it. */
  hasChanged: boolean;
}

export interface Repetition {
  kind: 'same_call' | 'same_failure';
  tool: string;
  count: number;
}

const SAME_CALLS = 3;
const SAME_FAILURES = 4;

/**
 * Whether the last call is a repetition: the same call with the same result, or the same failure of one tool,
 * without changes in between. Reported at three (failures: four), and then each time the count has doubled.
 * @param calls of one session, oldest first
 */
export function repetitionAtEnd(calls: readonly RecordedCall[]): Repetition | null {
  const last = calls.at(-1);
  if (last === undefined) return null;
  const own = calls.filter(({ agent, prompt }) => agent === last.agent && prompt === last.prompt);
  const sameCalls = countBack(own, ({ call, result }) => call === last.call && result === last.result);
  if (isReportDue(sameCalls, SAME_CALLS)) return { kind: 'same_call', tool: last.tool, count: sameCalls };
  if (!last.hasFailed) return null;
  const failures = countBack(
    own,
    ({ tool, result, hasFailed }) => hasFailed && tool === last.tool && result === last.result,
  );
  return isReportDue(failures, SAME_FAILURES) ? { kind: 'same_failure', tool: last.tool, count: failures } : null;
}

/** Number of matching calls, back to the last different call with an effect. */
function countBack(calls: readonly RecordedCall[], fits: (call: RecordedCall) => boolean): number {
  const last = calls.at(-1) as RecordedCall;
  let count = 0;
  for (const call of calls.toReversed()) {
    if (fits(call)) count += 1;
    else if (isProgress(call, last)) break;
  }
  return count;
}

function isProgress(call: RecordedCall, last: RecordedCall): boolean {
  return (call.hasChanged && !call.hasFailed) || (call.call === last.call && call.result !== last.result);
}

function isReportDue(count: number, first: number): boolean {
  return count >= first && Number.isInteger(Math.log2(count / first));
}
