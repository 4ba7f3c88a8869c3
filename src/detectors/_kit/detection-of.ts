import type { Detection, Evidence } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import { tierOf } from '../detector-scores.ts';
import type { RegisteredDetector } from '../registry.ts';
import { confidenceOf, sureness } from './calibration.ts';
import type { Finding } from './define.ts';
import { fingerprintOf } from './fingerprint.ts';
import { severityOf } from './severity-rule.ts';
import { cut } from './text.ts';

export const QUOTE_LIMIT = 300;

/** The stored form of a finding, as if it fired; whether it does is the engine's business. */
export function detectionOf(registered: RegisteredDetector, trace: Trace, finding: Finding): Detection {
  const { detector, calibration } = registered;
  const info = detector.subtypes[finding.subtype]!;
  const confidence = confidenceOf(finding.score, finding.subtype, calibration);
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
    severity: severityOf(info.impact, sureness(finding.score, confidence, calibration)),
    tier: tierOf(detector.type),
    method: detector.method ?? 'rule',
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

function agentOf(trace: Trace, finding: Finding): string | null {
  return trace.steps[finding.step ?? finding.steps[0]!]!.agent;
}

function withShortQuote(evidence: Evidence): Evidence {
  return evidence.quote === null ? evidence : { ...evidence, quote: cut(evidence.quote, QUOTE_LIMIT) };
}
