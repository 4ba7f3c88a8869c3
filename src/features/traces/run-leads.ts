import { z } from 'zod';
import type { Step, Trace } from '../../core/trace.ts';
import { rankSteps } from '../../detectors/_attribution/rank-steps.ts';
import { FAILED_ITSELF } from '../../detectors/_attribution/reasons.ts';
import { cut } from '../../detectors/_kit/text.ts';
import { isReported } from '../detections/counted.ts';
import { actorsOf } from './acting-steps.ts';
import { placeOf } from './lead-place.ts';
import type { Symptom } from './symptom.ts';

/** A step to look at in a failed or troubled run in which no detector found anything. */
export const leadRecord = z
  .object({
    step: z.number().int(),
    span_id: z.string(),
    agent: z.string().nullable(),
    why: z.array(z.string()).min(1).describe('What the trace shows of the step, the strongest first'),
  })
  .meta({ id: 'Lead' });
export type Lead = z.input<typeof leadRecord>;

const SHOWN = 3;
const MAX_ERROR_LENGTH = 160;

/** `failure_rank` from which a successful run has leads. */
export const TROUBLED_RANK = 0.9;

/**
 * The step that failed last, then the most likely ones by the ranking, each with a reason. Empty for a run that neither
 * failed nor has a high failure rank, and if there are detections. A detection about the failed root alone does not count:
 * it names no step.
 */
export function leadsOf(
  trace: Trace,
  symptoms: readonly (Pick<Symptom, 'severity'> & Partial<Pick<Symptom, 'spanIds'>>)[],
  failureRank: number | null = null,
): Lead[] {
  const isSuspect = trace.status === 'error' || (failureRank !== null && failureRank >= TROUBLED_RANK);
  const roots = failedRoots(trace);
  const reported = symptoms.filter(({ severity }) => isReported(severity));
  const isAboutRoot = ({ spanIds = [] }: (typeof symptoms)[number]) =>
    spanIds.length > 0 && spanIds.every((id) => roots.has(id));
  if (!isSuspect || !reported.every(isAboutRoot)) return [];
  const isActing = actorsOf(trace);
  // A detection already names the root.
  const isActor = (step: number) => isActing(step) && (reported.length === 0 || !roots.has(trace.steps[step]!.spanId));
  const failed = failedSteps(trace).filter(isActor);
  const ranked = (rankSteps(trace)?.top ?? []).filter(({ step }) => isActor(step));
  const reasons = new Map(ranked.map(({ step, why }) => [step, why]));
  const steps = new Set([...failed.slice(0, 1), ...reasons.keys(), ...failed]);
  const leads = [...steps].map((index) => {
    const step = trace.steps[index]!;
    const error = errorOf(step);
    const others = (reasons.get(index) ?? []).filter((reason) => error.length === 0 || reason !== FAILED_ITSELF);
    const why = [...error, ...others];
    const place = why.length > 0 ? null : placeOf(trace, index, isActor);
    return { step: index, span_id: step.spanId, agent: step.agent, why: place === null ? why : [place] };
  });
  return leads.filter(({ why }) => why.length > 0).slice(0, SHOWN);
}

/** Spans of failed roots inside which no step failed. */
function failedRoots({ steps }: Trace): ReadonlySet<string> {
  if (steps.some(({ parent, status }) => parent !== null && status === 'error')) return new Set();
  const parents = new Set(steps.map(({ parent }) => parent));
  const failed = steps.filter(
    ({ index, parent, status }) => parent === null && status === 'error' && parents.has(index),
  );
  return new Set(failed.map(({ spanId }) => spanId));
}

/** Latest first; a step that failed because of a step inside it is omitted. */
function failedSteps({ steps }: Trace): number[] {
  const failed = steps.filter(({ status }) => status === 'error');
  const around = new Set(failed.map(({ parent }) => parent));
  return failed.flatMap(({ index }) => (around.has(index) ? [] : [index])).reverse();
}

function errorOf({ status, error }: Step): string[] {
  if (status !== 'error') return [];
  const [line = ''] = (error?.message ?? '').trim().split('\n', 1);
  return [line === '' ? 'it failed' : `it failed: ${cut(line, MAX_ERROR_LENGTH)}`];
}
