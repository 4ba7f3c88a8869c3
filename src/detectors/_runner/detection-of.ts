import { isDecoderError } from '../../core/decoder-error.ts';
import type { Detection, Evidence, Fix } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import { CONFIDENCE_CEILING, type Confidence, confidenceOf, severityConfidence } from '../_kit/calibration.ts';
import type { DetectionDraft, Detector } from '../_kit/define.ts';
import { withoutRepeatedTexts } from '../_kit/evidence.ts';
import { stepsBySpan } from '../_kit/step-of-span.ts';
import { cut, oneLine } from '../_kit/text.ts';
import { callAuthors } from '../_readings/calls/call-authors.ts';
import { patchedFixes } from '../_remedies/patched-fixes.ts';
import type { RegisteredDetector } from '../registry.ts';
import { fingerprintOf } from './fingerprint.ts';
import { subtypeTier } from './maturity-limit.ts';
import { severityOf } from './severity-rule.ts';

export const QUOTE_LIMIT = 300;

/** The stored form of a detection, as if it fired. The engine decides whether it fires. */
export function detectionOf(registered: RegisteredDetector, trace: Trace, draft: DetectionDraft): Detection {
  const { detector } = registered;
  const info = detector.subtypes[draft.subtype]!;
  const confidence = confidenceIn(registered, draft);
  const agent = agentIn(trace, draft);
  return {
    type: detector.type,
    subtype: draft.subtype,
    failureModes: [...new Set([...detector.failureModes, ...(info.failureModes ?? [])])],
    agent,
    ...(isNode(trace, agent) ? { isNode: true } : {}),
    spanIds: [...new Set(draft.steps.map((step) => trace.steps[step]!.spanId))],
    step: draft.step,
    confidence: confidence.value,
    isCalibrated: confidence.isCalibrated,
    severity: severityOf(info.impact, confidenceForSeverity(registered, draft, confidence)),
    tier: subtypeTier(registered, draft.subtype),
    method: draft.model?.name ?? detector.method ?? 'rule',
    title: draft.title ?? info.title,
    explanation: draft.explanation,
    businessImpact: draft.businessImpact ?? info.businessImpact,
    suggestedAction: draft.suggestedAction,
    evidence: evidenceOf(trace, draft),
    wastedTokens: draft.wastedTokens ?? 0,
    wastedCostUsd: draft.wastedCostUsd ?? 0,
    fixes: fixesOf(detector, trace, draft, agent),
    fingerprint: fingerprintOf(detector.type, draft.subtype, agent, draft.key),
  };
}

/** The fixes of the detector, and patches for settings, tools or prompts. */
export function fixesOf({ subtypes }: Detector, trace: Trace, draft: DetectionDraft, agent: string | null): Fix[] {
  const { subtype, step, steps, fixes, promptRule, toolNote } = draft;
  const info = subtypes[subtype]!;
  return patchedFixes(trace, {
    ...info,
    ...(promptRule === undefined ? {} : { promptRule }),
    ...(toolNote === undefined ? {} : { toolNote }),
    agent,
    step,
    steps,
    fixes,
  });
}

export function agentIn(trace: Trace, draft: DetectionDraft): string | null {
  if (draft.agent !== undefined) return draft.agent;
  const step = draft.step ?? draft.steps[0]!;
  return callAuthors(trace).get(step)?.agent ?? trace.steps[step]!.agent;
}

/** Whether the name is that of a node, not of an agent. A detection can also name the author of a message, who is neither. */
function isNode({ agents, steps, states }: Trace, name: string | null): boolean {
  if (name === null || agents.includes(name)) return false;
  return steps.some(({ node }) => node === name) || states.some(({ node }) => node === name);
}

/** Confidence of a detection draft. */
export function confidenceIn(
  { calibration }: RegisteredDetector,
  { model, score, subtype }: DetectionDraft,
): Confidence {
  if (model === undefined) return confidenceOf(score, subtype, calibration);
  return { value: Math.min(CONFIDENCE_CEILING, Math.round(model.probability * 1000) / 1000), isCalibrated: true };
}

function confidenceForSeverity(
  { calibration }: RegisteredDetector,
  { model, score }: DetectionDraft,
  confidence: Confidence,
): number {
  return model === undefined ? severityConfidence(score, confidence, calibration) : confidence.value;
}

/** The evidence as stored: each text once, with its step. */
function evidenceOf(trace: Trace, { evidence, explanation }: DetectionDraft): Evidence[] {
  const shown = withoutRepeats(withoutRepeatedTexts(evidence).map(withShortQuote), explanation);
  return shown.map((piece) => {
    const step = stepsBySpan(trace).get(piece.spanId) ?? null;
    return { ...(isEmptyError(piece) ? withStatus(trace, step, piece) : piece), step };
  });
}

/** Removes quotes that the explanation contains in full. One item per span is kept because it names the span. */
function withoutRepeats(evidence: readonly Evidence[], explanation: string): Evidence[] {
  const explained = oneLine(explanation);
  const isNew = ({ quote, value }: Evidence) => quote === null || value !== null || !explained.includes(oneLine(quote));
  const quoted = new Set(evidence.filter(isNew).map(({ spanId }) => spanId));
  return evidence.filter((piece) => {
    if (isNew(piece)) return true;
    if (quoted.has(piece.spanId)) return false;
    quoted.add(piece.spanId);
    return true;
  });
}

/** Evidence quotes the trace: an error message that a decoder wrote is not part of it. */
function withShortQuote(evidence: Evidence): Evidence {
  const { kind, quote } = evidence;
  if (quote === null) return evidence;
  return { ...evidence, quote: kind === 'error' && isDecoderError(quote) ? null : cut(quote, QUOTE_LIMIT, 0) };
}

function isEmptyError({ kind, quote, value }: Evidence): boolean {
  return kind === 'error' && quote === null && value === null;
}

/** The recorded status of a step whose error has no message. */
function withStatus(trace: Trace, step: number | null, piece: Evidence): Evidence {
  const isFailed = step !== null && trace.steps[step]!.status === 'error';
  return isFailed ? { ...piece, path: 'status', value: 'error' } : piece;
}
