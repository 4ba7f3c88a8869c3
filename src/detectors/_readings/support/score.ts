import { linearLogit } from '../../_models/linear-model.ts';
import { featuresOf, type SentenceSupport, supportOf } from './features.ts';
import { type Idf, shippedIdf } from './idf.ts';
import { type LanguageSupport, languageSupport } from './language.ts';
import { probabilityOfLogit, shippedModel, textLogit } from './model.ts';
import { type Sentence, splitSentences } from './sentences.ts';
import { indexSources, type SourceIndex } from './source-index.ts';
import { tokenize } from './tokens.ts';

export interface GroundingScore {
  /** 0–1: probability that the sources do not support the text; 0.5 if it cannot be scored. */
  score: number;
  /** False without sources, without content, and if text and sources are in different languages. */
  isJudged: boolean;
  language: LanguageSupport;
  sentences: SentenceScore[];
}

export interface SentenceScore {
  text: string;
  /** Position in the text, in UTF-16 units. */
  start: number;
  supported: boolean;
  /** 0–1: probability that the sources do not support it. */
  score: number;
  /** Its words, names and numbers that do not occur in the sources, as written, without duplicates. */
  missing: string[];
}

const EVEN = 0.5;
const MISSING_LIMIT = 12;

/**
 * How well the sources support a text, judged by shared words, numbers and word order. It does not understand meaning:
 * paraphrases score too high and subtle changes (swapped roles, another relation) too low. Time is linear in text plus
 * sources.
 */
export function scoreGrounding(text: string, sources: readonly string[]): GroundingScore {
  return scoreAgainst(text, indexSources(sources), languageSupport(text, sources));
}

/** The same with an index that serves several texts. */
export function scoreAgainst(text: string, index: SourceIndex, language: LanguageSupport): GroundingScore {
  const supported = sentenceSupports(text, index, shippedIdf());
  const isJudged = supported.length > 0 && index.tokens.length > 0 && language !== 'mismatch';
  if (!isJudged) return { score: EVEN, isJudged, language, sentences: [] };
  const model = shippedModel();
  const support = supported.map((one) => one.support);
  const score = rounded(probabilityOfLogit(textLogit(support, model.linear), model));
  return { score, isJudged, language, sentences: supported.map(sentenceScore) };
}

interface SupportedSentence {
  sentence: Sentence;
  support: SentenceSupport;
}

/** Measurements of the sentences with content. */
export function sentenceSupports(text: string, index: SourceIndex, idf: Idf): SupportedSentence[] {
  return splitSentences(text)
    .map((sentence) => ({ sentence, support: supportOf(tokenize(sentence.text), index, idf) }))
    .filter(({ support }) => support.words.content > 0);
}

function sentenceScore({ sentence, support }: SupportedSentence): SentenceScore {
  const model = shippedModel();
  const score = rounded(probabilityOfLogit(linearLogit(model.linear, featuresOf([support])), model));
  const missing = [...new Set(support.words.missing.map(({ raw }) => raw))].slice(0, MISSING_LIMIT);
  return { text: sentence.text, start: sentence.start, supported: score < EVEN, score, missing };
}

function rounded(probability: number): number {
  return Math.round(probability * 1e4) / 1e4;
}
