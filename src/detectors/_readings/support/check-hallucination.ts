import { shippedModel } from './model.ts';
import { type GroundingScore, type SentenceScore, scoreGrounding } from './score.ts';

export interface HallucinationCheck {
  /** Whether the output is more likely unsupported than supported. */
  isHallucination: boolean;
  /** 0.5–1: probability of the verdict if output and sources are comparable; 0 if they are not. */
  confidence: number;
  /** 0–1: probability that the sources support the whole output; null if they are not comparable. */
  groundingScore: number | null;
  /** Whether the score is as high as for one supported text in twenty at most. */
  isCertain: boolean;
  language: GroundingScore['language'];
  sentences: SentenceScore[];
  explanation: string;
}

/** Compares an output with its sources, and reports if that is impossible. Pure; linear in the length of both. */
export function checkHallucination(output: string, sources: readonly string[]): HallucinationCheck {
  const { score, isJudged, language, sentences } = scoreGrounding(output, sources);
  if (!isJudged) {
    const explanation = notComparableText(language, sources);
    return {
      isHallucination: false,
      confidence: 0,
      groundingScore: null,
      isCertain: false,
      language,
      sentences,
      explanation,
    };
  }
  const isHallucination = score >= 0.5;
  const confidence = isHallucination ? score : 1 - score;
  return {
    isHallucination,
    confidence: Number(confidence.toFixed(4)),
    groundingScore: Number((1 - score).toFixed(4)),
    isCertain: score >= shippedModel().strict,
    language,
    sentences,
    explanation: verdictText(isHallucination, language, sentences),
  };
}

function notComparableText(language: GroundingScore['language'], sources: readonly string[]): string {
  if (sources.every((source) => source.trim() === '')) return 'There are no sources to compare the output with.';
  if (language === 'mismatch')
    return 'Output and sources are in different languages, which cannot be compared word by word.';
  return 'The output says nothing that sources could support.';
}

function verdictText(
  isHallucination: boolean,
  language: GroundingScore['language'],
  sentences: readonly SentenceScore[],
): string {
  const unsupported = sentences.filter(({ supported }) => !supported);
  const missing = [...new Set(unsupported.flatMap((sentence) => sentence.missing))].slice(0, 8);
  const caution =
    language === 'full' ? '' : ' The language is not supported in full: words and letters were compared only.';
  if (!isHallucination) return `The sources support the output by its wording.${caution}`;
  const words = missing.length === 0 ? '' : ` The sources do not mention: ${missing.join(', ')}.`;
  return `${unsupported.length} of ${sentences.length} sentences are not supported by the sources.${words}${caution}`;
}
