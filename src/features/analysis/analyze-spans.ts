import type { ModelCatalog } from '../../core/model-catalog.ts';
import type { Span } from '../../core/span.ts';
import { effectiveThresholds, isSetByTenant } from '../../core/thresholds.ts';
import type { Trace } from '../../core/trace.ts';
import { type EngineResult, type EngineSettings, runDetectors } from '../../detectors/_kit/run.ts';
import type { Answers } from '../../detectors/_kit/second-opinion.ts';
import { buildTrace } from '../../formats/trace-model/build-trace.ts';
import type { TenantDetection } from './tenant-detection.ts';

export interface Analysis {
  trace: Trace;
  result: EngineResult;
}

/** Longest that the detectors may take over one trace before those left are reported as overran. */
const BUDGET_MS = 20_000;

/** Builds the trace of these spans and runs the detectors over it. Pure but for the clock that guards the budget. */
export function analyzeSpans(
  spans: Span[],
  options: { isSettled: boolean; models: ModelCatalog; tenant: TenantDetection; answers?: Answers },
): Analysis {
  const trace = buildTrace(spans, { models: options.models, isSettled: options.isSettled });
  const settings = { ...toEngineSettings(trace, options), answers: options.answers };
  return { trace, result: runDetectors(trace, settings) };
}

function toEngineSettings(
  { framework }: Trace,
  { models, tenant }: { models: ModelCatalog; tenant: TenantDetection },
): EngineSettings {
  const thresholds = effectiveThresholds(tenant.thresholds, framework);
  // A scale the tenant chose itself stands above what its traffic suggests.
  const isAdapted = !isSetByTenant(tenant.thresholds, framework, 'confidenceScaling');
  const adapted = isAdapted && Object.hasOwn(tenant.adapted, framework) ? tenant.adapted[framework]! : {};
  const traffic = Object.hasOwn(tenant.references, framework) ? tenant.references[framework] : undefined;
  return { ...tenant, thresholds, adapted, traffic, models, budgetMs: BUDGET_MS, now: () => performance.now() };
}
