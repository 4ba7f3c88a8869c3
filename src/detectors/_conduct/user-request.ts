import type { Trace } from '../../core/trace.ts';
import { toolUses } from '../_kit/calls.ts';
import { asciiLetterCount, letterCount } from '../_kit/text.ts';
import { languageOf } from './language.ts';
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
  return [...wordsOfUser(trace, step), ...proposalsAgreedTo(trace, step)].some((text) => {
    const sentences = text.split(/(?<=[.!?。！？])\s|\n/);
    const names = objects.filter((name) => name.length > 1);
    const isNamed = (part: string) =>
      names.length === 0 || names.some((name) => part.toLowerCase().includes(name.toLowerCase()));
    const forbids = sentences.some((part) => deed.test(part) && NEGATED.test(part) && isNamed(part));
    return !forbids && isNamed(text) && sentences.some((part) => deed.test(part) && !NEGATED.test(part));
  });
}

/** "Yes" and its like, in full: what follows may restrict it, but does not take it back. */
const ASSENT =
  /^\W{0,5}(?:y|yes|yep|yeah|ok|okay|sure|go(?: ahead| for it| on)?|do (?:it|that|so)|please(?: do)?|proceed|continue|sounds good|lgtm|approved?|agreed|confirm(?:ed)?|correct|right|exactly|ja|jawohl|mach(?: das)?|gerne|oui|d['’]accord|vas-y|s[ií]|vale|adelante|claro|sim|pode|va bene|certo|да|давай|ок|好的?|可以|是的?|行|对|确认|同意|はい|お願いします|いいですよ|네|예|그래|좋아)(?=$|[\s,.!;:，。！、])/i;
const LONGEST_ASSENT = 200;
const ASKING_TOOL = /^(?:ask_?user\w{0,20}|request_user_input|exit_?plan_?mode|ask_?followup_?question)$/i;

/** What the agent proposed and the user agreed to, and what a tool asked the user about, up to a step. */
function proposalsAgreedTo(trace: Trace, step: number): string[] {
  const said = conversation(trace).filter(({ step: at }) => at <= step);
  const agreed = said.flatMap(({ by, text }, at) => {
    if (by !== 'user' || text.length > LONGEST_ASSENT || !ASSENT.test(text) || NEGATED.test(text)) return [];
    return said.slice(0, at).findLast((earlier) => earlier.by === 'agent' && earlier.text !== '')?.text ?? [];
  });
  const asked = toolUses(trace)
    .filter((use) => use.step < step && ASKING_TOOL.test(use.name) && !use.isError && use.refusal === null)
    .map(({ argumentsText, resultText }) => `${argumentsText}\n${resultText}`);
  return [...agreed, ...asked].slice(-MOST_TEXTS).map((text) => text.slice(-LONGEST_TEXT));
}

/**
 * Whether the words for deeds cover the language the user writes in. If not, nothing says that the user did not ask. Texts
 * too short to tell count as covered unless they are in another script.
 */
export function isLanguageKnown(trace: Trace, step: number): boolean {
  const text = wordsOfUser(trace, step).join('\n').slice(-LONGEST_TEXT);
  const language = languageOf(text);
  if (language !== null) return language === 'english';
  const letters = letterCount(text);
  return letters === 0 || asciiLetterCount(text) >= 0.7 * letters;
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
