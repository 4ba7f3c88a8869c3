import type { Detection, Severity, Trace } from '../../client/misstep-client.generated.ts';
import { weightOf } from './step-detections.ts';

/** A step named in the verdict. */
export interface VerdictStep {
  step: number;
  /** The agent at fault, or the node. */
  agent: string | null;
  isNode?: boolean;
}

/** The data of the first sentence of the page: what went wrong and where. */
export type Verdict =
  /** The step where the failure began, with its confidence from 0 to 1; null for a detection of fact. */
  | {
      kind: 'decided';
      at: VerdictStep;
      confidence: number | null;
      reason: string;
      shownAt: { step: number; title: string } | null;
      detectionId: string | null;
      others: VerdictStep[];
    }
  /** No step is clearly the cause. */
  | { kind: 'leads'; leads: (VerdictStep & { reason: string })[] }
  /** A detection about the run as a whole. */
  | { kind: 'whole_run'; title: string; detectionId: string; confidence: number | null }
  /** No detection; `status` is that of the run. */
  | { kind: 'clean'; status: Trace['status'] }
  | { kind: 'not_judged'; reason: 'running' | 'pending' | 'given_up'; detail: string | null };

type VerdictInput = Pick<Trace, 'status' | 'analysis' | 'root_cause' | 'leads'>;

/** Below this confidence a root cause is one lead among others. */
const MIN_CONFIDENCE = 0.4;
const MAX_LEADS = 3;

export function verdictOf(trace: VerdictInput, detections: readonly Detection[]): Verdict {
  const reported = worstFirst(detections.filter(isReported));
  const located = reported.filter(({ step }) => step !== null).map(toVerdictStep);
  const cause = trace.root_cause;
  if (cause !== null && cause.confidence >= MIN_CONFIDENCE)
    return {
      kind: 'decided',
      at: causeStep(cause, located),
      confidence: cause.confidence,
      reason: cause.why[0] ?? '',
      shownAt: cause.shows_at,
      detectionId: null,
      others: distinctSteps(located, cause.step),
    };
  const [worst] = reported;
  if (worst !== undefined && worst.step !== null)
    return {
      kind: 'decided',
      at: toVerdictStep(worst),
      confidence: confidenceOf(worst),
      reason: worst.title,
      shownAt: null,
      detectionId: worst.detection_id,
      others: distinctSteps([...(cause === null ? [] : [causeStep(cause, located)]), ...located], worst.step),
    };
  if (worst !== undefined)
    return { kind: 'whole_run', title: worst.title, detectionId: worst.detection_id, confidence: confidenceOf(worst) };
  if (trace.analysis.state === 'given_up')
    return { kind: 'not_judged', reason: 'given_up', detail: trace.analysis.reason };
  if (trace.status === 'running') return { kind: 'not_judged', reason: 'running', detail: null };
  if (trace.analysis.state === 'pending') return { kind: 'not_judged', reason: 'pending', detail: null };
  if (trace.leads.length > 0) return { kind: 'leads', leads: trace.leads.slice(0, MAX_LEADS).map(toLead) };
  return { kind: 'clean', status: trace.status };
}

/** Severity of the worst reported detection; null if there is none. */
export function worstReported(detections: readonly Detection[]): Severity | null {
  return worstFirst(detections.filter(isReported))[0]?.severity ?? null;
}

/** The detection that the verdict is about; undefined if it is about none. */
export function verdictDetection(verdict: Verdict, detections: readonly Detection[]): Detection | undefined {
  if (verdict.kind === 'whole_run') return detections.find(({ detection_id }) => detection_id === verdict.detectionId);
  if (verdict.kind !== 'decided') return undefined;
  const { at, shownAt, detectionId } = verdict;
  if (detectionId !== null) return detections.find(({ detection_id }) => detection_id === detectionId);
  // The root cause is a step before the detection that shows it, or the step of a detection.
  const reported = worstFirst(detections.filter(isReported));
  return reported.find(({ step }) => step === at.step) ?? reported.find(({ step }) => step === shownAt?.step);
}

/** The initially selected step; null if the verdict names none. */
export function decisiveStep(verdict: Verdict): number | null {
  if (verdict.kind === 'decided') return verdict.at.step;
  return verdict.kind === 'leads' ? (verdict.leads[0]?.step ?? null) : null;
}

function isReported({ severity, withdrawn_at, validation }: Detection): boolean {
  return severity !== 'observation' && withdrawn_at === null && validation?.is_valid !== false;
}

function worstFirst(detections: Detection[]): Detection[] {
  return detections.sort((a, b) => weightOf(b.severity) - weightOf(a.severity) || b.confidence - a.confidence);
}

/** Null for a fact, because its confidence is fixed. */
function confidenceOf({ basis, confidence }: Detection): number | null {
  return basis === 'fact' ? null : confidence;
}

function toVerdictStep({ step, agent_id, agent_kind }: Detection): VerdictStep {
  return { step: step ?? 0, agent: agent_id, isNode: agent_kind === 'node' };
}

function toLead({ step, agent, why }: Trace['leads'][number]): VerdictStep & { reason: string } {
  return { step, agent, reason: why[0] ?? '' };
}

/** A step of a workflow can have no agent; a detection at the step then names its node. */
function causeStep({ step, agent }: NonNullable<Trace['root_cause']>, located: readonly VerdictStep[]): VerdictStep {
  return agent === null ? (located.find((other) => other.step === step) ?? { step, agent }) : { step, agent };
}

/** What the verdict adds to the name of its step: the agent or node, unless the name contains it. */
export function actorOf({ agent, isNode }: VerdictStep, stepName: string): string | null {
  if (agent === null || stepName.includes(agent)) return null;
  return isNode ? `node ${agent}` : agent;
}

function distinctSteps(steps: readonly VerdictStep[], excludedStep: number): VerdictStep[] {
  const byStep = new Map(steps.map((step) => [step.step, step]));
  byStep.delete(excludedStep);
  return [...byStep.values()].slice(0, MAX_LEADS);
}
