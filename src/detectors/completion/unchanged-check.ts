import type { Trace } from '../../core/trace.ts';
import { counted, cut, oneLine } from '../_kit/text.ts';
import { hasNoContent, onlyText } from '../_readings/calls/argument-roles.ts';
import { isLookup, toolUses } from '../_readings/calls/calls.ts';
import { type Attempt, attemptsIn } from '../_readings/conduct/attempts.ts';
import { conversation } from '../_readings/conduct/conversation.ts';
import { namedCalls } from '../_readings/conduct/named-calls.ts';
import { type OtherRecord, otherRecords } from '../_readings/conduct/other-record.ts';
import { changesBetween, isConstant, type Probe, probes } from '../_readings/conduct/probes.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { isOn, lastStateOf, reversalIn, subjectOf } from '../_readings/conduct/subject-state.ts';
import type { Verdict } from './verdict.ts';

/** A verdict is short; a long result is data that was read again. */
const MAX_VERDICT_LENGTH = 300;
const MIN_RESULTS = 3;
/** Names of calls that hand the run over: the only evidence in a run of a single agent. */
const HANDOFF_NAME = /transfer|hand_?(?:off|over)|escalat/i;
/** A longer result of the last call is data: the call did more than hand the run over. */
const MAX_ACKNOWLEDGEMENT_LENGTH = 80;
const MAX_UNTRIED = 3;
/**
 * Largest number of attempts after the last result, apart from the handoff. A further attempt may have checked something
 * else.
 */
const MAX_ATTEMPTS_AFTER = 1;

/**
 * A check that returned the same result before and after each change, until the run was handed over. Without the handoff,
 * the result may be the desired one. A failing check is reported by `loop`.
 */
export function unchangedCheck(trace: Trace): Verdict | null {
  const attempts = attemptsIn(trace);
  const handoff = attempts.at(-1);
  if (!trace.isSettled || handoff === undefined) return null;
  const found = probes(trace).filter(
    (probe) => isHandedOver(trace, handoff, probe) && isUnchangedCheck(attempts, probe, handoff),
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

function isUnchangedCheck(attempts: readonly Attempt[], probe: Probe, handoff: Attempt): boolean {
  const { runs, at } = probe;
  const [first] = runs;
  const last = runs.at(-1)!;
  if (runs.length < MIN_RESULTS || !isConstant(probe)) return false;
  if (last.hasFailed === true || first.result.length > MAX_VERDICT_LENGTH) return false;
  const changes = at.slice(1).map((to, nth) => changesBetween(attempts, first, at[nth]!, to));
  if (changes.filter((made) => made.length > 0).length < MIN_RESULTS - 1) return false;
  // One tool on one target after the other is work on a list, and the check may report success.
  if (new Set(changes.flat().map(({ by }) => by)).size < 2) return false;
  const after = attempts.slice(at.at(-1)! + 1).filter(({ by }) => by !== handoff.by && !HANDOFF_NAME.test(by));
  return after.length <= MAX_ATTEMPTS_AFTER && after.every((one) => one.isLookup && !isOtherAnswer(one, last));
}

/** Whether the same tool returned something else at the end, with other arguments: the check was replaced. */
function isOtherAnswer(one: Attempt, last: Attempt): boolean {
  return one.by === last.by && one.answer !== last.answer;
}

function verdictOf(trace: Trace, attempts: readonly Attempt[], { runs, at }: Probe, handoff: Attempt): Verdict {
  const [first] = runs;
  const last = runs.at(-1)!;
  const changes = changesBetween(attempts, first, at[0]!, at.at(-1)!);
  const names = [...new Set(changes.map(({ by }) => by))];
  const shown = names.length > 3 ? `${names.slice(0, 3).join(', ')} and others` : names.join(', ');
  const clue = clueIn(trace, attempts, last);
  return {
    subtype: 'check_unchanged',
    score: 0.66,
    step: handoff.requestedAt,
    steps: [last.step, ...runs.slice(0, -1).map(({ step }) => step), handoff.step],
    agent: handoff.agent,
    explanation: `${clue?.isRecord === true ? clue.text : ''}${last.by} returned the same in all ${runs.length} calls, from step ${first.step} to step ${last.step}: "${cut(last.result.trim(), 120)}". Between them the run made ${counted(changes.length, 'call')} that can change something, with ${counted(names.length, 'tool')} (${shown}). ${lastChangeText(changes)}${clue?.isRecord === false ? clue.text : ''}The run ended with ${handoff.by} at step ${handoff.step}.`,
    suggestedAction: `${clue?.advice ?? ''}Reject ${handoff.by} while ${last.by} still returns the same${clue?.isRecord === true ? '.' : openPartsText(trace, attempts, last, handoff, changes)}`,
    evidence: [first, last].map(({ step, result }) => ({
      kind: 'text',
      step,
      path: 'tool.result',
      quote: result.trim(),
    })),
    fix: checkFix('workflow_change', {
      title: `End the run only if ${last.by} returns another result`,
      target: `stop condition of ${last.agent ?? handoff.agent ?? last.by}`,
      description: `Compare each result of ${last.by} with the previous one. If it is still the same after two changes, have the agent list the causes that it has not checked before it changes anything else or hands the run over.`,
      after: `if ${last.by} returns the same after two changes: list the causes that were not checked yet, check the next one`,
      why: 'Changes that do not reach the cause leave the task undone.',
    }),
    key: last.by,
  };
}

interface Clue {
  /** One sentence with a trailing space. */
  text: string;
  advice: string;
  /** Whether a wrong record was changed: other causes were not tried on the right one. */
  isRecord: boolean;
}

/** A mistake of the run that may be the cause: a change of another record, or a switch that was turned off again. */
function clueIn(trace: Trace, attempts: readonly Attempt[], check: Attempt): Clue | null {
  const other = otherRecords(trace).find(({ changedKeyAt, matchAt }) => changedKeyAt !== matchAt);
  if (other !== undefined) {
    const { use, id, field, given, givenAt } = other;
    return {
      text: `At step ${use.step}, ${use.name} changed "${id}", whose ${field} is not the one that the user gave at step ${givenAt} ("${given}"). ${givenAgainText(trace, other)}`,
      advice: `Repeat the change of step ${use.step} for the record with ${field} "${given}", then run ${check.by} again. `,
      isRecord: true,
    };
  }
  const reversal = reversalIn(attempts);
  if (reversal === null) return null;
  const { on, off } = reversal;
  return {
    text: `After ${on.by} at step ${on.step} ("${on.text}"), ${off.by} at step ${off.step} returned "${off.text}". `,
    advice: `Turn on again what ${off.by} turned off at step ${off.step}, then run ${check.by} again. `,
    isRecord: false,
  };
}

/** Where the user gave the key again after the change, as a sentence with a trailing space. */
function givenAgainText(trace: Trace, { use, given }: OtherRecord): string {
  const again = conversation(trace).filter(
    ({ by, step, text }) => by === 'user' && step > use.step && text.includes(given),
  );
  if (again.length === 0) return '';
  const steps = again.slice(0, MAX_SHOWN_STATES).map(({ step }) => step);
  return `The user gave it again at ${steps.length === 1 ? 'step' : 'steps'} ${steps.join(', ')}. `;
}

const MAX_SHOWN_STATES = 3;

/** The calls of the instructions that the run never made, with what its results state about their subjects. */
function openPartsText(
  trace: Trace,
  attempts: readonly Attempt[],
  { by }: Attempt,
  { agent }: Attempt,
  changes: readonly Attempt[],
): string {
  const who = agent ?? 'the agent';
  const parts = namedCalls(trace, agent, by)
    .filter((name) => !attempts.some((one) => one.by === name))
    .map((name) => ({ name, state: lastStateOf(attempts, subjectOf(name)) }));
  const declared = declaredChanges(
    trace,
    attempts,
    parts.map(({ name }) => name),
  );
  // A switch that is on would be turned off. A look-up would only show the known state again.
  const known = parts
    .filter(({ name, state }) => state !== null && !isLookup(name) && !isOn(state.text))
    .slice(0, MAX_SHOWN_STATES);
  const open = firstOfSubject(parts.filter(({ state }) => state === null));
  const changing = open.filter(({ name }) => !isLookup(name));
  const unknown = (changing.length + known.length + declared.length > 0 ? changing : open).slice(0, MAX_UNTRIED);
  const tools = declared.length === 0 ? '' : ` Declared tools that were never called: ${declared.join(', ')}.`;
  if (unknown.length + known.length === 0)
    return `, and have ${who} look for a cause that these changes do not reach${stillShownText(changes)}.${tools}`;
  const texts = [
    ...(unknown.length === 0
      ? []
      : [`${unknown.map(({ name }) => name).join(', ')}, about whose subject no result says anything`]),
    ...known.map(({ name, state }) => `${name} (step ${state!.step} shows "${state!.text}")`),
  ];
  return `. The instructions of ${who} name calls that this run never made: ${texts.join('; ')}.${tools}`;
}

/** Declared tools of any party that change something and that the run never called, without those in `listed`. */
function declaredChanges(
  { toolDefinitions }: Trace,
  attempts: readonly Attempt[],
  listed: readonly string[],
): readonly string[] {
  const known = new Set([...listed, ...attempts.map(({ by }) => by)]);
  return toolDefinitions
    .map(({ name }) => name)
    .filter((name) => !known.has(name) && CHANGING_NAME.test(name) && !HANDOFF_NAME.test(name))
    .slice(0, MAX_DECLARED);
}

const MAX_DECLARED = 5;
/** Verbs of tools that change a setting or a record. */
const CHANGING_NAME =
  /^(?:enable|disable|set|reset|toggle|switch|turn|connect|disconnect|activate|deactivate|resume|suspend|restart|reboot|start|stop|grant|revoke|update|change|add|remove|repair|replace|refill|refuel|apply|clear|reseat)_/i;

/** One call for each subject: the look-up, if there is one. */
function firstOfSubject<T extends { name: string }>(parts: readonly T[]): T[] {
  const groups = Map.groupBy(parts, ({ name }) => subjectOf(name).join(' '));
  return [...groups.values()].map((group) => group.find(({ name }) => isLookup(name)) ?? group[0]!);
}

const MAX_FIELDS = 4;

/** What no change altered: the lines and fields that the results of all changes share, or the last result. */
function stillShownText(changes: readonly Attempt[]): string {
  const fields = changes.map(({ result }) => new Set(fieldsOf(result)));
  const shared = [...fields[0]!]
    .filter((field) => fields.every((one) => one.has(field)) && !isOn(field))
    .slice(0, MAX_FIELDS);
  // A result of one field is an acknowledgement.
  if (changes.length > 1 && shared.length > 0 && fields.every(({ size }) => size > 1))
    return `, first in what the results of all of them still show: ${shared.map((field) => `"${cut(field, 60)}"`).join(', ')}`;
  const last = changes.at(-1)!;
  return last.result.trim() === '' ? '' : `, first in what step ${last.step} still shows`;
}

function fieldsOf(result: string): string[] {
  return result
    .slice(0, READ_CHARACTERS)
    .split(/[\n|]/)
    .map((field) => field.trim())
    .filter((field) => /\p{L}/u.test(field));
}

const READ_CHARACTERS = 4_000;
const CHANGE_CHARACTERS = 120;

/** The result of the last change, which may show the remaining fault. */
function lastChangeText(changes: readonly Attempt[]): string {
  const change = changes.at(-1);
  const resultLine = change === undefined ? '' : oneLine(change.result);
  return resultLine === ''
    ? ''
    : `The last of them, ${change!.by} at step ${change!.step}, returned "${cut(resultLine, CHANGE_CHARACTERS)}". `;
}
