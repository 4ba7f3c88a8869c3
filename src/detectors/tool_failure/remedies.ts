import type { Trace } from '../../core/trace.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import type { FailureClass, FailureReason } from '../_readings/calls/failure-cause.ts';
import { isMisaddressed } from './address.ts';
import { joinedCallsRemedy } from './after-joined-calls.ts';
import { causeRemedy } from './cause-remedies.ts';
import { equalErrorsRemedy } from './equal-errors.ts';
import { callsOf, type FailedCall } from './failed-call.ts';
import type { FailureGroup } from './failures.ts';
import { missingFieldsAdvice, passesAllLater } from './missing-fields.ts';
import { isErrorIgnored, type Outcome, succeedsAtAll } from './outcome.ts';
import { droppedItemRemedy, passedErrorRemedy } from './passed-on-remedies.ts';
import { rejectedAnswerRemedy, repeatedAnswerRemedy } from './rejected-message.ts';
import { nodeFixes, type Remedy } from './remedy.ts';
import { returnedErrorRemedy, unreportedRemedy } from './report-remedies.ts';
import { schemaFix, schemaPatch } from './schema-patch.ts';

type Advice = Pick<DetectionDraft, 'suggestedAction' | 'fixes' | 'promptRule' | 'toolNote'>;

/** The suggested action and the fixes of a detection. Both come from the same remedies, so that they agree. */
export function adviceFor(
  trace: Trace,
  group: FailureGroup,
  outcome: Outcome,
  { isAnsweredAfter }: { isAnsweredAfter: boolean },
): Advice {
  const call = callOf(trace, group, outcome);
  const cause = causeOf(call, group);
  const handling = handlingOf(call, outcome);
  const report = isUnreported(call, outcome) && isAnsweredAfter ? [unreportedRemedy(call)] : [];
  const end = isEnd(call, group, outcome) ? [returnedErrorRemedy(call)] : [];
  return {
    suggestedAction: [cause, ...handling, ...report, ...end].map(({ action }) => action).join(' '),
    // A lost item is a fault of the workflow that remains after the cause is corrected.
    fixes: [...handling, cause, ...report, ...end].flatMap(({ fixes }) => fixes).concat(errorOutputOf(call)),
    ...instructionsOf(call),
  };
}

/** The failure that the advice is about: if later calls passed what the first one lacked, another fault remains. */
function callOf(trace: Trace, { failures }: FailureGroup, outcome: Outcome): FailedCall {
  const [first] = failures;
  const isSolved = !succeedsAtAll(trace, first) && passesAllLater(trace, failures);
  return {
    trace,
    failure: isSolved ? failures.at(-1)! : first,
    isRetried: failures.length > 1 || outcome === 'recovered',
    failed: failures.map(({ step }) => step),
  };
}

function causeOf(call: FailedCall, group: FailureGroup): Remedy {
  const { trace, failure } = call;
  const { failures } = group;
  const missing = succeedsAtAll(trace, failures[0]) ? null : missingFieldsAdvice(trace, failures);
  return missing === null
    ? (joinedCallsRemedy(trace, group) ??
        equalErrorsRemedy(call, group) ??
        rejectedAnswerRemedy(call) ??
        repeatedAnswerRemedy(call, group) ??
        causeRemedy(call))
    : { action: missing.action, fixes: [schemaFix(failure, schemaPatch(trace, failure, missing.fields))] };
}

/** What to change in a workflow that continued with the failed item or without it. */
function handlingOf(call: FailedCall, outcome: Outcome): Remedy[] {
  if (outcome === 'item_dropped') return [droppedItemRemedy(call)];
  return outcome === 'error_passed_on' ? [passedErrorRemedy(call)] : [];
}

function isUnreported({ failure }: FailedCall, outcome: Outcome): boolean {
  return isErrorIgnored(outcome) && failure.what === 'tool' && failure.class !== 'declined';
}

/** Whether the error of a tool ended the run of its agent. */
function isEnd({ trace, failure }: FailedCall, { failures }: FailureGroup, outcome: Outcome): boolean {
  return (
    outcome === 'fatal' &&
    failure.what === 'tool' &&
    failure.agent !== null &&
    failures.at(-1)!.step === trace.steps.length - 1
  );
}

/** Failures that depend on the item: an error output lets the other items continue. */
const PER_ITEM: ReadonlySet<FailureClass> = new Set([
  'not_found',
  'invalid_arguments',
  'schema_mismatch',
  'internal_error',
  'other',
]);

function errorOutputOf(call: FailedCall) {
  const isHandled = call.trace.steps[call.failure.step]!.errorFallback !== undefined;
  return PER_ITEM.has(call.failure.class) && !isHandled ? nodeFixes(call, 'error_output') : [];
}

/** Reasons that no change of a call can remove. */
const AROUND_CALL: ReadonlySet<FailureReason> = new Set([
  'money',
  'storage',
  'open_files',
  'connections',
  'quota',
  'certificate',
  'tls',
  'name_resolution',
  'no_connection_in_time',
  'gateway_timeout',
  'missing_credential',
  'missing_package',
  'missing_table',
  'missing_method',
  'request_form',
  'bad_request',
  'configuration',
]);

/** Replaces the rule and the note of the subtype if they do not apply to this call. */
function instructionsOf(call: FailedCall): Pick<Advice, 'promptRule' | 'toolNote'> {
  const { failure } = call;
  // No agent calls a model or a node: an instruction changes nothing about its failure.
  if (failure.what !== 'tool') return { promptRule: null, toolNote: null };
  if (isMisaddressed(failure))
    return {
      promptRule: ({ what }) =>
        `When ${what} is unreachable, do not call it again: use another source or tell the user.`,
    };
  if (failure.reason !== null && AROUND_CALL.has(failure.reason))
    return {
      promptRule: ({ what }) =>
        `When ${what} fails because of its environment, do not call it again: use another source or tell the user.`,
      toolNote: null,
    };
  return failure.class === 'rate_limit' && callsOf(call).length === 1 ? { toolNote: null } : {};
}
