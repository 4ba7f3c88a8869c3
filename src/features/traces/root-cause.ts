import { z } from 'zod';
import { isAtLeast, SEVERITIES } from '../../core/severity.ts';
import type { Trace } from '../../core/trace.ts';
import { rankSteps } from '../../detectors/_attribution/rank-steps.ts';
import type { Attribution, RankedStep } from '../../detectors/_attribution/ranking.ts';
import { isSourceReason } from '../../detectors/_attribution/reasons.ts';
import { stepsBySpan } from '../../detectors/_kit/step-of-span.ts';
import { isReported } from '../detections/counted.ts';
import { actorsOf } from './acting-steps.ts';
import type { Symptom } from './symptom.ts';

/** A step before the detections at which the failure may have begun, in addition to the detections. */
export const rootCauseRecord = z
  .object({
    agent: z.string().nullable(),
    step: z.number().int(),
    span_id: z.string(),
    confidence: z.number().min(0).max(1).describe('Estimate that exactly this step decided the failure'),
    why: z.array(z.string()).min(1).describe('What the trace shows of the step, the strongest first'),
    shows_at: z
      .object({ step: z.number().int(), title: z.string() })
      .nullable()
      .describe('The most severe detection that names a step, which is always a later one; null if none names a step'),
  })
  .meta({ id: 'RootCause' });
export type RootCause = z.input<typeof rootCauseRecord>;

/** Below 0.4 another step is more likely, and the detections are more informative. */
const MIN_CONFIDENCE = 0.4;

/**
 * Null unless it adds information: a step before all steps of the worst detection, that no detection names and whose
 * content later steps used. The ranking assumes a failure, so a run without a warning has no root cause.
 */
export function rootCauseOf(trace: Trace, symptoms: readonly Symptom[]): RootCause | null {
  if (!symptoms.some(({ severity }) => isAtLeast(severity, 'warning'))) return null;
  const ranked = rankSteps(trace);
  const isActor = actorsOf(trace);
  const best = ranked?.top.find(({ step }) => isActor(step));
  if (ranked === null || best === undefined || !best.why.some(isSourceReason)) return null;
  const confidence = confidenceOf(ranked, best);
  const shown = worstPlaced(symptoms);
  if (confidence < MIN_CONFIDENCE || !addsTo(trace, best.step, symptoms, shown)) return null;
  return {
    agent: best.agent,
    step: best.step,
    span_id: trace.steps[best.step]!.spanId,
    confidence: Math.round(confidence * 1000) / 1000,
    why: best.why,
    shows_at: shown && { step: shown.step, title: shown.title },
  };
}

function confidenceOf(ranked: Attribution, { step, score }: RankedStep): number {
  return step === ranked.step ? ranked.confidence : Math.min(ranked.confidence, score);
}

type Placed = Symptom & { step: number };

function isPlaced(symptom: Symptom): symptom is Placed {
  return symptom.step !== null && isReported(symptom.severity);
}

function worstPlaced(symptoms: readonly Symptom[]): Placed | null {
  const rank = ({ severity, confidence }: Placed) => SEVERITIES.indexOf(severity) - confidence;
  return symptoms.filter(isPlaced).sort((one, other) => rank(one) - rank(other) || one.step - other.step)[0] ?? null;
}

/** Whether no detection is about the step, a step around it or inside it, and the worst one comes later. */
function addsTo(trace: Trace, step: number, symptoms: readonly Symptom[], shown: Placed | null): boolean {
  const involvedIn = involvedSteps(trace);
  const holders = holdersOf(trace, step);
  const isStated = symptoms
    .filter(isPlaced)
    .flatMap(involvedIn)
    .some((other) => other === step || holders.has(other) || holdersOf(trace, other).has(step));
  return !isStated && (shown === null || involvedIn(shown).every((other) => step < other));
}

/** Steps that a detection is about; a span around a named step only locates it. */
function involvedSteps(trace: Trace): (symptom: Placed) => number[] {
  const placeOf = stepsBySpan(trace);
  return ({ step, spanIds }) => {
    const around = holdersOf(trace, step);
    const others = spanIds.flatMap((spanId) => placeOf.get(spanId) ?? []);
    return [step, ...others.filter((other) => !around.has(other))];
  };
}

/** The enclosing steps of a step, up to the root. */
function holdersOf({ steps }: Trace, step: number): Set<number> {
  const holders = new Set<number>();
  for (let at = steps[step]?.parent ?? null; at !== null && !holders.has(at); at = steps[at]?.parent ?? null)
    holders.add(at);
  return holders;
}
