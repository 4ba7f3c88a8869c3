import type { Fix } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import { type DetectionDraft, defineDetector } from '../_kit/define.ts';
import { counted, cut, textKey } from '../_kit/text.ts';
import { retrievalQualityManifest } from './manifest.ts';
import { relevanceOf } from './relevance.ts';
import { type Retrieval, retrievalsOf } from './retrievals.ts';

type Subtype = 'empty' | 'irrelevant' | 'duplicate' | 'low_scores';

export const retrievalQuality = defineDetector({
  ...retrievalQualityManifest,
  detect(trace, _options, report) {
    const retrievals = retrievalsOf(trace);
    for (const [at, retrieval] of retrievals.entries()) {
      const isLast = at === retrievals.length - 1;
      const draft =
        retrieval.documents.length === 0 ? emptyDetection(trace, retrieval, isLast) : poorDetection(retrieval);
      if (draft !== null) report(draft);
    }
  },
});

const ADMITS =
  /\b(?:no (?:relevant |matching )?(?:information|results?|documents?|data|records?)|could not find|couldn['’]t find|not (?:find|found|available)|unable to|do(?:es)? not (?:contain|mention|know)|don['’]t (?:have|know))\b/i;

/** A search without results does no harm if it is repeated in other words, or if its failure is reported. */
function emptyDetection(trace: Trace, retrieval: Retrieval, isLast: boolean): DetectionDraft<Subtype> | null {
  const { step, query } = retrieval;
  const answer = trace.steps
    .slice(step.index + 1)
    .findLast(({ kind, output }) => kind === 'llm' && output.trim() !== '');
  if (!isLast || answer === undefined || ADMITS.test(answer.output)) return null;
  const queryText = query === '' ? '' : ` for "${cut(query, 120)}"`;
  return draft(retrieval, {
    subtype: 'empty',
    score: 0.62,
    explanation: `The search ${nameOf(retrieval)} at step ${step.index}${queryText} found nothing, and ${answer.agent ?? answer.name} answered at step ${answer.index} without saying so.`,
    suggestedAction: 'Let the agent say that nothing was found, or search again in other words.',
    value: 0,
    fix: 'When the search returns nothing, answer that the documents contain nothing about it, or search once more with fewer and more general words.',
  });
}

const MAX_IRRELEVANT_COVERAGE = 0.1;
const MAX_POOR_COVERAGE = 0.5;
const MAX_POOR_SCORE = 0.3;
/** Fused ranks (as in reciprocal rank fusion) are all below this value and are not similarities. */
const MAX_RANK_SCORE = 0.05;

function poorDetection(retrieval: Retrieval): DetectionDraft<Subtype> | null {
  const { step, query, documents } = retrieval;
  const relevance = relevanceOf(query, documents);
  if (relevance !== null && relevance.coverage <= MAX_IRRELEVANT_COVERAGE) {
    return draft(retrieval, {
      subtype: 'irrelevant',
      score: 0.6,
      explanation: `${counted(documents.length, 'document')} came back from ${nameOf(retrieval)} at step ${step.index} for "${cut(query, 120)}", and none mentions ${relevance.missing.slice(0, 5).join(', ')}.`,
      suggestedAction:
        'Check the index and the embedding of the query, and reject documents that do not share its words.',
      value: Math.round(relevance.coverage * 100) / 100,
      fix: 'Rerank the retrieved documents against the query and drop those below a limit; combine vector search with keyword search.',
    });
  }
  const best = Math.max(...documents.map(({ score }) => score ?? Number.NaN));
  if (best > MAX_RANK_SCORE && best < MAX_POOR_SCORE && relevance !== null && relevance.coverage < MAX_POOR_COVERAGE) {
    return draft(retrieval, {
      subtype: 'low_scores',
      score: 0.5,
      explanation: `The best of ${counted(documents.length, 'document')} from ${nameOf(retrieval)} at step ${step.index} has score ${best}, and less than half of what "${cut(query, 120)}" asks for is mentioned.`,
      suggestedAction: 'Set a minimum score, and let the agent say so if no document reaches it.',
      value: best,
      fix: 'Drop documents below a minimum score before they reach the prompt, and let the agent say that it found nothing.',
    });
  }
  return duplicateDetection(retrieval);
}

const MIN_DOCUMENTS = 3;

function duplicateDetection(retrieval: Retrieval): DetectionDraft<Subtype> | null {
  const { step, documents } = retrieval;
  const filled = documents.filter(({ content }) => content.trim() !== '');
  const distinct = new Set(filled.map(({ content }) => textKey(content.toLowerCase().replace(/\s+/g, ' ').trim())))
    .size;
  if (filled.length < MIN_DOCUMENTS || distinct > filled.length / 2) return null;
  return draft(retrieval, {
    subtype: 'duplicate',
    score: 0.5,
    explanation: `${filled.length} documents came back from ${nameOf(retrieval)} at step ${step.index}, but only ${distinct} of them ${distinct === 1 ? 'is' : 'are'} different.`,
    suggestedAction: 'Remove copies from the index, and ask for more documents than are shown.',
    value: distinct,
    fix: 'Store each document once (by a hash of its text), and drop equal passages before they reach the prompt.',
  });
}

function nameOf({ step }: Retrieval): string {
  return step.tool?.name ?? step.name;
}

interface DetectionText {
  subtype: Subtype;
  score: number;
  explanation: string;
  suggestedAction: string;
  value: number;
  fix: string;
}

function draft(retrieval: Retrieval, { value, fix, ...text }: DetectionText): DetectionDraft<Subtype> {
  const { step } = retrieval;
  return {
    ...text,
    step: step.index,
    steps: [step.index],
    evidence: [{ kind: 'metric', spanId: step.spanId, path: 'documents', quote: null, value }],
    fixes: [retrievalFix(nameOf(retrieval), fix)],
    key: `${text.subtype} ${nameOf(retrieval)}`,
  };
}

function retrievalFix(name: string, description: string): Fix {
  return {
    fixType: 'tool_change',
    title: `Improve what ${name} returns`,
    description,
    rationale: 'An answer can be no better than its documents.',
    confidence: 0.4,
    risk: 'low',
    changes: [{ target: name, format: 'text', before: null, after: description }],
    isBreaking: false,
    requiresTesting: true,
  };
}
