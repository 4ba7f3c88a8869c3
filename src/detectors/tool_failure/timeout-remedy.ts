import { type FailedCall, quoteOf } from './failed-call.ts';
import type { Failure } from './failure.ts';
import { fixOf, type Remedy } from './remedy.ts';
import { retryOf } from './retry.ts';
import { type KnownRetry, knownRetry, knownRetryText } from './retry-setting.ts';
import { limitOf, pauseOver } from './time-limit.ts';
import { type Waited, waitedFor } from './waited-for.ts';

/** A later limit for a call of a tool or model, with one retry; for a step, what it waits for, without a retry. */
export function timeoutRemedy(call: FailedCall): Remedy {
  const { trace, failure } = call;
  const { name } = failure;
  const limit = limitOf(failure);
  const raised = limit === null ? `the time limit of ${name}` : `the time limit of ${name} above ${limit.text}`;
  const waited = waitedFor(trace, failure);
  const pause = pauseOver(waited, limit);
  if (pause !== null) return pauseRemedy(name, waited!, limit!.text, pause);
  if (failure.what === 'step') return stepRemedy(failure, waited, limit?.text ?? null, raised);
  const known = knownRetry(call);
  if (known !== null) return limitRemedy(call, raised, waited?.text ?? null, known);
  const retry = retryOf(call, {
    retries: 1,
    timeoutSeconds: limit === null ? 30 : Math.ceil(2 * limit.seconds),
    on: 'retry on timeouts',
    title: `Give ${name} a time limit that fits its work, and one retry`,
    description: `Raise ${raised}, or shorten what it waits for; retry once, and then return a partial result or a message that it took too long.`,
    rationale: 'The call did not finish in time; a limited wait with a retry keeps the run going.',
  });
  return {
    action: `Raise ${raised}, or shorten ${waited?.text ?? 'what it waits for'} (${quoteOf(failure)}); ${lowerFirst(retry.clause)}.${retry.note}`,
    fixes: retry.fixes,
  };
}

/** A call that is retried already: only its time limit and its work can change. */
function limitRemedy(call: FailedCall, raised: string, waited: string | null, known: KnownRetry): Remedy {
  const { name } = call.failure;
  const shown = knownRetryText(call, known);
  const action = `Raise ${raised}, or shorten ${waited ?? 'what it waits for'} (${quoteOf(call.failure)}). ${shown}`;
  const fix = fixOf(name, {
    fixType: 'config_change',
    title: `Give ${name} a time limit that fits its work`,
    description: `Raise ${raised}, or shorten what it waits for; after the last attempt, return a partial result or a message that it took too long.`,
    rationale: `${shown} Another attempt with the same limit ends in the same way if the work is longer than the limit.`,
    change: `time limit of ${name}: longer than its work`,
  });
  return { action, fixes: [fix] };
}

/** A pause in the settings of a step is longer than the time limit of the run. */
function pauseRemedy(name: string, waited: Waited, limit: string, pause: string): Remedy {
  const place = `${waited.name}${waited.step === null ? '' : ` (step ${waited.step})`}`;
  const action = `Let ${place} pause for less than ${limit}, or raise the time limit of ${name} well above ${pause}.`;
  const fix = fixOf(waited.name, {
    fixType: 'config_change',
    title: `Make the pause of ${waited.name} fit into the time limit of ${name}`,
    description: action,
    rationale: `The pause of ${pause} does not fit into the limit of ${limit}, so every run that reaches it ends there.`,
    change: `a pause below ${limit}; or, in the settings of ${name}, a time limit well above ${pause}`,
  });
  return { action, fixes: [fix] };
}

/** A workflow that its own time limit ended: the step that it waited for, and the limit. */
function stepRemedy(
  { name }: Failure,
  waited: { name: string; text: string } | null,
  limit: string | null,
  raised: string,
): Remedy {
  const action = `Shorten ${waited?.text ?? 'what it waits for'}, or raise ${raised}.`;
  if (waited === null) {
    const fix = fixOf(name, {
      fixType: 'config_change',
      title: `Shorten what ${name} waits for, or raise its time limit`,
      description: action,
      rationale: 'A second attempt with the same limit ends in the same way if the work is longer than the limit.',
      change: limit === null ? `time limit of ${name}: longer than its work` : `time limit of ${name}: above ${limit}`,
    });
    return { action, fixes: [fix] };
  }
  const named = limit === null ? `the time limit of ${name}` : `the limit of ${limit} of ${name}`;
  const fix = fixOf(waited.name, {
    fixType: 'config_change',
    title: `Give ${waited.name} a time limit of its own, below that of ${name}`,
    description: `${unfinished(waited)} when ${named} ended the run. Shorten ${waited.name} by a limit of its own, with a path for the case that it is reached, or raise ${named}.`,
    rationale: 'The limit of the whole run leaves no step that could handle the timeout.',
    change: `a time limit below ${limit ?? `that of ${name}`}, and a path for the timeout`,
  });
  return { action, fixes: [fix] };
}

/** The beginning of a sentence; an inserted clause is closed with a comma. */
function unfinished({ text }: { text: string }): string {
  return `${text}${text.includes(', the last') ? ',' : ''} had not finished`;
}

function lowerFirst(text: string): string {
  return `${text[0]!.toLowerCase()}${text.slice(1)}`;
}
