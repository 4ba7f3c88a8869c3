import { cut, oneLine } from '../../_kit/text.ts';
import type { Attempt } from './attempts.ts';

/** What a result states about a subject. */
export interface SubjectState {
  step: number;
  /** The line or field of the result that names the subject. */
  text: string;
}

/** Words of a call's name that say what is asked about the subject. */
const ASPECTS: ReadonlySet<string> = new Set(['status', 'state', 'info', 'information', 'details', 'settings']);
const MIN_WORD_LENGTH = 3;
const READ_CHARACTERS = 4_000;
const MAX_TEXT_LENGTH = 80;

/**
 * The words of a call's name after its verb, without words such as `status`: `check_oven_status` is about `oven`. Empty if
 * the name has no such word.
 */
export function subjectOf(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .slice(1)
    .filter((word) => word.length >= MIN_WORD_LENGTH && !ASPECTS.has(word));
}

/**
 * The last result that names every word of the subject in one line or field; null if no result does. Capitals, spaces
 * and hyphens are ignored.
 *
 * @param isMeant whether a line or field that names the subject counts
 */
export function lastStateOf(
  attempts: readonly Attempt[],
  subject: readonly string[],
  isMeant: (text: string) => boolean = () => true,
): SubjectState | null {
  if (subject.length === 0) return null;
  for (const { step, result } of attempts.toReversed()) {
    const part = result
      .slice(0, READ_CHARACTERS)
      .split(/^\s*[[{]/.test(result) ? /[\n,]/ : /[\n|]/)
      .find((each) => subject.every((word) => bare(each).includes(word)) && isMeant(each.trim()));
    if (part !== undefined) return { step, text: cut(oneLine(part.trim()), MAX_TEXT_LENGTH) };
  }
  return null;
}

/** The step from which on every result that names the subject states the same as `last`. */
export function stateSince(
  attempts: readonly Attempt[],
  subject: readonly string[],
  last: SubjectState,
  isMeant: (text: string) => boolean = () => true,
): number {
  let since = last.step;
  for (const attempt of attempts.toReversed()) {
    const state = attempt.step < last.step ? lastStateOf([attempt], subject, isMeant) : null;
    if (state === null) continue;
    if (stateIn(state.text) !== stateIn(last.text)) break;
    since = state.step;
  }
  return since;
}

function bare(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

const ON = /\b(?:on|enabled|activated|connected|granted|yes|true)\b/i;
const OFF = /\b(?:off|disabled|deactivated|disconnected|revoked|no|false)\b/i;

/** A call that turned something off that an earlier change by another tool had turned on. */
export interface Reversal {
  on: SubjectState & { by: string };
  off: SubjectState & { by: string };
}

/**
 * The last change of a subject in the run, if the subject is off after it and was on after a change by another tool; null
 * otherwise. What a look-up showed as on may have been turned off intentionally.
 */
export function reversalIn(attempts: readonly Attempt[]): Reversal | null {
  const changes = attempts.filter(({ isLookup, hasFailed }) => !isLookup && hasFailed !== true);
  for (const group of Map.groupBy(changes, ({ by }) => subjectOf(by).join(' ')).values()) {
    const last = group.at(-1)!;
    const other = group.findLast(({ by }) => by !== last.by);
    const off = lastStateOf([last], subjectOf(last.by));
    const on = other === undefined ? null : lastStateOf([other], subjectOf(last.by));
    if (off !== null && on !== null && matchesOnly(off.text, OFF, ON) && matchesOnly(on.text, ON, OFF))
      return { on: { ...on, by: other!.by }, off: { ...off, by: last.by } };
  }
  return null;
}

/** Whether a text states that something is on, and not that anything is off. */
export function isOn(text: string): boolean {
  return stateIn(text) === true;
}

/**
 * Whether a text states that something is on (true) or off (false); null if it states neither or both. The value after the
 * last colon counts first: `Roaming enabled: no` is off.
 */
export function stateIn(text: string): boolean | null {
  for (const part of [text.slice(text.lastIndexOf(':') + 1), text]) {
    const isStatedOn = ON.test(part);
    if (isStatedOn !== OFF.test(part)) return isStatedOn;
  }
  return null;
}

function matchesOnly(text: string, wanted: RegExp, other: RegExp): boolean {
  return wanted.test(text) && !other.test(text);
}
