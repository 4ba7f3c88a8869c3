import type { ModelCatalog } from '../../core/model-catalog.ts';
import type { Span } from '../../core/span.ts';
import { effectiveThresholds, isSetByTenant } from '../../core/thresholds.ts';
import type { Trace } from '../../core/trace.ts';
import { type EngineResult, type EngineSettings, runDetectors } from '../../detectors/_runner/run.ts';
import type { Answers } from '../../detectors/_runner/second-opinion.ts';
import { buildTrace } from '../../formats/trace-model/build-trace.ts';
import type { TenantDetection } from './tenant-detection.ts';
import { timeLimitOf } from './time-limit.ts';

export interface Analysis {
  trace: Trace;
  result: EngineResult;
}

export interface AnalyzeOptions {
  isSettled: boolean;
  /** See `TraceOptions`. */
  isAbandoned?: boolean;
  models: ModelCatalog;
  tenant: TenantDetection;
  answers?: Answers;
  onStart?: EngineSettings['onStart'];
}

/** Builds the trace of these spans and runs the detectors. Pure except for the clock that limits their time. */
export function analyzeSpans(spans: Span[], options: AnalyzeOptions): Analysis {
  const { models, isSettled, isAbandoned, answers, onStart } = options;
  const trace = buildTrace(spans, { models, isSettled, isAbandoned });
  const settings = {
    ...settingsFor(options.tenant, trace.framework),
    models,
    limit: timeLimitOf(trace),
    answers,
    onStart,
  };
  return { trace, result: runDetectors(trace, settings) };
}

/** Effective settings for traces of one framework. */
export type FrameworkSettings = Required<Pick<EngineSettings, 'thresholds' | 'overrides' | 'enabled' | 'adapted'>> &
  Pick<EngineSettings, 'traffic'>;

export function settingsFor(tenant: TenantDetection, framework: string): FrameworkSettings {
  const thresholds = effectiveThresholds(tenant.thresholds, framework);
  // A scale that the tenant chose overrides calibration by traffic.
  const isAdapted = !isSetByTenant(tenant.thresholds, framework, 'confidenceScaling');
  const adapted = isAdapted && Object.hasOwn(tenant.adapted, framework) ? tenant.adapted[framework]! : {};
  const traffic = Object.hasOwn(tenant.references, framework) ? tenant.references[framework] : undefined;
  return { thresholds, overrides: tenant.overrides, enabled: tenant.enabled, adapted, traffic };
}
