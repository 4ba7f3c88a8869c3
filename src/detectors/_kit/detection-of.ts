import type { Detection, Evidence, Fix } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import { patchedFixes } from '../_remedies/patched-fixes.ts';
import { tierOf } from '../detector-scores.ts';
import type { RegisteredDetector } from '../registry.ts';
import { CERTAIN_AT_MOST, type Confidence, confidenceOf, sureness } from './calibration.ts';
import { callAuthors } from './call-authors.ts';
import type { Detector, Finding } from './define.ts';
import { fingerprintOf } from './fingerprint.ts';
import { severityOf } from './severity-rule.ts';
import { cut } from './text.ts';

export const QUOTE_LIMIT = 300;

/** The stored form of a finding, as if it fired; whether it does is the engine's business. */
export function detectionOf(registered: RegisteredDetector, trace: Trace, finding: Finding): Detection {
  const { detector } = registered;
  const info = detector.subtypes[finding.subtype]!;
  const confidence = confidenceIn(registered, finding);
  const agent = agentIn(trace, finding);
  return {
    type: detector.type,
    subtype: finding.subtype,
    failureModes: [...new Set([...detector.failureModes, ...(info.failureModes ?? [])])],
    agent,
    spanIds: [...new Set(finding.steps.map((step) => trace.steps[step]!.spanId))],
    step: finding.step,
    confidence: confidence.value,
    isCalibrated: confidence.isCalibrated,
    severity: severityOf(info.impact, surenessIn(registered, finding, confidence)),
    tier: tierOf(detector.type),
    method: finding.model?.name ?? detector.method ?? 'rule',
    title: info.title,
    explanation: finding.explanation,
    businessImpact: info.businessImpact,
    suggestedAction: finding.suggestedAction,
    evidence: withoutRepeats(finding.evidence.map(withShortQuote), finding.explanation),
    wastedTokens: finding.wastedTokens ?? 0,
    wastedCostUsd: finding.wastedCostUsd ?? 0,
    fixes: fixesOf(detector, trace, finding, agent),
    fingerprint: fingerprintOf(detector.type, finding.subtype, agent, finding.key),
  };
}

/** What the detector suggests, and what can be patched beside it. */
export function fixesOf({ type, subtypes }: Detector, trace: Trace, finding: Finding, agent: string | null): Fix[] {
  const { subtype, step, steps, fixes } = finding;
  const { title } = subtypes[subtype]!;
  return patchedFixes(trace, { kind: `${type}/${subtype}`, title, agent, step, steps, fixes });
}

export function agentIn(trace: Trace, finding: Finding): string | null {
  if (finding.agent !== undefined) return finding.agent;
  const step = finding.step ?? finding.steps[0]!;
  return callAuthors(trace).get(step)?.agent ?? trace.steps[step]!.agent;
}

/** How sure the detector is of it. */
export function confidenceIn({ calibration }: RegisteredDetector, { model, score, subtype }: Finding): Confidence {
  if (model === undefined) return confidenceOf(score, subtype, calibration);
  return { value: Math.min(CERTAIN_AT_MOST, Math.round(model.probability * 1000) / 1000), isCalibrated: true };
}

function surenessIn({ calibration }: RegisteredDetector, { model, score }: Finding, confidence: Confidence): number {
  return model === undefined ? sureness(score, confidence, calibration) : confidence.value;
}

/** A quote that the explanation gives in full adds nothing; one piece of each span stays, since it names the span. */
function withoutRepeats(evidence: readonly Evidence[], explanation: string): Evidence[] {
  const said = squeezed(explanation);
  const isNew = ({ quote, value }: Evidence) => quote === null || value !== null || !said.includes(squeezed(quote));
  const told = new Set(evidence.filter(isNew).map(({ spanId }) => spanId));
  return evidence.filter((piece) => {
    if (isNew(piece)) return true;
    if (told.has(piece.spanId)) return false;
    told.add(piece.spanId);
    return true;
  });
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function withShortQuote(evidence: Evidence): Evidence {
  return evidence.quote === null ? evidence : { ...evidence, quote: cut(evidence.quote, QUOTE_LIMIT) };
}
