import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd, recordedWord } from '../_kit/completeness.ts';
import { counted, cut, joined, oneLine, stepsText } from '../_kit/text.ts';
import { hasNoContent, onlyText } from '../_readings/calls/argument-roles.ts';
import { toolUses } from '../_readings/calls/calls.ts';
import { type Attempt, attemptsIn } from '../_readings/conduct/attempts.ts';
import { conversation } from '../_readings/conduct/conversation.ts';
import {
  type OtherRead,
  type OtherRecord,
  otherRead,
  otherRecords,
  rightRecordText,
} from '../_readings/conduct/other-record.ts';
import { changesBetween, isConstantCheck, type Probe, probes } from '../_readings/conduct/probes.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { isCertain, type OpenState, requiredStates } from '../_readings/conduct/required-states.ts';
import { type Reversal, reversalIn } from '../_readings/conduct/subject-state.ts';
import { unchangedCheckRule } from './manifest.ts';
import { openStatesAdvice, openStatesText } from './open-states.ts';
import { fieldsOf, HANDOFF_NAME, type Unaltered, unalteredFields, untriedText } from './untried-calls.ts';
import type { Verdict } from './verdict.ts';

/** A longer result of the last call is data: the call did more than hand the run over. */
const MAX_ACKNOWLEDGEMENT_LENGTH = 80;

/**
 * A check that returned the same result before and after each change, until the run was handed over. Without the handoff,
 * the result may be the desired one. A failing check is reported by `loop`.
 */
export function unchangedCheck(trace: Trace): Verdict | null {
  const attempts = attemptsIn(trace);
  const handoff = attempts.at(-1);
  if (!hasKnownEnd(trace) || handoff === undefined) return null;
  const found = probes(trace).filter(
    (probe) => isHandedOver(trace, handoff, probe) && isUnchangedCheck(trace, probe, handoff),
  );
  const [longest] = found.toSorted((a, b) => b.runs.length - a.runs.length);
  return longest === undefined ? null : verdictOf(trace, attempts, longest, handoff);
}

/**
 * Whether the run was handed over: another party than the one that made the checks ended the run with a call of a tool that
 * was not used before the last check. In a run of a single agent, the name of the call decides. The call carries at most one text, and its result is at most an acknowledgement.
 */
function isHandedOver(trace: Trace, { agent, by, step }: Attempt, { runs }: Probe): boolean {
  if (HANDOFF_NAME.test(by)) return true;
  const uses = toolUses(trace);
  const use = uses.find((one) => one.step === step);
  if (use === undefined || use.isError || use.refusal !== null || trace.status === 'error') return false;
  const isBare = hasNoContent(use.arguments) || onlyText(use.arguments) !== null;
  const isNew = uses.every((one) => one.name !== use.name || one.step > runs.at(-1)!.step);
  return (
    isBare &&
    isNew &&
    use.resultText.length <= MAX_ACKNOWLEDGEMENT_LENGTH &&
    agent !== null &&
    runs.every((one) => one.agent !== null && one.agent !== agent)
  );
}

function isUnchangedCheck(trace: Trace, probe: Probe, handoff: Attempt): boolean {
  // A failing check is reported by `loop`.
  if (probe.runs.at(-1)!.hasFailed === true) return false;
  return isConstantCheck(trace, probe, ({ by }) => by === handoff.by || HANDOFF_NAME.test(by));
}

function verdictOf(trace: Trace, attempts: readonly Attempt[], { runs, at }: Probe, handoff: Attempt): Verdict {
  const [first] = runs;
  const last = runs.at(-1)!;
  const changes = changesBetween(attempts, first, at[0]!, at.at(-1)!);
  const names = [...new Set(changes.map(({ by }) => by))];
  const tools = names.length > 3 ? `${names.slice(0, 3).join(', ')} and others` : names.join(', ');
  const who = handoff.agent ?? 'the agent';
  const other = otherRecords(trace).find(({ changedKeyAt, matchAt }) => changedKeyAt !== matchAt) ?? null;
  const states = requiredStates(trace, handoff.agent, last.by, attempts);
  const reversal = other === null ? reversalIn(attempts) : null;
  const open = states.open.filter((one) => (other === null || isCertain(one)) && one.call !== reversal?.off.by);
  const read = other === null && reversal === null ? otherRead(trace) : null;
  const clue =
    other !== null
      ? otherRecordClue(trace, other, last)
      : read !== null
        ? otherReadClue(read)
        : reversalClue(reversal, last);
  const story = `${last.by} returned the same in all ${runs.length} ${recordedWord(trace)}calls, from step ${first.step} to step ${last.step}: "${cut(last.result.trim(), 120)}". Between them the run made ${counted(changes.length, 'call')} that can change something, with ${counted(names.length, 'tool')} (${tools}). ${lastChangeText(changes)}`;
  const openText = openStatesText(trace, open, who);
  const handled = new Set([...states.settled, ...open.map(({ call }) => call)]);
  const rejection = `Reject ${handoff.by} while ${last.by} still returns the same`;
  const isExplained = clue.text + openText !== '';
  const unaltered = isExplained ? null : unalteredFields(trace, handoff.agent, changes);
  const hasCause = other !== null || open.some(isCertain) || (unaltered !== null && unaltered.tool !== null);
  const shown = other === null ? shownState(attempts, reversal, open[0], unaltered, changes[0]!.step) : null;
  const isShownBefore = unaltered !== null && shown !== null && shown.step < changes[0]!.step;
  const untried = hasCause ? '.' : untriedText(trace, attempts, last, handoff, changes, handled);
  const correction = `${clue.advice}${openStatesAdvice(open, last.by)}${unalteredAdvice(unaltered, last.by)}`;
  return {
    subtype: 'check_unchanged',
    // A changed record of something else is damage that remains after the run, and a state that all results show was in sight.
    score: other !== null || isShownBefore ? 0.9 : 0.66,
    step: other?.use.step ?? read?.use.step ?? shown?.step ?? handoff.requestedAt,
    steps: [
      last.step,
      ...runs.slice(0, -1).map(({ step }) => step),
      ...[other, read].flatMap((each) => each?.use.step ?? []),
      ...(shown === null || runs.some(({ step }) => step === shown.step) ? [] : [shown.step]),
      handoff.step,
    ],
    agent: other === null ? handoff.agent : other.use.agent,
    explanation: `${other === null ? `${clue.text}${openText}${unalteredText(unaltered, shown)}${story}` : `${clue.text}${story}${openText}`}The run ended with ${handoff.by} at step ${handoff.step}.`,
    ...(other === null ? {} : OTHER_RECORD),
    suggestedAction: `${correction}${rejection}${untried}`,
    evidence: [
      ...(shown === null || shown.step === first.step || shown.step === last.step ? [] : [shown]),
      ...[first, last].map(({ step, result }) => ({ step, quote: result.trim() })),
    ].map(({ step, quote }) => ({ kind: 'text', step, path: 'tool.result', quote })),
    ...(correction === ''
      ? {}
      : {
          causeFix: checkFix('prompt_change', {
            title: 'Correct what the results show before the run is handed over',
            target: `instructions of ${last.agent ?? handoff.agent ?? last.by}`,
            description: correction.trim(),
            after: correction.trim(),
            why: 'The results of the run show this state, and no later call corrected it.',
          }),
        }),
    fix: checkFix('workflow_change', {
      title: `End the run only if ${last.by} returns another result`,
      target: `stop condition of ${last.agent ?? handoff.agent ?? last.by}`,
      description: `Compare each result of ${last.by} with the previous one. If it is still the same after two changes, have the agent list the causes that it has not checked before it changes anything else or hands the run over.`,
      after: `if ${last.by} returns the same after two changes: list the causes that were not checked yet, check the next one`,
      why: 'Changes that do not reach the cause leave the task undone.',
    }),
    key: last.by,
    // The tool of the decisive step may be another one.
    promptRule: () => unchangedCheckRule(last.by),
  };
}

interface ShownState {
  step: number;
  /** The result from the state on. */
  quote: string;
}

/** The first result with the state that the explanation names as the cause; null if it names none. */
function shownState(
  attempts: readonly Attempt[],
  reversal: Reversal | null,
  open: OpenState | undefined,
  unaltered: Unaltered | null,
  firstChange: number,
): ShownState | null {
  if (reversal !== null) return shownAt(attempts, reversal.off.step, reversal.off.text);
  if (open !== undefined) return shownAt(attempts, open.since, open.state.text);
  if (unaltered === null) return null;
  const found = attempts.find(({ result }) => fieldsOf(result).includes(unaltered.first));
  // Without a tool for it, a state that only the changes show may say nothing about the cause.
  if (found === undefined || (unaltered.tool === null && found.step >= firstChange)) return null;
  return shownAt(attempts, found.step, unaltered.first);
}

function shownAt(attempts: readonly Attempt[], step: number, text: string): ShownState | null {
  const attempt = attempts.find((one) => one.step === step);
  if (attempt === undefined) return null;
  return { step, quote: attempt.result.slice(Math.max(0, attempt.result.indexOf(text))).trim() };
}

/** One sentence with a trailing space; empty for null. */
function unalteredText(unaltered: Unaltered | null, shown: ShownState | null): string {
  if (unaltered === null) return '';
  const since = shown === null ? '' : ` (first shown at step ${shown.step})`;
  return `The results of all changes still show ${unaltered.shown}${since}. `;
}

function unalteredAdvice(unaltered: Unaltered | null, check: string): string {
  return unaltered === null || unaltered.tool === null
    ? ''
    : `Change with ${unaltered.tool} what the results of all changes still show (${unaltered.shown}), then run ${check} again. `;
}

/** Title and impact if the run changed another record than the one that the user gave. */
const OTHER_RECORD = {
  title: 'Handed over after a change of another record than the one that the user gave',
  businessImpact: 'The record that the user gave is unchanged, another one was changed, and the problem remains.',
};

/** A mistake of the run that may be the cause. */
interface Clue {
  /** Sentences with a trailing space. */
  text: string;
  advice: string;
}

function otherRecordClue(trace: Trace, other: OtherRecord, check: Attempt): Clue {
  const { use, id, field, given, givenAt } = other;
  const undo = `Check whether the change of "${id}" has to be undone. `;
  return {
    text: `At step ${use.step}, ${use.name} changed "${id}", whose ${field} is not the one that the user gave at step ${givenAt} ("${given}"). ${givenAgainText(trace, other)}`,
    advice: `Repeat the change of step ${use.step} ${rightRecordText(other)}. Then run ${check.by} again. ${undo}`,
  };
}

function otherReadClue(read: OtherRead): Clue {
  const { use, id, field, given, givenAt, matchAt, unread } = read;
  const ids = joined(unread.map((each) => `"${each}"`));
  return {
    text: `Step ${use.step} looked up "${id}", whose ${field} is not the one that the user gave at step ${givenAt} ("${given}"). No call looked up ${unread.length === 1 ? 'the other id' : 'the other ids'} that step ${matchAt} lists (${ids}). `,
    advice: `Repeat the look-up of step ${use.step} ${rightRecordText(read)}. `,
  };
}

/** A switch that was turned off again. */
function reversalClue(reversal: Reversal | null, check: Attempt): Clue {
  if (reversal === null) return { text: '', advice: '' };
  const { on, off } = reversal;
  return {
    text: `After ${on.by} at step ${on.step} ("${on.text}"), ${off.by} at step ${off.step} returned "${off.text}". `,
    advice: `Turn on again what ${off.by} turned off at step ${off.step}, then run ${check.by} again. `,
  };
}

/** Steps at which the user gave the key again after the change. */
function givenAgainAt(trace: Trace, { use, given }: OtherRecord): number[] {
  return conversation(trace)
    .filter(({ by, step, text }) => by === 'user' && step > use.step && text.includes(given))
    .map(({ step }) => step);
}

/** Where the user gave the key again after the change, as a sentence with a trailing space. */
function givenAgainText(trace: Trace, other: OtherRecord): string {
  const steps = givenAgainAt(trace, other);
  if (steps.length === 0) return '';
  return `The user gave it again at ${stepsText(steps)}. `;
}

const CHANGE_CHARACTERS = 120;

/** The result of the last change, which may show the remaining fault. */
function lastChangeText(changes: readonly Attempt[]): string {
  const change = changes.at(-1);
  const resultLine = change === undefined ? '' : oneLine(change.result);
  return resultLine === ''
    ? ''
    : `The last of them, ${change!.by} at step ${change!.step}, returned "${cut(resultLine, CHANGE_CHARACTERS)}". `;
}
