import type { Trace } from '../../../core/trace.ts';
import { cut } from '../../_kit/text.ts';
import { isLookup } from '../calls/calls.ts';
import type { Attempt } from './attempts.ts';
import { conversation } from './conversation.ts';
import { type NamedCall, namedCallSites } from './named-calls.ts';
import { lastStateOf, type SubjectState, stateIn, stateSince, subjectOf } from './subject-state.ts';

/** A state in the results of a run that the instructions of an agent name a call for. */
export interface OpenState {
  /** The call that the instructions name. */
  call: string;
  state: SubjectState;
  /** The step from which on the results show this state. */
  since: number;
  /** Arguments of the call in the instructions that the state lacks; empty for a switch. */
  missing: readonly string[];
  /** Whether the run made the call before the state. */
  isCalled: boolean;
  /** Whether the state is a field of a record: the call may change something else of the same name. */
  isField: boolean;
  /** The condition of the instructions for the call if no other call checks it; else null. */
  condition: string | null;
}

export interface RequiredStates {
  /** States that a call of the instructions would change. States with an unchecked condition come last. */
  open: readonly OpenState[];
  /** Calls of the instructions whose state is already as they require. */
  settled: ReadonlySet<string>;
}

/** Whether the state itself says that the call is due. */
export function isCertain({ condition, isField }: OpenState): boolean {
  return condition === null && !isField;
}

const MAX_CONDITION_LENGTH = 120;

/**
 * Compares the last state of each subject with what the instructions require: `toggle_fan()` "to turn it OFF", a call for
 * literal arguments, or a quoted value. Calls near the words of `near` come first.
 */
export function requiredStates(
  trace: Trace,
  agent: string | null,
  near: string,
  attempts: readonly Attempt[],
): RequiredStates {
  const calls = namedCallSites(trace, agent, near).filter(({ name }) => name !== near && !isLookup(name));
  const subjects = calls.map(({ name }) => subjectOf(name));
  const userText = conversation(trace)
    .filter(({ by }) => by === 'user')
    .map(({ text }) => text)
    .join('\n');
  const open: OpenState[] = [];
  const settled = new Set<string>();
  for (const call of calls) {
    const found = readingOf(call, attempts, subjects);
    if (found === 'settled') settled.add(call.name);
    else if (found !== null) open.push(found);
    const field = fieldReading(call, attempts, userText);
    if (field !== null) open.push(field);
  }
  return { open: [...open.filter(isCertain), ...open.filter((one) => !isCertain(one))], settled };
}

function readingOf(
  call: NamedCall,
  attempts: readonly Attempt[],
  subjects: readonly (readonly string[])[],
): OpenState | 'settled' | null {
  const { name } = call;
  // A state before the last call of the same name is outdated.
  const called = attempts.findLastIndex((one) => one.by === name && one.hasFailed !== true);
  const later = attempts.slice(Math.max(0, called));
  const base = { call: name, isCalled: called >= 0, condition: conditionOf(call), isField: false };
  const values = literalArguments(call);
  if (values.length > 0) return argumentReading(base, values, attempts);
  const quoted = quotedAfter(call);
  const shown = lastStateOf(later, subjectOf(name));
  if (shown !== null && quoted.some((value) => shown.text.toLowerCase().includes(value.toLowerCase())))
    return 'settled';
  const wanted = wantedState(call);
  if (wanted === null) return null;
  const isMeant = (text: string) =>
    stateIn(text) !== null && !FIELD.test(text) && !isAboutOther(text, subjectOf(name), subjects);
  const state = lastStateOf(later, subjectOf(name), isMeant);
  if (state === null) return null;
  return stateIn(state.text) === wanted
    ? 'settled'
    : { ...base, state, since: stateSince(attempts, subjectOf(name), state, isMeant), missing: [] };
}

/**
 * The field of the same subject in the last record with a key that the user gave, if no call of another name changed it
 * since: the call of the instructions may change the device, and another one the record.
 */
function fieldReading(call: NamedCall, attempts: readonly Attempt[], userText: string): OpenState | null {
  const wanted = wantedState(call);
  const subject = subjectOf(call.name);
  if (wanted === null || subject.length === 0) return null;
  const isMeant = (text: string) => FIELD.test(text) && stateIn(text) !== null;
  const isGiven = ({ result }: Attempt) => (result.match(KEY) ?? []).some((key) => userText.includes(key.slice(1, -1)));
  const at = attempts.findLastIndex((one) => lastStateOf([one], subject, isMeant) !== null && isGiven(one));
  const state = at < 0 ? null : lastStateOf([attempts[at]!], subject, isMeant);
  const isChanged = attempts
    .slice(at + 1)
    .some(
      (one) => !one.isLookup && one.hasFailed !== true && subject.every((word) => one.by.toLowerCase().includes(word)),
    );
  if (state === null || isChanged || stateIn(state.text) === wanted) return null;
  const since = stateSince(attempts.filter(isGiven), subject, state, isMeant);
  return { call: call.name, state, since, missing: [], isCalled: false, isField: true, condition: conditionOf(call) };
}

/** A text value of a record with digits, such as a telephone number. */
const KEY = /"[\w#+@./-]{0,40}\d{3}[\w#+@./-]{0,40}"/g;

/** `"roaming":false` */
const FIELD = /["'][^"']{1,60}["']\s{0,3}:/;

/** The last look-up that lists some of the arguments shows which are missing, unless a later call passes them. */
function argumentReading(
  base: Pick<OpenState, 'call' | 'isCalled' | 'condition' | 'isField'>,
  values: readonly string[],
  attempts: readonly Attempt[],
): OpenState | 'settled' | null {
  const has = (text: string, value: string) => text.toLowerCase().includes(value.toLowerCase());
  const subject = subjectOf(base.call);
  const at = attempts.findLastIndex(
    (one) => one.isLookup && values.some((value) => has(one.result, value)) && lastStateOf([one], subject) !== null,
  );
  if (at < 0) return null;
  const list = attempts[at]!;
  const passed = attempts.slice(at + 1).filter(({ by, hasFailed }) => by === base.call && hasFailed !== true);
  const missing = values.filter(
    (value) => !has(list.result, value) && !passed.some(({ request }) => has(request, value)),
  );
  return missing.length === 0
    ? 'settled'
    : { ...base, state: lastStateOf([list], subject)!, since: list.step, missing };
}

/** `permission="sms"` in any place of the instructions that writes out the call. */
function literalArguments({ sites }: NamedCall): string[] {
  return [
    ...new Set(sites.flatMap(({ args }) => [...args.matchAll(/=\s{0,3}["']([^"']{1,60})["']/g)].map((one) => one[1]!))),
  ];
}

/** Quoted values in the sentence after the call. */
function quotedAfter({ sites }: NamedCall): string[] {
  return sites.flatMap(({ after }) => [...after.matchAll(/"([^"]{2,60})"/g)].map((one) => one[1]!));
}

/** A state at the end of a clause: `to turn it OFF.` */
const CLAUSE_STATE =
  /\b(?:(on|enabled|activated|connected)|off|disabled|deactivated|disconnected)["'`)]{0,3}(?=\s{0,3}(?:[.,;:]|$))/i;
const ON_VERB = /^(?:enable|connect|activate|resume|unlock)_/;
const OFF_VERB = /^(?:disable|disconnect|deactivate|suspend|lock)_/;

/** The state that the instructions call for; null if they do not say or differ. */
function wantedState({ name, sites }: NamedCall): boolean | null {
  const stated = sites.flatMap(({ after }) => {
    const found = CLAUSE_STATE.exec(after);
    return found === null ? [] : [found[1] !== undefined];
  });
  if (stated.length > 0) return stated.every((one) => one === stated[0]) ? stated[0]! : null;
  if (ON_VERB.test(name)) return true;
  return OFF_VERB.test(name) ? false : null;
}

/** The clause before the call, if no other call in it checks the condition. */
function conditionOf({ sites }: NamedCall): string | null {
  const clauses = sites.map(({ before }) => before.slice(0, Math.max(0, before.lastIndexOf(','))).trim());
  if (sites.some(({ before }) => /\w\(/.test(before))) return null;
  const clause = clauses.find((each) => each !== '');
  return clause === undefined ? null : cut(clause, MAX_CONDITION_LENGTH);
}

/** Whether the last subject that a text names is that of another call: `Data roaming: no` is not about `data`. */
function isAboutOther(text: string, own: readonly string[], subjects: readonly (readonly string[])[]): boolean {
  const bare = text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const end = bare.lastIndexOf(own.at(-1)!);
  return subjects.some(
    (other) =>
      other.some((word) => !own.includes(word)) &&
      other.every((word) => bare.includes(word)) &&
      bare.lastIndexOf(other.at(-1)!) > end,
  );
}
