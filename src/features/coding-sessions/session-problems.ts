import { toRfc3339 } from '../../core/clock.ts';
import type { Detection } from '../../core/detection.ts';
import type { ModelCatalog } from '../../core/model-catalog.ts';
import type { Trace } from '../../core/trace.ts';
import { interrupts } from '../../detectors/_readings/coding/interrupts.ts';
import { isDecided, type RefusedCall, refusals } from '../../detectors/_readings/coding/refusals.ts';
import { correctingInstructions, lostInstructions } from './instructions.ts';
import type { SessionProblem } from './report.record.ts';
import { type Detour, detoursOf } from './session-detours.ts';
import { shorten } from './shorten.ts';

const TEXT_CHARACTERS = 300;
const CALL_CHARACTERS = 120;

/** Problems of a session, in order of steps. A detection is not listed twice; its figures are added instead. */
export function problemsOf(trace: Trace, detections: readonly Detection[], models: ModelCatalog): SessionProblem[] {
  const reported = detections.filter(({ severity }) => severity !== 'observation');
  const detours = detoursOf(trace, models);
  const found = [
    ...reported.map((detection) =>
      detectionProblem(
        detection,
        detours.find((detour) => isOf(trace, detour, detection)),
      ),
    ),
    ...refusalProblems(trace),
    ...interruptProblems(trace),
    ...correctionProblems(trace),
    ...detours.filter((detour) => !reported.some((detection) => isOf(trace, detour, detection))).map(detourProblem),
  ];
  return found
    .map((problem) => ({ ...problem, at: problem.step === null ? null : timeOf(trace, problem.step) }))
    .sort((one, other) => (one.step ?? Number.POSITIVE_INFINITY) - (other.step ?? Number.POSITIVE_INFINITY));
}

const NOTHING: Omit<SessionProblem, 'kind' | 'text'> = {
  step: null,
  at: null,
  detail: null,
  severity: null,
  detection_type: null,
  refused_by: null,
  cost_usd: null,
};

/** @param detour that the detection reports: its text contains the figures */
function detectionProblem(detection: Detection, detour: Detour | undefined): SessionProblem {
  const { type, subtype, severity, step, title, explanation, wastedCostUsd } = detection;
  return {
    ...NOTHING,
    kind: 'detection',
    step,
    text: shorten(detour?.text ?? title, TEXT_CHARACTERS),
    detail: shorten(explanation, 2 * TEXT_CHARACTERS),
    severity,
    detection_type: `${type}/${subtype}`,
    cost_usd: wastedCostUsd > 0 ? wastedCostUsd : null,
  };
}

function refusalProblems(trace: Trace): SessionProblem[] {
  const stops = interrupts(trace);
  return refusals(trace)
    .filter(isDecided)
    .map((refused) => {
      const stop = stops.find(({ step }) => isStopOf(trace, refused.step, step));
      const reason = refused.reason ?? (stop?.next ? `then wrote: ${stop.next.text}` : null);
      return {
        ...NOTHING,
        kind: 'refusal' as const,
        step: refused.step,
        text: `${refused.by === 'user' ? 'The user' : 'A policy'} refused ${callText(refused)}`,
        detail: reason === null ? null : shorten(reason, TEXT_CHARACTERS),
        refused_by: refused.by,
      };
    });
}

/** Agents also record a refusal without a reason as an interrupt: the model did nothing in between. */
function isStopOf({ steps }: Trace, refused: number, stop: number): boolean {
  return stop > refused && !steps.slice(refused + 1, stop).some(({ kind }) => kind === 'llm');
}

function callText({ tool, use }: RefusedCall): string {
  const what = use.command ?? (typeof use.arguments === 'string' ? use.arguments : firstText(use.arguments));
  return what === null || what === '' ? tool : `${tool}: ${shorten(what, CALL_CHARACTERS)}`;
}

function firstText(args: RefusedCall['use']['arguments']): string | null {
  if (args === null || typeof args !== 'object' || Array.isArray(args)) return null;
  return Object.values(args).find((value) => typeof value === 'string') ?? null;
}

function interruptProblems(trace: Trace): SessionProblem[] {
  const refused = refusals(trace).filter(isDecided);
  const alone = interrupts(trace).filter(({ step }) => !refused.some((each) => isStopOf(trace, each.step, step)));
  return alone.map(({ step, next }) => ({
    ...NOTHING,
    kind: 'interrupt' as const,
    step,
    text: next === null ? 'The user interrupted, and the session ended' : 'The user interrupted',
    detail: next === null ? null : `then wrote: ${shorten(next.text, TEXT_CHARACTERS)}`,
  }));
}

function correctionProblems(trace: Trace): SessionProblem[] {
  const lost = new Map(lostInstructions(trace).map((each) => [each.step, each]));
  const afterStop = new Set(interrupts(trace).map(({ next }) => next?.step));
  return correctingInstructions(trace)
    .filter(({ kind, step }) => kind === 'correction' && (lost.has(step) || !afterStop.has(step)))
    .map(({ step, text }) => {
      const repeated = lost.get(step);
      return {
        ...NOTHING,
        kind: repeated === undefined ? ('correction' as const) : ('lost_instruction' as const),
        step,
        text: `The user corrected: ${text}`,
        detail: repeated === undefined ? null : `said before the compaction: ${repeated.before}`,
      };
    });
}

function detourProblem({ kind, text, steps, costUsd }: Detour): SessionProblem {
  return { ...NOTHING, kind, step: steps[0] ?? null, text, cost_usd: costUsd > 0 ? costUsd : null };
}

/** Whether a detection concerns these steps: one of its spans is among them. */
function isOf(trace: Trace, { kind, steps }: Detour, { type, spanIds }: Detection): boolean {
  if (!TYPES_OF[kind].has(type)) return false;
  const spans = new Set(steps.map((step) => trace.steps[step]?.spanId));
  return spanIds.some((id) => spans.has(id));
}

const TYPES_OF: Readonly<Record<Detour['kind'], ReadonlySet<Detection['type']>>> = {
  failing_test: new Set(['loop', 'quality_gate']),
  polling: new Set(['loop', 'resource_misallocation', 'cost_overrun']),
  compaction_rereads: new Set(['context_overflow', 'context_neglect']),
  rereads: new Set(['loop', 'resource_misallocation', 'context_neglect']),
  failed_edits: new Set(['loop', 'tool_failure']),
  repeated_subagent_work: new Set(['coordination', 'resource_misallocation', 'decomposition']),
};

function timeOf({ steps }: Trace, step: number): string | null {
  const startMs = steps[step]?.startMs ?? null;
  return startMs === null ? null : toRfc3339(startMs);
}
