import { isDecoderError, isPlaceholderError } from '../../core/decoder-error.ts';
import type { Evidence } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import { type DetectionDraft, type DetectorOptions, defineDetector } from '../_kit/define.ts';
import { withoutRepeatedTexts } from '../_kit/evidence.ts';
import { quotedError } from '../_kit/quoted-error.ts';
import { counted, cut, oneLine, stepsText } from '../_kit/text.ts';
import type { FailureClass, FailureReason } from '../_readings/calls/failure-cause.ts';
import { wasteOf } from '../_readings/calls/waste.ts';
import { loopedFailures } from '../_readings/repeats/looped-failures.ts';
import { followsJoinedText, joinedCallsOf, joinedSteps, reportedErrorsText } from './after-joined-calls.ts';
import { blockedChanges } from './blocked-change.ts';
import { blockedChangeDetection } from './blocked-change-detection.ts';
import { causeText, causeTitle } from './cause-text.ts';
import { failedResultUsed, failedResultUsedDetection } from './failed-result-used.ts';
import { failedShareText, startedRunText } from './failed-run-text.ts';
import type { Failure } from './failure.ts';
import { type FailureGroup, groupFailures } from './failures.ts';
import { guessedLookup, guessedLookupDetection } from './guessed-lookup.ts';
import { hookText } from './hook-text.ts';
import { toolFailureManifest } from './manifest.ts';
import { missingFieldsText } from './missing-fields.ts';
import { failedCodeText, isAboutData, missingValueText } from './missing-value.ts';
import { type Outcome, outcomeOf, succeedsAtAll } from './outcome.ts';
import { hasAnswerAfter, outcomeText, receivedText, stepsAfterRun } from './outcome-text.ts';
import { raisedText } from './raised-at.ts';
import { rejectedChanges } from './rejected-changes.ts';
import { rejectedChangesDetection } from './rejected-changes-detection.ts';
import { repeatedAnswer } from './rejected-message.ts';
import { adviceFor } from './remedies.ts';
import { limitOf, pauseOver } from './time-limit.ts';
import { type Waited, waitedFor } from './waited-for.ts';

/**
 * Score by outcome: the probability that the failure hurt the run. It alone determines the severity, for every failure
 * class.
 */
const OUTCOME_SCORE: Record<Outcome, number> = {
  fatal: 0.92,
  gave_up_repeating: 0.72,
  ignored: 0.66,
  item_lost: 0.66,
  act_claimed: 0.64,
  not_corrected: 0.64,
  pending: 0.45,
  unknown: 0.45,
  internal: 0.3,
  // The status of the run says the same; what failed is not known.
  status_only: 0.28,
  // A decision of the user or the caller; nothing shows a fault.
  cancelled: 0.45,
  // The error is that of the run: which step it comes from is not known.
  run_only: 0.64,
  // The workflow was configured to continue; the substituted value is the harmful part.
  replaced_by_default: 0.64,
  // The workflow was configured to continue; the failed item has no result.
  error_passed_on: 0.64,
  item_dropped: 0.66,
  taken_over: 0.44,
  worked_around: 0.45,
  reported: 0.42,
  unclear: 0.42,
  not_read: 0.42,
  recovered: 0.28,
};

type ToolFailureSubtype =
  | FailureClass
  | 'never_worked'
  | 'changes_rejected'
  | 'blocked_by_own_change'
  | 'guess_not_found'
  | 'failed_result_used';

export const toolFailure = defineDetector({
  ...toolFailureManifest,
  detect(trace, options, report) {
    const looped = loopedFailures(trace, options.thresholds);
    const used = failedResultUsed(trace);
    for (const group of groupFailures(trace, looped))
      if (!group.failures.every(({ step }) => step === used?.use.step)) report(draftOf(trace, group, options));
    for (const found of rejectedChanges(trace)) report(rejectedChangesDetection(trace, found));
    for (const found of blockedChanges(trace).slice(0, MAX_BLOCKED)) report(blockedChangeDetection(trace, found));
    const guessed = guessedLookup(trace);
    if (guessed !== null) report(guessedLookupDetection(trace, guessed));
    if (used !== null) report(failedResultUsedDetection(trace, used));
  },
});

/** The title of the subtype is a statement about the data. */
const MISSING_VALUE_TITLE = 'Code read a property of a missing value';

const MAX_BLOCKED = 5;
const MAX_QUOTED = 4;

function draftOf(trace: Trace, group: FailureGroup, { models }: DetectorOptions): DetectionDraft<ToolFailureSubtype> {
  const [first] = group.failures;
  const outcome = outcomeOf(trace, group);
  const failed = group.failures.map((failure) => failure.step);
  const hung = hungStep(trace, first);
  const causes = [...joinedSteps(trace, group), ...(hung === null ? [] : [hung])];
  const steps = causes.length === 0 ? failed : [...new Set([...failed, ...causes])].sort((a, b) => a - b);
  const times = group.failures.length === 1 ? '' : ` ${counted(group.failures.length, 'time')} (${stepsText(failed)})`;
  const { neverWorked } = group;
  const isBroken = neverWorked !== undefined;
  const isReport = trace.steps[first.step]!.kind === 'message' && joinedCallsOf(trace, group) !== null;
  const missing = missingValueText(trace, first);
  const failedText = isReport
    ? reportedErrorsText(group)
    : `${callText(trace, first)} ${missing ?? causeText(first)}${times}`;
  const title = missing === null ? causeTitle(first) : MISSING_VALUE_TITLE;
  const became = `${outcomeText(trace, group, outcome)}${receivedText(trace, group, outcome)}`;
  return {
    subtype: isBroken ? 'never_worked' : first.class,
    ...(isBroken || title === null ? {} : { title }),
    score: isBroken ? Math.max(OUTCOME_SCORE[outcome], NEVER_WORKED_SCORE) : OUTCOME_SCORE[outcome],
    // The step that did not end, and not the run whose time limit it reached.
    step: hung ?? first.step,
    steps,
    agent: first.agent,
    explanation: isBroken
      ? `All ${counted(neverWorked, 'call')} to tool ${first.name} in this run failed, the first at step ${first.step}${errorQuote(first)}${lastErrorText(group)}${missingFieldsText(trace, group.failures)} ${became}`
      : `${failedText}${errorQuote(first)}${hookText(trace, group)}${raisedText(trace, first)}${failedCodeText(trace, first)}${failedShareText(trace, group)}${startedRunText(trace, first)}${followsJoinedText(trace, group)}${everyCallText(trace, group)}${sameAnswerText(trace, group)}${waitedText(trace, first)} ${became}`,
    evidence: withoutRepeatedTexts(group.failures.map((failure) => evidenceOf(trace, failure))).slice(0, MAX_QUOTED),
    ...impactOf(trace, group, outcome),
    ...wasteOf(trace, outcome === 'recovered' ? failed.slice(1) : failed, models),
    ...adviceFor(trace, group, outcome, { isAnsweredAfter: hasAnswerAfter(trace, group.failures) }),
    key: group.key,
  };
}

function evidenceOf(trace: Trace, { step, what, text }: Failure): Evidence {
  return {
    kind: 'error',
    spanId: trace.steps[step]!.spanId,
    path: what === 'tool' ? 'tool.result' : 'error',
    quote: text.message,
    value: text.code === '' ? null : text.code,
  };
}

/** One sentence with a leading space if a model gave the same answer in every failed call. */
function sameAnswerText(trace: Trace, group: FailureGroup): string {
  const answer = repeatedAnswer(trace, group);
  return answer === null ? '' : ` Each time the model answered ${answer}.`;
}

/** One sentence with a leading space if several calls failed and none worked. */
function everyCallText(trace: Trace, { failures }: FailureGroup): string {
  const [first] = failures;
  const soFar = trace.isSettled ? '' : ' so far';
  return failures.length > 1 && !succeedsAtAll(trace, first)
    ? ` Every recorded call of ${first.name}${soFar} failed.`
    : '';
}

/** What a workflow waited for when its time limit ended it; null for other failures. */
function waitedOf(trace: Trace, failure: Failure): Waited | null {
  return failure.class === 'timeout' && failure.what === 'step' ? waitedFor(trace, failure) : null;
}

function hungStep(trace: Trace, failure: Failure): number | null {
  const waited = waitedOf(trace, failure);
  return waited?.isOpen === true ? waited.step : null;
}

/** One sentence with a leading space. */
function waitedText(trace: Trace, failure: Failure): string {
  const waited = waitedOf(trace, failure);
  if (waited === null) return '';
  const limit = limitOf(failure);
  const pause = pauseOver(waited, limit);
  if (pause === null) return ` It ended in ${waited.text}.`;
  const at = waited.step === null ? '' : ` (step ${waited.step})`;
  return ` It ended in ${waited.name}${at}, which its settings let pause for ${pause}, longer than the limit of ${limit!.text}.`;
}

/** Failures that later runs meet as well. The impact of their subtype says so. */
const PERSISTENT: ReadonlySet<FailureClass> = new Set(['auth', 'exhaustion']);

/** Limits that do not depend on the size of a run. */
const USED_UP: ReadonlySet<FailureReason | null> = new Set(['money', 'storage', 'open_files', 'connections', 'quota']);

/** Replaces the impact of the subtype if no call of the run could repeat the failed one. */
function impactOf(
  trace: Trace,
  { failures, neverWorked }: FailureGroup,
  outcome: Outcome,
): Pick<DetectionDraft<ToolFailureSubtype>, 'businessImpact'> {
  if (outcome === 'item_dropped')
    return {
      businessImpact: `The failed item is missing from the steps that follow${trace.status === 'ok' ? ', and the run is recorded as a success' : ''}.`,
    };
  if (outcome === 'cancelled')
    return { businessImpact: 'The run was stopped: what it had not done by then is missing.' };
  if (outcome === 'run_only')
    return { businessImpact: 'The run ended with this error, and no step of it records where the error comes from.' };
  if (neverWorked === undefined && USED_UP.has(failures[0].reason))
    return { businessImpact: 'Every run that needs this resource fails until it is available again.' };
  const isPersistent =
    neverWorked !== undefined || PERSISTENT.has(failures[0].class) || isAboutData(trace, failures[0]);
  if (outcome === 'fatal' && !isPersistent && stepsAfterRun(trace, failures).length === 0)
    return {
      businessImpact: isAnswerDue(trace)
        ? 'The run ended with this failure: the user got no answer.'
        : lostWorkText(trace, failures[0]),
    };
  if (failures[0].class === 'schema_mismatch' && neverWorked === undefined && !isAboutData(trace, failures[0]))
    return { businessImpact: `The work of this ${unitOf(trace, failures[0])} was not done.` };
  return failures[0].what === 'step' && ABOUT_CALLS.has(failures[0].class) && neverWorked === undefined
    ? { businessImpact: `The work of this ${unitOf(trace, failures[0])} was not done.` }
    : {};
}

/** Classes whose impact is about a call. */
const ABOUT_CALLS: ReadonlySet<FailureClass> = new Set([
  'rate_limit',
  'timeout',
  'service',
  'invalid_arguments',
  'other',
]);

/** What the failed step is: the whole run, a step of it, or a call of a tool or model. */
function unitOf(trace: Trace, { what, step }: Failure): string {
  if (what !== 'step') return 'call';
  const roots = trace.steps.filter(({ parent }) => parent === null);
  return roots.length === 1 && roots[0]!.index === step ? runWord(trace) : 'step';
}

function runWord({ framework }: Trace): string {
  return WORKFLOW_PLATFORMS.has(framework) ? 'workflow' : 'run';
}

const WORKFLOW_PLATFORMS: ReadonlySet<string> = new Set(['n8n', 'dify']);

function lostWorkText(trace: Trace, failure: Failure): string {
  const unit = unitOf(trace, failure);
  return unit === runWord(trace)
    ? `The ${unit} ended with this failure, before its work was done.`
    : `The run ended with this failure, without the work of this ${unit}.`;
}

/** Whether the run is that of a model or an agent with a task, and has no answer. */
function isAnswerDue({ task, finalOutput, steps, framework }: Trace): boolean {
  // The caller of a workflow is often a program.
  const isWorkflow = framework === 'n8n';
  const isAgent = steps.some(({ kind }) => kind === 'llm' || kind === 'agent');
  return task !== null && (finalOutput ?? '') === '' && isAgent && !isWorkflow;
}

/** A tool that never works is a fact, whatever the agent did about it. */
const NEVER_WORKED_SCORE = 0.62;

/** The beginning of a sentence: what failed, for which agent, and where. */
function callText({ steps }: Trace, { what, name, agent, step }: Failure): string {
  const by = agent === null || agent === name ? '' : ` by ${agent}`;
  if (steps[step]!.kind === 'message') return `The message of ${agent ?? name} at step ${step}`;
  if (what === 'step') return `Step ${step} (${name})${agent === null || agent === name ? '' : ` of ${agent}`}`;
  // Without a recorded model, the name is that of the span.
  const call = what === 'model' && steps[step]!.model === null ? 'model call' : `call to ${what}`;
  return `The ${call} ${name}${by} at step ${step}`;
}

/** The error of the last failure, if it differs from the first one. */
function lastErrorText({ failures }: FailureGroup): string {
  const [first] = failures;
  const last = failures.at(-1)!;
  const shown = errorQuote(last);
  return shown === errorQuote(first) || !shown.startsWith(':')
    ? ''
    : ` The last one, at step ${last.step}, failed with${shown.slice(1)}`;
}

/** The end of the sentence: the error message, in quotation marks if it has the sender's words. */
function errorQuote({ text }: Failure): string {
  const { message } = text;
  const code = isPlaceholderError(text.code) ? '' : text.code;
  if (isPlaceholderError(message))
    return code === '' ? '. No error message was recorded.' : ` (${code}). No error message was recorded.`;
  if (isDecoderError(message)) return `: ${quotedError(message, 160)}.`;
  const quoted = cut(oneLine(message), 160).replace(/\.$/, '');
  return `: "${code === '' || quoted.includes(code) ? quoted : `${code}: ${quoted}`}".`;
}
