import type { Span } from '../../core/span.ts';
import { riskColumns } from '../../detectors/_attribution/run-columns.ts';
import { stepsBySpan } from '../../detectors/_kit/step-of-span.ts';
import { analyzeSpans } from '../analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../analysis/tenant-detection.ts';
import { trafficOfRun } from '../failure-ranks/traffic-of-run.ts';
import type { UnrankedPrediction } from '../predictions/own-traffic.ts';
import type { PredictOptions } from '../predictions/predict-record.ts';
import type { Prediction } from '../predictions/prediction.ts';

/** Prediction for a whole trace at default settings, without its rank; step numbers are those that the program shows. */
export function predictSpans(spans: Span[], { models, scorers, now }: PredictOptions): UnrankedPrediction {
  const start = now();
  const { trace, result } = analyzeSpans(spans, { isSettled: true, models, tenant: DEFAULT_DETECTION });
  const indexes = stepsBySpan(trace);
  const prediction: Prediction = {
    id: trace.traceId,
    detections: result.detections.map(({ type, subtype, severity, confidence, spanIds, agent, failureModes }) => ({
      type,
      subtype,
      severity,
      confidence,
      steps: spanIds.flatMap((spanId) => indexes.get(spanId) ?? []),
      span_ids: spanIds,
      agent,
      failure_modes: failureModes,
    })),
    scores: {
      injection: scorers.traceInjection?.(trace) ?? null,
      hallucination: null,
      failed: null,
    },
    attribution: scorers.rankSteps?.(trace) ?? null,
    trail: null,
    ms: now() - start,
  };
  return { prediction, run: { traffic: trafficOfRun(trace), columns: riskColumns(trace) } };
}
