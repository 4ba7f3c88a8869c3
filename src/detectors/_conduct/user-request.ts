import type { Trace } from '../../core/trace.ts';
import { conversation } from './said.ts';

/** What a user asks for when a deed is wanted. */
export interface Request {
  /** Verbs or names of the deed. */
  deed: RegExp;
  /** What it is done to, in any of these spellings; empty where the deed alone says enough. */
  objects: readonly string[];
}

const LONGEST_TEXT = 8_000;
/** Of the newest; what was asked long ago is no leave for now. */
const MOST_TEXTS = 30;
const NEGATED =
  /\b(?:don['’]?t|do not|never|not|without|avoid|must not|cannot|nicht|nie|kein\w{0,3}|ne pas|jamais|nunca|sin)\b|不要|别|しないで/i;

/** Whether the user asked for a deed in so many words, and not against it, up to a step. */
export function isAskedFor(trace: Trace, step: number, { deed, objects }: Request): boolean {
  return wordsOfUser(trace, step).some((text) => {
    const sentences = text.split(/(?<=[.!?。！？])\s|\n/);
    const names = objects.filter((name) => name.length > 1);
    const isNamed = (part: string) =>
      names.length === 0 || names.some((name) => part.toLowerCase().includes(name.toLowerCase()));
    const forbids = sentences.some((part) => deed.test(part) && NEGATED.test(part) && isNamed(part));
    return !forbids && isNamed(text) && sentences.some((part) => deed.test(part) && !NEGATED.test(part));
  });
}

/** Whether the user wrote the text itself, up to a step. */
export function isWrittenByUser(trace: Trace, step: number, text: string): boolean {
  const sought = text.trim();
  return sought.length > 4 && wordsOfUser(trace, step).some((said) => said.includes(sought));
}

/** Paths of two parts or more that the user wrote, up to a step, as written. */
export function pathsOfUser(trace: Trace, step: number): string[] {
  return wordsOfUser(trace, step).flatMap((text) => text.match(/(?:~|\/[\w.-]+)\/[\w./-]+/g) ?? []);
}

function wordsOfUser(trace: Trace, step: number): string[] {
  const said = conversation(trace).filter(({ by, step: at }) => by === 'user' && at <= step);
  return [trace.task ?? '', ...said.slice(-MOST_TEXTS).map(({ text }) => text)].map((text) =>
    text.slice(0, LONGEST_TEXT),
  );
}
