import type { Step, Trace } from '../../core/trace.ts';
import { wordOverlap, words } from '../_kit/text.ts';
import { emailsIn } from '../_readings/support/emails.ts';
import { conversationOf, type Line, questionsIn } from './conversation.ts';

/** The agent asked for a detail that the user had already given. */
export interface RepeatedInquiry {
  what: string;
  given: Step;
  repeated: Step;
  /** The detail as the user wrote it. */
  value: string;
  question: string;
}

interface Detail {
  what: string;
  /** Finds the detail in a user message. */
  valueIn: (text: string) => string | undefined;
  /** How agents ask for the detail. */
  name: RegExp;
}

const firstMatch = (pattern: RegExp) => (text: string) => pattern.exec(text)?.[0];

const DETAILS: readonly Detail[] = [
  { what: 'e-mail address', valueIn: (text) => emailsIn(text)[0], name: /\be-?mail(?: address)?\b/i },
  {
    what: 'zip code',
    valueIn: firstMatch(/\b(?:zip|postal)(?: code)?(?: is|:)? ?\d{5}\b/i),
    name: /\b(?:zip|postal) ?code\b/i,
  },
  {
    what: 'order number',
    valueIn: firstMatch(/#[A-Z]?\d{5,12}\b|\border (?:number |id |no\. )?(?:is )?#?[A-Z]?\d{5,12}\b/i),
    name: /\border (?:number|id)\b/i,
  },
  {
    what: 'phone number',
    valueIn: firstMatch(/\+\d{1,3}[ -]\(?\d{3}\)?[ -]\d{3}[ -]?\d{4}\b|\b\d{3}-\d{3}-\d{4}\b/),
    name: /\b(?:phone|telephone|mobile) number\b/i,
  },
  {
    what: 'user id',
    valueIn: firstMatch(/\buser ?id(?: is|:)? ?[a-z]{1,30}_[a-z]{1,30}_\d{3,5}\b/i),
    name: /\buser ?id\b/i,
  },
  {
    what: 'reservation number',
    valueIn: firstMatch(/\breservation (?:id|number|code)(?: is|:)? ?[A-Z0-9]{6}\b/),
    name: /\b(?:reservation|booking) (?:id|number|code)\b/i,
  },
];

/** A word from each of the patterns above, as a cheap filter. */
const ANY_NAME = /mail|code|number|\bid\b|userid/i;

const ASKS =
  /\b(?:provide|share|give me|tell me|send me|what(?:'s| is)|may i have|could i have|can i have|i(?:'ll)? need)\b/i;
/** Asking for another value, a correction or a confirmation is not neglect. */
const EXCUSES =
  /\b(?:another|different|new|other|alternative|correct|confirm|double|verify|unable|could ?n.t|not find|no .{0,20}found|incorrect|invalid|instead|if you|or)\b/i;

/** Details that the agent first asked for after the user had given them, without duplicates. */
export function findRepeatedInquiry(trace: Trace): RepeatedInquiry[] {
  const lines = conversationOf(trace);
  if (!lines.some(({ isUser }) => isUser)) return [];
  // User messages can be long, and few agents ask; the cheaper side is tested first.
  const asking = lines.filter(({ isUser, text }) => !isUser && ANY_NAME.test(text));
  if (asking.length === 0) return [];
  return DETAILS.filter(({ name }) => asking.some(({ text }) => name.test(text))).flatMap((detail) => {
    const found = repeatedInquiry(lines, detail);
    return found === null ? [] : [found];
  });
}

function repeatedInquiry(lines: readonly Line[], { what, valueIn, name }: Detail): RepeatedInquiry | null {
  let given: { step: Step; value: string } | null = null;
  for (const { step, isUser, text } of lines) {
    if (isUser) {
      const value: string | undefined = given === null ? valueIn(text) : undefined;
      if (value !== undefined) given = { step, value };
      continue;
    }
    const question = given === null ? undefined : requestsIn(text).find((request) => name.test(request));
    if (given === null || question === undefined || text.includes(given.value) || EXCUSES.test(text)) continue;
    return { what, given: given.step, repeated: step, value: given.value, question };
  }
  return null;
}

function requestsIn(text: string): string[] {
  return text.split(/(?<=[.!?])\s|\n/).filter((sentence) => ASKS.test(sentence));
}

/** A question that the agent asked twice although the user had answered it. */
export interface RepeatedQuestion {
  first: Step;
  second: Step;
  question: string;
}

const MIN_QUESTION_OVERLAP = 0.85;
const MIN_WORDS = 7;
/** Routine questions of service conversations: asked after each task, or before each change. */
const ROUTINE =
  /\b(?:anything else|something else|help|assist|confirm|proceed|would you like|do you want|shall i|should i|is (?:this|that|everything) (?:ok|correct|right)|go ahead|any other|further|instead|yes|again|another|after you|once you)\b/i;

export function findRepeatedQuestion(trace: Trace): RepeatedQuestion | null {
  const repeated: { step: Step; line: number; words: Set<string> }[] = [];
  const lines = conversationOf(trace);
  if (lines.filter(({ isUser }) => isUser).length < 2) return null;
  for (const [line, { step, isUser, text }] of lines.entries()) {
    if (isUser) continue;
    for (const question of questionsIn(text.slice(-CLOSING_CHARACTERS)).filter((one) => !ROUTINE.test(one))) {
      const own = new Set(words(question));
      if (own.size < MIN_WORDS) continue;
      const before = repeated.find((one) => one.line < line && wordOverlap(one.words, own) >= MIN_QUESTION_OVERLAP);
      if (before !== undefined && isAnswered(lines.slice(before.line + 1, line)))
        return { first: before.step, second: step, question };
      repeated.push({ step, line, words: own });
    }
  }
  return null;
}

/** The closing part of a message. A question to the user is at the end; earlier ones may be the agent's own thoughts. */
const CLOSING_CHARACTERS = 400;

function isAnswered(between: readonly Line[]): boolean {
  return between.some(({ isUser, text }) => isUser && !text.includes('?') && words(text).length >= 2);
}
