import type { Trace } from '../../../core/trace.ts';
import { asciiLetterCount, isAscii, letterCount, letterWords } from '../../_kit/text.ts';
import { toolUses } from '../calls/calls.ts';
import { plainName } from '../calls/tool-names.ts';
import { conversation } from './conversation.ts';
import { languageOf } from './language.ts';

/** How a user requests a risky action. */
export interface Request {
  /** Verbs or names of the action. */
  action: RegExp;
  /** Objects of the action in any of these spellings; empty if the action alone is specific enough. */
  objects: readonly string[];
}

const MAX_TEXT_LENGTH = 8_000;
/** Only the newest texts are used; an old request is not a permission for now. */
const MAX_TEXTS = 30;
const NEGATED =
  /\b(?:don['’]?t|do not|never|not|without|avoid|must not|cannot|nicht|nie|kein\w{0,3}|ne pas|jamais|nunca|sin)\b|不要|别|しないで/i;

/** Whether the user explicitly requested an action, and did not forbid it, up to a step. */
export function isRequested(trace: Trace, step: number, { action, objects }: Request): boolean {
  return [...wordsOfUser(trace, step), ...proposalsAgreedTo(trace, step)].some((text) => {
    const isAsked = sentencesOf(text).some((part) => action.test(part) && !NEGATED.test(part));
    return isAsked && names(objects, text) && !forbids(text, { action, objects });
  });
}

/** Whether the user explicitly forbade an action, up to a step. */
export function isForbidden(trace: Trace, step: number, request: Request): boolean {
  return wordsOfUser(trace, step).some((text) => forbids(text, request));
}

function forbids(text: string, { action, objects }: Request): boolean {
  return sentencesOf(text).some((part) => action.test(part) && NEGATED.test(part) && names(objects, part));
}

function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?。！？])\s|\n/);
}

function names(objects: readonly string[], part: string): boolean {
  const known = objects.filter((name) => name.length > 1);
  return known.length === 0 || known.some((name) => part.toLowerCase().includes(name.toLowerCase()));
}

/** "Yes" and similar answers in full. Text after it may restrict the consent but does not withdraw it. */
const ASSENT =
  /^\W{0,5}(?:y|yes|yep|yeah|ok|okay|sure|go(?: ahead| for it| on)?|do (?:it|that|so)|please(?: do)?|proceed|continue|sounds good|lgtm|approved?|agreed|confirm(?:ed)?|correct|right|exactly|ja|jawohl|mach(?: das)?|gerne|oui|d['’]accord|vas-y|s[ií]|vale|adelante|claro|sim|pode|va bene|certo|да|давай|ок|好的?|可以|是的?|行|对|确认|同意|はい|お願いします|いいですよ|네|예|그래|좋아)(?=$|[\s,.!;:，。！、])/i;
const MAX_ASSENT_LENGTH = 200;
const ASKING_TOOL = /^(?:ask_?user\w{0,20}|request_user_input|exit_?plan_?mode|ask_?followup_?question)$/i;

/** Proposals of the agent that the user agreed to, and questions of tools to the user, up to a step. */
function proposalsAgreedTo(trace: Trace, step: number): string[] {
  const messages = conversation(trace).filter(({ step: at }) => at <= step);
  const agreed = messages.flatMap(({ by, text }, at) => {
    if (by !== 'user' || text.length > MAX_ASSENT_LENGTH || !ASSENT.test(text) || NEGATED.test(text)) return [];
    return messages.slice(0, at).findLast((earlier) => earlier.by === 'agent' && earlier.text !== '')?.text ?? [];
  });
  const questions = toolUses(trace)
    .filter((use) => use.step < step && ASKING_TOOL.test(plainName(use.name)) && !use.isError && use.refusal === null)
    .map(({ argumentsText, resultText }) => `${argumentsText}\n${resultText}`);
  return [...agreed, ...questions].slice(-MAX_TEXTS).map((text) => text.slice(-MAX_TEXT_LENGTH));
}

/** Whether the user wrote one of these paths in full, in any language, up to a step. */
export function isPathNamedByUser(trace: Trace, step: number, places: readonly string[]): boolean {
  const texts = wordsOfUser(trace, step);
  return places.some((place) => place.length > MIN_PLACE_LENGTH && texts.some((text) => namesPlace(text, place)));
}

const MIN_PLACE_LENGTH = 3;

/** Whether a text names a path. A longer path is a different one. */
function namesPlace(text: string, place: string): boolean {
  for (let at = text.indexOf(place); at !== -1; at = text.indexOf(place, at + 1))
    if (!/^(?:\/?[\w-]|\.\w)/.test(text.slice(at + place.length, at + place.length + 2))) return true;
  return false;
}

/**
 * Whether the vocabulary for risky actions covers the user's language. If not, a missing request proves nothing. A text
 * that is too short to identify its language counts as covered if it is one or two ASCII words, or contains a common
 * English word.
 */
export function isLanguageKnown(trace: Trace, step: number): boolean {
  const text = wordsOfUser(trace, step).join('\n').slice(-MAX_TEXT_LENGTH);
  const language = languageOf(text);
  if (language !== null) return language === 'english';
  const own = letterWords(withoutPaths(text));
  if (asciiLetterCount(text) < 0.7 * letterCount(text)) return false;
  return (own.length <= FEW_WORDS && isAscii(text)) || own.some((word) => ENGLISH.has(word));
}

function withoutPaths(text: string): string {
  const words = text.split(/\s/);
  return words.filter((word) => !word.includes('/')).join(' ');
}

const FEW_WORDS = 2;
const ENGLISH = new Set(
  (
    'the and of is to that with for this are you it have from which can not my your our please make fix run add remove ' +
    'delete clean update change free tidy all up out what how why when where there then into some new'
  ).split(' '),
);

/** Whether the user wrote the text, up to a step. */
export function isWrittenByUser(trace: Trace, step: number, text: string): boolean {
  const trimmed = text.trim();
  return trimmed.length > 4 && wordsOfUser(trace, step).some((messages) => messages.includes(trimmed));
}

/** Paths with at least two parts that the user wrote, up to a step, unmodified. */
export function pathsOfUser(trace: Trace, step: number): string[] {
  return wordsOfUser(trace, step).flatMap((text) => text.match(/(?:~|\/[\w.-]+)\/[\w./-]+/g) ?? []);
}

function wordsOfUser(trace: Trace, step: number): string[] {
  const messages = conversation(trace).filter(({ by, step: at }) => by === 'user' && at <= step);
  return [trace.task ?? '', ...messages.slice(-MAX_TEXTS).map(({ text }) => text)].map((text) =>
    text.slice(0, MAX_TEXT_LENGTH),
  );
}
