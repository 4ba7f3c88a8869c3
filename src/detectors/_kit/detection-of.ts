import type { Detection, Evidence } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import { tierOf } from '../detector-scores.ts';
import type { RegisteredDetector } from '../registry.ts';
import { type Confidence, confidenceOf, sureness } from './calibration.ts';
import type { Finding } from './define.ts';
import { fingerprintOf } from './fingerprint.ts';
import { severityOf } from './severity-rule.ts';
import { cut } from './text.ts';

export const QUOTE_LIMIT = 300;

/** The stored form of a finding, as if it fired; whether it does is the engine's business. */
export function detectionOf(registered: RegisteredDetector, trace: Trace, finding: Finding): Detection {
  const { detector } = registered;
  const info = detector.subtypes[finding.subtype]!;
  const confidence = confidenceIn(registered, finding);
  const agent = finding.agent === undefined ? agentOf(trace, finding) : finding.agent;
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
    evidence: finding.evidence.map(withShortQuote),
    wastedTokens: finding.wastedTokens ?? 0,
    wastedCostUsd: finding.wastedCostUsd ?? 0,
    fixes: [...finding.fixes],
    fingerprint: fingerprintOf(detector.type, finding.subtype, agent, finding.key),
  };
}

function confidenceIn({ calibration }: RegisteredDetector, { model, score, subtype }: Finding): Confidence {
  if (model === undefined) return confidenceOf(score, subtype, calibration);
  return { value: Math.round(model.probability * 1000) / 1000, isCalibrated: true };
}

function surenessIn({ calibration }: RegisteredDetector, { model, score }: Finding, confidence: Confidence): number {
  return model === undefined ? sureness(score, confidence, calibration) : confidence.value;
}

function agentOf(trace: Trace, finding: Finding): string | null {
  return trace.steps[finding.step ?? finding.steps[0]!]!.agent;
}

function withShortQuote(evidence: Evidence): Evidence {
  return evidence.quote === null ? evidence : { ...evidence, quote: cut(evidence.quote, QUOTE_LIMIT) };
}
