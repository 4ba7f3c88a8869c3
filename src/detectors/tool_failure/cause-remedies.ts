import type { Fix } from '../../core/detection.ts';
import { capitalized } from '../_kit/text.ts';
import type { FailureClass } from '../_readings/calls/failure-cause.ts';
import { isBare } from '../_readings/conduct/answer-line.ts';
import { adviceAt, type CallAdvice } from '../_readings/conduct/call-advice.ts';
import { addressCheck, addressIn, isMisaddressed, unreachedText } from './address.ts';
import { clientErrorRemedy, codeRemedy } from './code-remedies.ts';
import { areConcurrent, callsOf, type FailedCall, lineOf, placeOf, quoteOf } from './failed-call.ts';
import { startedRun } from './failed-run-text.ts';
import type { Failure } from './failure.ts';
import { handlingFix } from './handling-fix.ts';
import { missingValueRemedy } from './missing-value.ts';
import { RETRIES, reasonRemedy } from './reason-remedies.ts';
import { recordRemedy } from './record-remedy.ts';
import { fixOf, type Remedy } from './remedy.ts';
import { refusalRemedy } from './report-remedies.ts';
import { retryOf } from './retry.ts';
import { schemaFix, schemaPatch } from './schema-patch.ts';
import { timeoutRemedy } from './timeout-remedy.ts';

/** What to change about the cause of a failure, from the error message and the trace. */
export function causeRemedy(call: FailedCall): Remedy {
  const { failure } = call;
  const isKnown = lineOf(failure) !== '' || failure.reason !== null || BY_CODE.has(failure.class);
  const remedy = isKnown ? knownRemedy(call) : null;
  if (lineOf(failure) !== '') return remedy!;
  const record = recordRemedy(call);
  return remedy === null
    ? record
    : { action: `${remedy.action} ${record.action}`, fixes: [...remedy.fixes, ...record.fixes] };
}

function knownRemedy(call: FailedCall): Remedy {
  const reason = isSpecific(call) ? null : reasonRemedy(call);
  return reason ?? REMEDIES[call.failure.class](call);
}

/** Classes whose errors the arguments of the call may have caused. */
const ABOUT_REQUEST: ReadonlySet<FailureClass> = new Set(['not_found', 'invalid_arguments', 'other']);

/** Whether the call shows more about the cause than the words of the error: an argument, a program or code that it passed. */
function isSpecific(call: FailedCall): boolean {
  if (!ABOUT_REQUEST.has(call.failure.class)) return false;
  const { obstacle } = adviceOn(call) ?? {};
  if (obstacle === undefined) return false;
  return obstacle.kind !== 'failure' || (obstacle.part !== 'lookup' && obstacle.part !== 'unknown');
}

/** Classes whose remedy a code such as 429 decides without a message. */
const BY_CODE: ReadonlySet<FailureClass> = new Set(['rate_limit']);

const REMEDIES: Readonly<Record<FailureClass, (call: FailedCall) => Remedy>> = {
  rate_limit(call) {
    const { name } = call.failure;
    const calls = callsOf(call);
    const retry = retryOf(call, {
      retries: RETRIES,
      timeoutSeconds: 60,
      on: 'retry on 429',
      title: `Retry ${name} with growing pauses`,
      description: `Wait as long as Retry-After says before the next call of ${name}, and retry at most ${RETRIES} times with exponential backoff${areConcurrent(calls) ? '; limit concurrent calls' : ''}.${calls.length === 1 ? ` The trace contains a single call of ${name}: if the retries fail, check the quota behind it.` : ''}`,
      rationale: 'The service refused the call because of load or a used-up quota; a pause resolves the former.',
    });
    const quota = calls.length === 1 ? 'check the quota behind it' : 'raise the quota behind it';
    return { action: `${retry.clause}, or ${quota}.${retry.note}`, fixes: retry.fixes };
  },
  auth: ({ failure }) => ({
    action: `Renew the credential that ${failure.name} uses, or give it the permission that ${quoteOf(failure)} requires.`,
    fixes: [
      fixOf(failure.name, {
        fixType: 'credential_change',
        title: `Renew the credential of ${failure.name}`,
        description: `Check the key or token that ${failure.name} uses: it must be set in this environment, not expired, and allowed to do this.`,
        rationale: 'Neither a retry nor a better prompt helps when the credential is refused.',
        change: 'Set a valid credential with the permission this call needs, and fail at start-up without it.',
      }),
    ],
  }),
  not_found: (call) => {
    const { failure } = call;
    const advice = adviceOn(call);
    if (advice !== null) return { action: advice.action, fixes: [advice.fix, ...nearestNames(failure, advice)] };
    if (failure.what === 'model')
      return {
        action: `Check the name of the model and the address in the client that calls ${failure.name}: ${quoteOf(failure)}.`,
        fixes: [
          fixOf(failure.name, {
            fixType: 'config_change',
            title: `Correct what the client of ${failure.name} requests`,
            description: `Compare the name of the model and the address in the client with those of the provider, and correct the one that ${quoteOf(failure)} names.`,
            rationale: 'The provider does not know what the client requested.',
            change: 'the name of a model that the provider offers, at the address of that provider',
          }),
        ],
      };
    return {
      action: `Have ${placeOf(call)} check that the requested object exists, and handle the case that it does not: ${quoteOf(failure)}.`,
      fixes: [
        handlingFix(call, {
          title: `Check that what ${failure.name} requests exists`,
          description: `Before ${failure.name} uses the requested object, check that it exists, and give the case that it does not a path of its own.`,
          rationale: 'The step requested something that does not exist.',
        }),
      ],
    };
  },
  timeout: timeoutRemedy,
  exhaustion: ({ failure }) => ({
    action: `Send less to ${failure.name}, or raise the limit that it ran into (${quoteOf(failure)}).`,
    fixes: [
      fixOf(failure.name, {
        fixType: 'budget_limit',
        title: `Keep ${failure.name} within its limit`,
        description: `Send less to ${failure.name} or raise the limit it ran into, and check what is left before the call.`,
        rationale: 'A resource was used up, so the same request will fail again.',
        change: 'Shorten the input to the limit before the call; stop with a clear message when the quota is used up.',
      }),
    ],
  }),
  service: (call) => {
    const { failure } = call;
    const check = addressCheck(call);
    if (isMisaddressed(failure))
      return {
        action: check,
        fixes: [
          fixOf(failure.name, {
            fixType: 'config_change',
            title: `Correct the address that ${failure.name} calls, or start the service there`,
            description: check,
            rationale: 'Nothing answers at this address: a retry reaches the same place.',
            change: {
              target: `address of ${failure.name}`,
              format: 'text',
              before: addressIn(failure)!,
              after: 'an address at which the service answers',
            },
          }),
        ],
      };
    const retry = retryOf(call, {
      retries: RETRIES,
      timeoutSeconds: 30,
      on: 'retry on 5xx and connection errors',
      title: `Retry ${failure.name} and add a fallback`,
      description: `${check} Retry ${failure.name} up to ${RETRIES} times on 5xx and connection errors, then use another source or stop with a clear message.`,
      rationale: `${capitalized(unreachedText(failure))}.`,
    });
    return { action: `${check} ${retry.clause}.${retry.note}`, fixes: retry.fixes };
  },
  invalid_arguments: (call) => {
    const { trace, failure } = call;
    const advice = adviceOn(call);
    if (advice === null)
      return {
        action: `Correct the request that is sent to ${failure.name}: ${quoteOf(failure)}.`,
        fixes: [
          handlingFix(call, {
            title: `Correct the request of ${failure.name}`,
            description: `Change the request that step ${failure.step} sends, so that ${quoteOf(failure)} no longer applies, and check it before the call.`,
            rationale: 'The request was rejected because of its content.',
          }),
        ],
      };
    const isAboutArguments = ABOUT_ARGUMENTS.has(advice.obstacle.kind);
    return {
      action: advice.action,
      fixes: isAboutArguments ? [schemaFix(failure, schemaPatch(trace, failure)), advice.fix] : [advice.fix],
    };
  },
  schema_mismatch: missingValueRemedy,
  internal_error: (call) => (call.failure.what === 'model' ? clientErrorRemedy(call) : codeRemedy(call)),
  declined: refusalRemedy,
  other: otherRemedy,
};

/** A hook runs a command of the user's configuration. */
const HOOK_NAME = /(?:^|[._-])hooks?$/i;
/** Error messages of databases; 23505 and E11000 are the codes of PostgreSQL and MongoDB. */
const DUPLICATE_KEY = /duplicate key|unique constraint|\b23505\b|\bE11000\b/i;

function otherRemedy(call: FailedCall): Remedy {
  const { trace, failure } = call;
  const { name, what, step, text } = failure;
  const line = lineOf(failure);
  if (DUPLICATE_KEY.test(text.message))
    return {
      action: `Have ${name} update the existing record, or send an idempotency key: ${quoteOf(failure)}.`,
      fixes: [
        fixOf(name, {
          fixType: what === 'tool' ? 'tool_change' : 'workflow_change',
          title: `Let ${name} update a record that exists`,
          description: `Have ${name} update the existing record, or send an idempotency key with the request, so that a second write of the same record does not fail.`,
          rationale: 'The record was already stored.',
          change:
            'insert or update by the key (in SQL: INSERT … ON CONFLICT … DO UPDATE), or an Idempotency-Key per record',
        }),
      ],
    };
  const advice = adviceOn(call);
  if (advice !== null) return { action: advice.action, fixes: [advice.fix] };
  if (what === 'step' && (trace.steps[step]!.hook !== undefined || HOOK_NAME.test(name)))
    return {
      action: `Run the command that ${name} is configured with by hand, and check that it exists and prints what its caller expects: step ${step} returned ${quoteOf(failure)}.`,
      fixes: [
        fixOf(name, {
          fixType: 'config_change',
          title: `Correct the command of ${name}`,
          description: `Run the command that ${name} is configured with by hand; correct its path, its exit code or its output, or remove the hook.`,
          rationale:
            'A hook runs a command of the configuration, and this command did not return what its caller expects.',
          change: `command of ${name}: exists, exits with 0, and prints what its caller expects`,
        }),
      ],
    };
  if (what === 'step' && isBare(line.replace(CODE_PREFIX, '')))
    return {
      action: `Find the cause in the log of ${placeOf(call)} at the time of step ${step}: ${quoteOf(failure)} does not name it. Record the cause in the error message.`,
      fixes: [
        fixOf(name, {
          fixType: 'workflow_change',
          title: `Name the cause in the error of ${name}`,
          description: `Find the cause in the log of ${placeOf(call)}, and have ${name} put it into the error message.`,
          rationale: `${quoteOf(failure)} names neither a place nor a value.`,
          change: `error message of ${name}: what was called, with which input, and what it returned`,
        }),
      ],
    };
  const isHandled = trace.steps[step]!.errorFallback !== undefined;
  const correct = `Correct in ${faultPlaceOf(call)} what ${quoteOf(failure)} names`;
  const action = `${correct}${isHandled ? '' : ', and catch that error there, so that the run can continue or end with a message'}.`;
  return {
    action,
    fixes: [
      isHandled
        ? fixOf(name, {
            fixType: 'workflow_change',
            title: `Correct the failure of ${name}`,
            description: action,
            rationale: 'The workflow handled the error; its cause remains.',
            change: `${correct}.`,
          })
        : handlingFix(call, {
            title: `Handle the failure of ${name}`,
            description: `${correct}; catch this error there, and continue with a fallback or end the run with a clear message.`,
            rationale: 'The error message names what failed.',
          }),
    ],
  };
}

/** Where an error was raised: a step that started a run of another workflow only passes on its error. */
function faultPlaceOf(call: FailedCall): string {
  const run = startedRun(call.trace, call.failure);
  return run === null
    ? placeOf(call)
    : `workflow ${run.workflow}, whose execution ${run.id} ${call.failure.name} had started,`;
}

/** A code such as `hook_error:` before the message. */
const CODE_PREFIX = /^\w{1,40}: /;

/** Obstacles that a stricter schema of the tool would have prevented. */
const ABOUT_ARGUMENTS: ReadonlySet<CallAdvice['obstacle']['kind']> = new Set([
  'missing_argument',
  'wrong_argument',
  'named_argument',
]);

/** A tool whose result names nothing that exists can offer the nearest names. */
function nearestNames({ name }: Failure, { obstacle }: CallAdvice): Fix[] {
  const isLookup = obstacle.kind === 'named_argument' || (obstacle.kind === 'failure' && obstacle.part === 'lookup');
  if (!isLookup) return [];
  const fix = fixOf(name, {
    fixType: 'tool_change',
    title: `Let ${name} suggest what exists`,
    description: `When nothing matches, return the nearest existing names or ids from ${name}, so that the agent can correct itself instead of guessing.`,
    rationale: 'The agent requested something that does not exist, and the error did not say what does.',
    change: '{"error": "not found", "nearest": ["…"], "hint": "look the id up first"}',
    confidence: 0.5,
  });
  return [fix];
}

/** Advice from the call itself; null if no tool was called. */
function adviceOn({ trace, failure: { what, step } }: FailedCall): CallAdvice | null {
  return what === 'tool' ? adviceAt(trace, step) : null;
}
