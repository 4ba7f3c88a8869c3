import { fromWord } from '../_kit/text.ts';

/** A rule about the answer that its task states explicitly. */
export type Constraint =
  | { kind: 'length'; unit: 'words' | 'characters' | 'sentences'; limit: number; quote: string }
  | { kind: 'language'; language: string; quote: string }
  | { kind: 'forbidden_word'; word: string; quote: string }
  | { kind: 'forbidden_tool'; name: string; quote: string };

const LENGTH =
  /\b(?:in|under|within|at most|no more than|max|maximum|maximum of|fewer than|less than|up to|exceed|limited to) (\d{1,5}|one|two|three|four|five|ten) (words?|characters?|sentences?)\b/giu;
/** A cheap test: false for a text without a limit. */
const LENGTH_UNIT = /word|character|sentence/iu;
const IS_ABOUT_ANSWER = /\b(?:answer|respond|reply|response|summar\w{1,8}|explain|describe|write|keep|limit)\b/iu;
const LENGTH_ELSEWHERE =
  /(?:höchstens|maximal|nicht mehr als) (\d{1,5}) (Wörtern?|Zeichen|Sätzen?)|(?:máximo(?: de)?|como máximo|no más de) (\d{1,5}) (palabras|caracteres|frases)|(?:maximum|au plus|pas plus de) (\d{1,5}) (mots|caractères|phrases)|(?:不超过|最多|少于)\s{0,2}(\d{1,5})\s{0,2}(?:个)?(字)|(\d{1,5})(文字)以内/giu;
const NUMBERS: Record<string, number> = { one: 1, two: 2, three: 3, four: 4, five: 5, ten: 10 };

const LANGUAGE =
  /\b(?:answer|respond|reply|response|write (?:it|your \w{1,12}|the (?:answer|reply|summary))|translate(?: \w{1,12}){0,6}|speak)\b[^.!?\n"]{0,40}\b(?:in|into|to|only) (English|German|French|Spanish|Italian|Portuguese|Dutch|Chinese|Japanese|Korean|Russian|Arabic|Hindi|Greek|Hebrew|Thai)\b/giu;
const FORBIDDEN_WORD =
  /\b(?:do not|don['’]t|never|without|avoid) (?:use|using|mention|mentioning|include|including|write|writing|say|saying) (?:the )?(?:word|words|term|phrase|expression)s? ["“'‘«]([^"”'’»\n]{2,40})["”'’»]/giu;
const FORBIDDEN_TOOL =
  /\b(?:do not|don['’]t|never|without) (?:use|using|call|calling|invoke|run|running) (?:the )?[`"'“]?([A-Za-z][\w-]{2,60})[`"'”]?/giu;
/** In a longer text, a phrase in passing is not an instruction to the reader of the whole text. */
const MAX_TASK_LENGTH = 6000;

export function constraintsIn(task: string, tools: ReadonlySet<string>): Constraint[] {
  const text = task.slice(0, MAX_TASK_LENGTH);
  return [
    ...(LENGTH_UNIT.test(text) ? [...text.matchAll(LENGTH)] : []).flatMap(({ 0: quote, 1: count, 2: unit, index }) =>
      IS_ABOUT_ANSWER.test(sentenceBefore(text, index)) ? lengthOf(quote, count!, unit!) : [],
    ),
    ...[...text.matchAll(LENGTH_ELSEWHERE)].flatMap(([quote, ...parts]) => {
      const [count, unit] = parts.filter((part) => part !== undefined);
      return lengthOf(quote, count!, unit!);
    }),
    ...[...text.matchAll(LANGUAGE)].map(
      ([quote, language]): Constraint => ({ kind: 'language', language: language!.toLowerCase(), quote }),
    ),
    ...[...text.matchAll(FORBIDDEN_WORD)].map(
      ([quote, word]): Constraint => ({ kind: 'forbidden_word', word: word!, quote }),
    ),
    ...[...text.matchAll(FORBIDDEN_TOOL)].flatMap(([quote, name]): Constraint[] =>
      tools.has(name!) && !isConditional(text, quote) ? [{ kind: 'forbidden_tool', name: name!, quote }] : [],
    ),
  ];
}

/** The part of the sentence before this place, up to eighty characters. */
function sentenceBefore(text: string, at: number): string {
  return fromWord(text.slice(0, at), at - 80)
    .split(/[.!?\n]/)
    .at(-1)!;
}

function lengthOf(quote: string, count: string, unit: string): Constraint[] {
  const limit = NUMBERS[count.toLowerCase()] ?? Number(count);
  const name = unit.toLowerCase();
  const isCharacters = /^(?:character|zeichen|caract|字|文字)/.test(name);
  const isSentences = /^(?:sentence|sätze|satz|frase|phrase)/.test(name);
  return [{ kind: 'length', unit: isCharacters ? 'characters' : isSentences ? 'sentences' : 'words', limit, quote }];
}

/** "do not use X unless …" and "without using X first" only forbid a part. */
function isConditional(text: string, quote: string): boolean {
  const after = text.slice(text.indexOf(quote) + quote.length, text.indexOf(quote) + quote.length + 80);
  return /^[^.!?\n]{0,80}\b(?:unless|until|before|more than|twice|first|except|again|if|when|for|to)\b/i.test(after);
}
