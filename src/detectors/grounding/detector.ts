import type { Evidence, Fix } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import { type DetectionDraft, defineDetector } from '../_kit/define.ts';
import { addedRule } from '../_kit/prompt-rule.ts';
import { counted, cut } from '../_kit/text.ts';
import { failureInResult } from '../_readings/calls/failure-text.ts';
import { answeringStep, hasCuts, runTexts } from '../_readings/support/run-texts.ts';
import { unalteredOf } from './altered-entities.ts';
import { type AnswerEntity, answerEntities, type EntityKind } from './answer-entities.ts';
import { contraryResult } from './contrary-result.ts';
import { contraryResultDetection } from './contrary-result-detection.ts';
import { groundingManifest } from './manifest.ts';
import { protocolIds } from './protocol-ids.ts';
import { hasCitation, type UnseenCitation, unseenCitations } from './unseen-citations.ts';
import { lowerTexts, unseenEntities } from './unseen-entities.ts';
import { failedPartDraft, valueOfFailedPart } from './value-of-failed-part.ts';
import { valueDraft, valuesWithoutResult } from './value-without-result.ts';

type EntitySubtype = 'invented_link' | 'invented_identifier' | 'invented_quote' | 'unsupported_number';

const SUBTYPE_OF: Record<EntityKind, EntitySubtype> = {
  url: 'invented_link',
  email: 'invented_identifier',
  identifier: 'invented_identifier',
  quote: 'invented_quote',
  number: 'unsupported_number',
};

/** A model knows public links, standards and codes, and may invent one on request: these are info. */
const SCORES: Record<EntitySubtype, number> = {
  invented_link: 0.5,
  invented_identifier: 0.5,
  invented_quote: 0.5,
  unsupported_number: 0.45,
};
/** Score if the run contains the same value with other digits. */
const ALTERED_SCORE = 0.66;

const NOUNS: Record<EntitySubtype, string> = {
  invented_link: 'link',
  invented_identifier: 'identifier',
  invented_quote: 'quotation',
  unsupported_number: 'number',
};

/** Longer texts are pages or listings written by a tool, whatever the sender calls them. */
const ANSWER_LIMIT = 8000;

export const grounding = defineDetector({
  ...groundingManifest,
  detect(trace, _options, report) {
    const withoutResult = valuesWithoutResult(trace);
    if (withoutResult !== null) report(valueDraft(trace, withoutResult));
    const ofPart = withoutResult === null ? valueOfFailedPart(trace) : null;
    if (ofPart !== null) report(failedPartDraft(trace, ofPart));
    const step = answeringStep(trace);
    const answer = trace.finalOutput ?? '';
    if (step === null || !isWrittenAnswer(answer)) return;
    const contrary = contraryResult(trace, answer, step);
    if (contrary !== null) report(contraryResultDetection(trace, step, contrary));
    if (!hasSources(trace)) return;
    const entities = claimedEntities(trace, answer).filter(({ text }) => !contrary?.stated.includes(text));
    const isCited = hasCitation(answer);
    if (entities.length === 0 && !isCited) return;
    const texts = runTexts(trace, answer);
    const citations = isCited ? unseenCitations(answer, lowerTexts(texts)) : [];
    const cited = new Set(citations.map(({ entity }) => entity.needle));
    const unseen = unseenEntities(entities, texts).filter(({ needle }) => !cited.has(needle));
    if ((unseen.length === 0 && citations.length === 0) || hasCuts(texts)) return;
    if (citations.length > 0) report(citationDraft(trace, step, citations));
    const others = unseen.filter(({ text }) => withoutResult?.values.includes(text) !== true);
    const bySubtype = Map.groupBy(others, ({ kind }) => SUBTYPE_OF[kind]);
    for (const [subtype, some] of bySubtype) report(draftOf(trace, step, subtype, some, texts));
  },
});

function claimedEntities(trace: Trace, answer: string): AnswerEntity[] {
  const entities = answerEntities(answer);
  if (!entities.some(({ kind }) => kind === 'identifier')) return entities;
  const ids = protocolIds(trace, answer);
  return entities.filter(({ kind, needle }) => kind !== 'identifier' || !ids.some((id) => id.includes(needle)));
}

function isWrittenAnswer(answer: string): boolean {
  return answer.length <= ANSWER_LIMIT && failureInResult(answer) === null;
}

/** Whether the run contains sources. An answer from the model's own knowledge cannot be compared. */
function hasSources(trace: Trace): boolean {
  return trace.steps.some((step) => step.documents.length > 0 || (step.kind === 'tool' && step.output.trim() !== ''));
}

function draftOf(
  trace: Trace,
  step: number,
  subtype: EntitySubtype,
  unseen: readonly AnswerEntity[],
  texts: readonly string[],
): DetectionDraft<EntitySubtype> {
  const lower = lowerTexts(texts);
  const originals = unseen.map((entity) => unalteredOf(entity, lower));
  const altered = originals.findIndex((original) => original !== null);
  const named = unseen.slice(0, 3).map(({ text }) => `"${cut(text, 80)}"`);
  const { agent, name, spanId } = trace.steps[step]!;
  const noun = NOUNS[subtype];
  return {
    subtype,
    score: altered === -1 ? SCORES[subtype] : ALTERED_SCORE,
    step,
    steps: [step],
    explanation:
      `The answer of ${agent ?? name} at step ${step} gives ${counted(unseen.length, noun)} that no recorded prompt, message, ` +
      `document or tool result of the run contains: ${named.join(', ')}.` +
      (altered === -1
        ? ' The model may know it from elsewhere.'
        : ` The run contains "${cut(originals[altered]!, 80)}", which differs from "${cut(unseen[altered]!.text, 80)}" only in digits.`),
    suggestedAction: `Check the ${noun} before the answer is used.`,
    evidence: unseen
      .slice(0, 4)
      .map(({ kind, text }): Evidence => ({ kind: 'text', spanId, path: 'output', quote: text, value: kind })),
    fixes: [copyOnlyFix(trace, agent, name, noun)],
    key: subtype,
  };
}

function citationDraft(
  trace: Trace,
  step: number,
  citations: readonly UnseenCitation[],
): DetectionDraft<'invented_identifier'> {
  const { agent, name, spanId } = trace.steps[step]!;
  const named = citations.slice(0, 3).map(({ entity }) => `"${cut(entity.text, 80)}"`);
  return {
    subtype: 'invented_identifier',
    score: ALTERED_SCORE,
    step,
    steps: [step],
    explanation: `The answer of ${agent ?? name} at step ${step} cites ${counted(citations.length, 'source')} that no recorded prompt, message, document or tool result of the run contains: ${named.join(', ')}. It also cites "${cut(citations[0]!.known, 80)}", which the run contains.`,
    suggestedAction: `Check what the answer takes from ${named[0]} before the answer is used.`,
    evidence: citations
      .slice(0, 4)
      .map(({ entity }): Evidence => ({ kind: 'text', spanId, path: 'output', quote: entity.text, value: 'citation' })),
    fixes: [copyOnlyFix(trace, agent, name, 'citation')],
    key: 'citation',
  };
}

function copyOnlyFix(trace: Trace, agent: string | null, name: string, noun: string): Fix {
  const who = agent ?? name;
  const rule = `Give ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun} only if a tool result or document in this conversation shows it, exactly as it is written there. Otherwise say that you do not have it.`;
  return {
    fixType: 'prompt_change',
    title: `Let ${who} take each ${noun} from a source`,
    description: `Add to the instructions of ${who}: copy every ${noun} word for word from a tool result or document of this conversation; if none shows it, say that it is not known.`,
    rationale: `The ${noun} in the answer is in no recorded text that the agent received.`,
    confidence: 0.5,
    risk: 'low',
    changes: [addedRule(trace, agent, rule)],
    isBreaking: false,
    requiresTesting: true,
  };
}
