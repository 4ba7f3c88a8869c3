import type { RetrievedDocument } from '../../core/trace.ts';
import { shippedIdf } from '../_readings/support/idf.ts';
import { languageSupport } from '../_readings/support/language.ts';
import { indexSources } from '../_readings/support/source-index.ts';
import { tokenize } from '../_readings/support/tokens.ts';

/** Only the beginning of longer documents is examined. */
const DOCUMENT_LIMIT = 20_000;
const MIN_QUERY_WORDS = 3;
/** Share of known four-letter runs from which a word counts as found in another form. */
const MIN_SIMILARITY = 0.5;

export interface Relevance {
  /** 0–1: idf-weighted share of the query's content words that the documents contain, as the word or another form. */
  coverage: number;
  missing: string[];
}

/** Null if wording says nothing: short queries, empty documents, other languages. */
export function relevanceOf(query: string, documents: readonly RetrievedDocument[]): Relevance | null {
  const texts = documents.map(({ content }) => content.slice(0, DOCUMENT_LIMIT));
  const content = tokenize(query).filter(({ isStop }) => !isStop);
  if (content.length < MIN_QUERY_WORDS || texts.every((text) => text.trim() === '')) return null;
  if (languageSupport(query, texts) !== 'full') return null;
  const index = indexSources(texts);
  const idf = shippedIdf();
  let [total, found] = [0, 0];
  const missing: string[] = [];
  for (const { key, raw } of content) {
    const grams = index.characters.count(raw);
    const isFound = index.ids.has(key) || grams.known / grams.all > MIN_SIMILARITY;
    total += idf(key);
    if (isFound) found += idf(key);
    else missing.push(raw);
  }
  return { coverage: found / total, missing };
}
