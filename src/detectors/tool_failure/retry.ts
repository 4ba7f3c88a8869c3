import type { Fix } from '../../core/detection.ts';
import { callerOf, type FailedCall, nodeOf } from './failed-call.ts';
import { fixOf, nodeFixes } from './remedy.ts';
import { type RetryRule, retryChange } from './retry-code.ts';

/** A retry of the failed call: the clause of the suggested action, its note, and the fixes that configure it. */
interface Retry {
  /** Without a full stop. */
  clause: string;
  /** One sentence with a leading space if no retry is recorded. */
  note: string;
  fixes: readonly Fix[];
}

interface RetryDraft {
  /** Retries after the first attempt. */
  retries: number;
  timeoutSeconds: number;
  /** The errors that cause a retry. */
  on: string;
  title: string;
  description: string;
  rationale: string;
}

export function retryOf(call: FailedCall, { retries, timeoutSeconds, on, ...texts }: RetryDraft): Retry {
  const { trace, failure, isRetried } = call;
  const rule: RetryRule = { attempts: retries + 1, timeoutSeconds, on };
  const settings = nodeFixes(call, 'retry');
  return {
    clause: clauseOf(call, retries),
    note: isRetried ? '' : ` No retry of ${failure.name} is recorded.`,
    fixes:
      settings.length > 0
        ? settings
        : [
            fixOf(failure.name, {
              fixType: 'retry_policy',
              ...texts,
              change: trace.framework === 'n8n' ? N8N_RETRY : retryChange(trace, failure, rule),
            }),
          ],
  };
}

/** For a node that the trace does not declare. */
const N8N_RETRY = 'Retry On Fail: on; Max. Tries: 3; Wait Between Tries (ms): 2000';

function clauseOf(call: FailedCall, retries: number): string {
  if (call.trace.framework === 'n8n')
    return `Turn on Retry On Fail, with a wait between the tries, in the settings of the node ${nodeOf(call)}`;
  const caller = callerOf(call.failure);
  return retries === 1 ? `Retry once in ${caller}` : `Retry in ${caller} with growing pauses, at most ${retries} times`;
}
