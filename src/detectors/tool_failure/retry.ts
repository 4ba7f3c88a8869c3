import type { Fix } from '../../core/detection.ts';
import { joined } from '../_kit/text.ts';
import { raisedRetry, retryText } from '../_remedies/node-settings.ts';
import { callerOf, type FailedCall, nodeOf } from './failed-call.ts';
import { fixOf, nodeFixes } from './remedy.ts';
import { type RetryRule, retryChange } from './retry-code.ts';
import { type KnownRetry, knownRetry, knownRetryText } from './retry-setting.ts';

/** A retry of the failed call: the clause of the suggested action, its note, and the fixes that configure it. */
interface Retry {
  /** Without a full stop. */
  clause: string;
  /** One sentence with a leading space about the retries that the trace shows, or that it shows none; may be empty. */
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

export function retryOf(call: FailedCall, draft: RetryDraft): Retry {
  const known = knownRetry(call);
  return known === null ? firstRetry(call, draft) : longerRetry(call, draft, known);
}

function firstRetry(call: FailedCall, { retries, timeoutSeconds, on, ...texts }: RetryDraft): Retry {
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

/** More or later attempts for a call that the trace shows with retries. */
function longerRetry(call: FailedCall, { timeoutSeconds, on, rationale }: RetryDraft, known: KnownRetry): Retry {
  const { trace, failure } = call;
  const shown = knownRetryText(call, known);
  if (trace.framework === 'n8n' && known.isSetting) return { ...longerNodeRetry(call, known), note: ` ${shown}` };
  const caller = callerOf(failure);
  const rule: RetryRule = { attempts: 2 * known.attempts, timeoutSeconds, on };
  const title = known.isSetting
    ? `Retry ${failure.name} more often, with longer pauses`
    : `Wait longer between the attempts of ${failure.name}`;
  return {
    clause: known.isSetting
      ? `Allow more than ${known.attempts} attempts, with longer pauses, in ${caller}`
      : `Wait longer between the attempts in ${caller}`,
    note: ` ${shown}`,
    fixes: [
      fixOf(failure.name, {
        fixType: 'retry_policy',
        title,
        description: `${shown} Wait longer after each attempt, and allow ${rule.attempts} attempts.`,
        rationale,
        change: retryChange(trace, failure, rule),
      }),
    ],
  };
}

function longerNodeRetry(call: FailedCall, known: KnownRetry): Pick<Retry, 'clause' | 'fixes'> {
  const node = nodeOf(call);
  const raised = Object.entries(raisedRetry(known));
  if (raised.length === 0) return retryByLoop(node, known);
  const changes = raised.map(([member, value]) => `${FIELDS[member]!.label} to ${value}${FIELDS[member]!.unit}`);
  const settings = nodeFixes(call, 'retry');
  return {
    clause: `Raise ${joined(changes)} in the settings of the node ${node}`,
    fixes:
      settings.length > 0
        ? settings
        : [
            fixOf(node, {
              fixType: 'retry_policy',
              title: `Let n8n retry the node ${node} more often, with longer waits`,
              description: `Raise ${joined(changes)} in the settings of the node ${node}.`,
              rationale: `${retryText(known)} The node failed nevertheless.`,
              change: raised.map(([member, value]) => `${FIELDS[member]!.field}: ${value}`).join('; '),
            }),
          ],
  };
}

/** Names of the settings in the editor of n8n. */
const FIELDS: Readonly<Record<string, { label: string; field: string; unit: string }>> = {
  maxTries: { label: 'Max. Tries', field: 'Max. Tries', unit: '' },
  waitBetweenTries: { label: 'Wait Between Tries', field: 'Wait Between Tries (ms)', unit: ' ms' },
};

function retryByLoop(node: string, known: KnownRetry): Pick<Retry, 'clause' | 'fixes'> {
  return {
    clause: `Call the node ${node} again later, from a loop with a Wait node`,
    fixes: [
      fixOf(node, {
        fixType: 'workflow_change',
        title: `Wait longer than the settings of the node ${node} allow`,
        description: `Lead the error output of the node ${node} to a Wait node and back to ${node}, and end the loop after a few rounds.`,
        rationale: `${retryText(known)} n8n allows no longer retry.`,
        change: `error output of ${node}: a counter, a Wait node of minutes, and a connection back to ${node}`,
      }),
    ],
  };
}
