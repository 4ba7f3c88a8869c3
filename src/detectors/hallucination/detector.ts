import type { Fix } from '../../core/detection.ts';
import type { Step, Trace } from '../../core/trace.ts';
import { type DetectionDraft, defineDetector } from '../_kit/define.ts';
import { addedRule } from '../_kit/prompt-rule.ts';
import { yesSupports } from '../_kit/question.ts';
import { counted, cut } from '../_kit/text.ts';
import { shippedIdf } from '../_readings/support/idf.ts';
import { type GroundingModel, shippedModel } from '../_readings/support/model.ts';
import { hasCuts } from '../_readings/support/run-texts.ts';
import { type GroundingScore, type SentenceScore, scoreGrounding } from '../_readings/support/score.ts';
import { splitSentences } from '../_readings/support/sentences.ts';
import { isPlainlyStated } from '../_readings/support/stated-word.ts';
import { tokenize } from '../_readings/support/tokens.ts';
import { type SourcedAnswer, sourcedAnswer } from './answers.ts';
import { hallucinationManifest } from './manifest.ts';
import { groundingQuestions } from './questions.ts';

export const hallucination = defineDetector({
  ...hallucinationManifest,
  questions: groundingQuestions,
  conclude: yesSupports,
  detect(trace, _options, report) {
    const answer = sourcedAnswer(trace);
    if (answer === null || hasCuts(answer.sources) || arePlainlyStated(answer)) return;
    const model = shippedModel();
    const grounding = scoreGrounding(answer.text, answer.sources);
    if (!grounding.isJudged || grounding.language !== 'full' || grounding.score < model.strict) return;
    const claims = grounding.sentences.filter(isClaim);
    const unsupported = claims.filter(
      (claim) => claim.score >= model.strict && salientTerms(claim).length >= MIN_SALIENT,
    );
    if (unsupported.length === 0 || unsupported.length < claims.length * MIN_SHARE) return;
    report(draftOf(trace, answer, grounding, unsupported, model));
  },
});

/** Minimum number of salient terms that the sources lack. */
const MIN_SALIENT = 1;
/** An answer that is mostly supported is more often a paraphrase with an aside than a hallucination. */
const MIN_SHARE = 0.5;
/** Natural logarithm: words in fewer than one of 250 passages. */
const MIN_SALIENT_IDF = 5.5;

/** Whether a sentence makes a claim about the sources. Questions and statements about the agent ("I am unable to …") do not. */
function isClaim({ text }: Pick<SentenceScore, 'text'>): boolean {
  return !/[?？]["')\]]*$/.test(text) && !ABOUT_ITSELF.test(text);
}

const ABOUT_ITSELF =
  /\b(?:sorry|apologi[sz]e|unable|cannot|can ?['’]?t|could not|couldn['’]?t|unfortunately|not (?:find|have|mention|available|specif)|let me know|feel free|happy to|i (?:will|would|have|am)|i['’](?:ll|ve|m|d))\b/i;

/** Missing words that are essential for the statement: numbers, names and rare words, not polite phrases. */
function salientTerms({ missing, text }: SentenceScore): string[] {
  return missing.filter((word) => isSalient(word, text));
}

function isSalient(word: string, sentence: string): boolean {
  if (/\d/.test(word) || (/^\p{Lu}/u.test(word) && !sentence.startsWith(word))) return true;
  const idf = shippedIdf();
  return tokenize(word).some(({ key }) => idf(key) >= MIN_SALIENT_IDF);
}

/** Whether a quick test finds the salient terms of each claim in the sources; scoring is then unnecessary. */
function arePlainlyStated({ text, sources }: SourcedAnswer): boolean {
  const lower = sources.map((source) => source.toLowerCase());
  return splitSentences(text)
    .filter(isClaim)
    .every((claim) => {
      const words = new Set(tokenize(claim.text).flatMap(({ raw, isStop }) => (isStop ? [] : [raw])));
      const open = [...words].filter((word) => isSalient(word, claim.text) && !isPlainlyStated(word, lower));
      return open.length < MIN_SALIENT;
    });
}

/** Score at the two thresholds of the model; linear between them and above. */
const AT_STRICT = 0.45;
const AT_CERTAIN = 0.6;

function evidenceScore(score: number, { strict, certain }: GroundingModel): number {
  if (score < certain) return AT_STRICT + ((AT_CERTAIN - AT_STRICT) * (score - strict)) / (certain - strict);
  return AT_CERTAIN + ((1 - AT_CERTAIN) * (score - certain)) / (1 - certain);
}

function draftOf(
  trace: Trace,
  { step, hasDocuments }: SourcedAnswer,
  { score }: GroundingScore,
  unsupported: readonly SentenceScore[],
  model: GroundingModel,
): DetectionDraft<'unsupported_answer' | 'unsupported_by_results'> {
  const agent = step.agent ?? step.name;
  const words = [...new Set(unsupported.flatMap(salientTerms))].slice(0, 6);
  const source = hasDocuments ? 'retrieved documents' : 'results of its lookups';
  return {
    subtype: hasDocuments ? 'unsupported_answer' : 'unsupported_by_results',
    score: Math.round(evidenceScore(score, model) * 1000) / 1000,
    step: step.index,
    steps: [step.index],
    explanation:
      `${counted(unsupported.length, 'statement')} in the answer of ${agent} at step ${step.index} have no support in the ${source}: ` +
      `"${cut(unsupported[0]!.text, 160)}". Nothing there mentions ${words.join(', ')}.`,
    suggestedAction: `Check the answer of ${agent} against its sources before it is used.`,
    evidence: unsupported.slice(0, 4).map((sentence) => ({
      kind: 'text',
      spanId: step.spanId,
      path: 'output',
      quote: sentence.text,
      value: { score: sentence.score, missing: sentence.missing },
    })),
    fixes: [answerFromSources(trace, step)],
    key: hasDocuments ? 'documents' : 'results',
  };
}

const SOURCES_ONLY =
  'Use only the passages given to you. Name the passage each statement rests on. If they do not answer the question, say so.';

function answerFromSources(trace: Trace, step: Step): Fix {
  const agent = step.agent ?? step.name;
  return {
    fixType: 'prompt_change',
    title: `Let ${agent} answer from its sources only`,
    description: `Tell ${agent} to support each statement with a passage it was given, and to say so if the sources do not answer the question.`,
    rationale: 'The statements named here use words, names or numbers that the sources do not contain.',
    confidence: 0.45,
    risk: 'low',
    changes: [addedRule(trace, step.agent, SOURCES_ONLY)],
    isBreaking: false,
    requiresTesting: true,
  };
}
