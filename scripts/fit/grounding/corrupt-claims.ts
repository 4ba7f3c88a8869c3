import { splitSentences } from '../../../src/detectors/_readings/support/sentences.ts';
import { type Token, tokenize } from '../../../src/detectors/_readings/support/tokens.ts';
import { seededRandom } from '../seeded-random.ts';
import type { TextPair } from './text-pairs.ts';

/** Synthetic claims per training set: half are copies with some words removed, half have one change as well. */
const CLAIMS_PER_SET = 700;
const DROPPED_WORDS = 0.12;
const OWN_TEXT = 0.6;

type Draw = <Item>(items: readonly Item[]) => Item;

interface Claim {
  text: string;
  tokens: Token[];
  content: Token[];
  /** Sentences of the same source. */
  sentences: string[];
  /** Words of another record's source. */
  otherWords: Token[];
}

/**
 * Claims with one injected fault, and the same claims without it, made from the sources and supported texts of the records:
 * human labels contain few subtle faults, and a model without such examples only uses rare words.
 * Every claim keeps the group of its record.
 */
export function corruptClaims(pairs: readonly TextPair[], seed = 7): TextPair[] {
  const sets = [...new Set(pairs.map(({ set }) => set))].sort();
  return sets.flatMap((set) =>
    claimsOf(
      pairs.filter((pair) => pair.set === set),
      seed,
    ),
  );
}

function claimsOf(pairs: readonly TextPair[], seed: number): TextPair[] {
  const random = seededRandom(seed);
  const draw: Draw = (items) => items[Math.floor(random() * items.length)]!;
  const dropWords = (text: string) =>
    text
      .split(' ')
      .filter(() => random() > DROPPED_WORDS)
      .join(' ');
  const claims: TextPair[] = [];
  for (let count = 0; count < CLAIMS_PER_SET; count += 1) {
    const pair = draw(pairs);
    const claim = claimFrom(pair, draw(pairs), random() < OWN_TEXT, draw);
    if (claim === null) continue;
    const put = (text: string, label: 0 | 1) =>
      claims.push({ ...pair, id: `${pair.id}#${claims.length}`, text: dropWords(text), label });
    put(claim.text, 0);
    const corrupted = draw(corruptionsOf(claim))(claim, draw, random);
    if (corrupted !== null && corrupted !== claim.text) put(corrupted, 1);
  }
  return claims;
}

function claimFrom(pair: TextPair, other: TextPair, isOwnText: boolean, draw: Draw): Claim | null {
  const sentences = splitSentences(pair.sources.join('\n'))
    .map(({ text }) => text)
    .filter(isClaim);
  if (sentences.length === 0) return null;
  const text = pair.label === 0 && isOwnText ? pair.text : draw(sentences);
  const tokens = tokenize(text);
  const otherWords = tokenize(other.sources.join(' ')).filter(({ isStop }) => !isStop);
  return { text, tokens, content: tokens.filter(isContentWord), sentences, otherWords };
}

function isClaim(sentence: string): boolean {
  const content = tokenize(sentence).filter(({ isStop }) => !isStop);
  return content.length >= 5 && content.length < 40;
}

function isContentWord({ isStop, number }: Token): boolean {
  return !isStop && number === null;
}

type Corruption = (claim: Claim, draw: Draw, random: () => number) => string | null;

function corruptionsOf({ tokens }: Claim): Corruption[] {
  const hasNumber = tokens.some(({ number }) => number !== null);
  return [
    wordOfOwnSource,
    wordOfOtherSource,
    swappedWords,
    crossedSentences,
    negated,
    ...(hasNumber ? [otherNumber, otherNumber] : []),
  ];
}

const otherNumber: Corruption = ({ text, tokens }, draw, random) => {
  const token = draw(tokens.filter(({ number }) => number !== null));
  return replaced(text, token, String(Math.round(token.number! * (0.5 + random())) + 1));
};

const wordOfOwnSource: Corruption = ({ text, content, sentences }, draw) => {
  const other = draw(tokenize(draw(sentences)).filter(({ isStop }) => !isStop));
  return replacedWord(text, draw(content), other);
};

const wordOfOtherSource: Corruption = ({ text, content, otherWords }, draw) =>
  replacedWord(text, draw(content), draw(otherWords));

const swappedWords: Corruption = ({ text, content }, draw) => {
  if (content.length < 3) return null;
  const [a, b] = [draw(content), draw(content)];
  if (a.end >= b.start || a.key === b.key) return null;
  return `${text.slice(0, a.start)}${b.raw}${text.slice(a.end, b.start)}${a.raw}${text.slice(b.end)}`;
};

/** The beginning of one sentence and the end of another. */
const crossedSentences: Corruption = ({ text, sentences }, draw) => {
  const other = draw(sentences);
  if (other === text) return null;
  const [head, tail] = [text.split(' '), other.split(' ')];
  return [...head.slice(0, Math.ceil(head.length / 2)), ...tail.slice(Math.floor(tail.length / 2))].join(' ');
};

const negated: Corruption = ({ text }) => {
  const verb = /\b(?:is|was|are|were|has|have|can|will|did)\b/.exec(text);
  if (verb === null) return null;
  const at = verb.index + verb[0].length;
  return `${text.slice(0, at)} not${text.slice(at)}`;
};

function replacedWord(text: string, token: Token | undefined, other: Token | undefined): string | null {
  return token === undefined || other === undefined || token.key === other.key
    ? null
    : replaced(text, token, other.raw);
}

function replaced(text: string, { start, end }: Token, instead: string): string {
  return `${text.slice(0, start)}${instead}${text.slice(end)}`;
}
