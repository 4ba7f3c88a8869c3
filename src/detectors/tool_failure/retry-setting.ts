import type { Trace } from '../../core/trace.ts';
import { type RetrySettings, retryIn, retryText } from '../_remedies/node-settings.ts';
import { configuredStep, type FailedCall } from './failed-call.ts';

/** Retries that the trace shows: in the settings of the step, or as attempts. */
export interface KnownRetry extends RetrySettings {
  isSetting: boolean;
}

/** Null if the trace shows no retry. Calls that an agent repeats are not retries: it chooses each of them. */
export function knownRetry(call: FailedCall): KnownRetry | null {
  const set = retryIn(call.trace.steps[configuredStep(call)]!.failureSettings ?? {});
  if (set !== null) return { ...set, isSetting: true };
  const attempts = recordedAttempts(call);
  return attempts < 2 ? null : { attempts, waitMs: null, isSetting: false };
}

/** The failed calls with the input of the first one, if the program makes them. */
function recordedAttempts({ trace, failure, failed }: FailedCall): number {
  if (failure.what === 'tool' && failure.agent !== null) return 0;
  const inputs = failed.map((step) => inputOf(trace, step));
  return inputs[0] === '' ? 0 : inputs.filter((input) => input === inputs[0]).length;
}

function inputOf({ steps }: Trace, step: number): string {
  const { input, inputMessages } = steps[step]!;
  return inputMessages.length === 0 ? input : JSON.stringify(inputMessages);
}

/** One sentence. */
export function knownRetryText({ trace }: FailedCall, retry: KnownRetry): string {
  if (!retry.isSetting) return `The trace contains ${retry.attempts} attempts with the same input.`;
  return trace.framework === 'n8n' ? retryText(retry) : `Its settings allow ${retry.attempts} attempts.`;
}
