/** One finished tool call of a session, as little as is needed to see a repetition. */
export interface RememberedCall {
  /** Who called: the agent itself or one of its subagents. */
  agent: string;
  /** Id of the user's prompt it worked on; empty where the agent gives none. */
  prompt: string;
  tool: string;
  /** Hash of tool and arguments. */
  call: string;
  /** Hash of what came back, without times and such. */
  result: string;
  hasFailed: boolean;
  /** It may have changed something: then what follows is no mere repetition. */
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
 * Whether the last call goes round in circles: the same call with the same result, or the same failure of one tool,
 * with nothing changed in between. Told at three (failures: four), and then each time the count has doubled.
 * @param calls of one session, oldest first
 */
export function repetitionAtEnd(calls: readonly RememberedCall[]): Repetition | null {
  const last = calls.at(-1);
  if (last === undefined) return null;
  const own = calls.filter(({ agent, prompt }) => agent === last.agent && prompt === last.prompt);
  const sameCalls = countBack(own, ({ call, result }) => call === last.call && result === last.result);
  if (isTold(sameCalls, SAME_CALLS)) return { kind: 'same_call', tool: last.tool, count: sameCalls };
  if (!last.hasFailed) return null;
  const failures = countBack(
    own,
    ({ tool, result, hasFailed }) => hasFailed && tool === last.tool && result === last.result,
  );
  return isTold(failures, SAME_FAILURES) ? { kind: 'same_failure', tool: last.tool, count: failures } : null;
}

/** How many fit, back to the last call that did something else and had an effect. */
function countBack(calls: readonly RememberedCall[], fits: (call: RememberedCall) => boolean): number {
  const last = calls.at(-1) as RememberedCall;
  let count = 0;
  for (const call of calls.toReversed()) {
    if (fits(call)) count += 1;
    else if (isProgress(call, last)) break;
  }
  return count;
}

function isProgress(call: RememberedCall, last: RememberedCall): boolean {
  return (call.hasChanged && !call.hasFailed) || (call.call === last.call && call.result !== last.result);
}

function isTold(count: number, first: number): boolean {
  return count >= first && Number.isInteger(Math.log2(count / first));
}
