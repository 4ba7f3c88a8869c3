import { z } from 'zod';
import type { Severity } from '../../core/severity.ts';
import type { Step, Trace } from '../../core/trace.ts';
import { rankSteps } from '../../detectors/_attribution/rank-steps.ts';
import type { Attribution, RankedStep } from '../../detectors/_attribution/ranking.ts';
import { ruleCause } from '../../detectors/_attribution/rule-cause.ts';

const candidate = z.object({
  step: z.number().int(),
  span_id: z.string(),
  agent: z.string().nullable(),
  share: z.number().describe('Of all steps of the run by the ranking; the shares of all steps sum to 1'),
});

/**
 * The step that most likely decided a failed run: the one a critical finding names, else by a model fitted on labelled
 * runs (docs/detectors.md).
 */
export const rootCauseRecord = z
  .object({
    agent: z.string().nullable(),
    step: z.number().int(),
    span_id: z.string(),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .describe(
        'Probability that exactly this step is the decisive one; where a finding names it, that of the finding',
      ),
    why: z.array(z.string()).describe('At least one reason, the strongest first'),
    candidates: z.array(candidate).describe('The likeliest steps, at most three'),
  })
  .meta({ id: 'RootCause' });
export type RootCause = z.input<typeof rootCauseRecord>;

/** What a finding says of where the run went wrong. */
export interface Symptom {
  severity: Severity;
  confidence: number;
  /** Index into `Trace.steps`; null where the finding is about the whole run. */
  step: number | null;
  agent: string | null;
  title: string;
}

/** The ranking takes a failure as given, so a run without findings has no root cause. */
export function rootCauseOf(trace: Trace, symptoms: readonly Symptom[]): RootCause | null {
  const counted = symptoms.filter(({ severity }) => severity !== 'observation');
  if (counted.length === 0) return null;
  const ranked = rankSteps(trace);
  const isActor = actorsOf(trace);
  const top = (ranked?.top ?? []).filter(({ step }) => isActor(step));
  const named = namedStep(trace, counted, isActor, ranked) ?? ruledStep(trace, isActor, ranked);
  const first = named === null ? top[0] : rankedAs(named, top);
  if (first === undefined) return null;
  const candidates = [first, ...top.filter(({ step }) => step !== first.step)].slice(0, SHOWN);
  return {
    ...responsible(trace, first, named, ranked),
    step: first.step,
    span_id: trace.steps[first.step]!.spanId,
    why: whyOf(first, counted, top.length),
    candidates: candidates.map(({ step, agent, score }) => ({
      step,
      span_id: trace.steps[step]!.spanId,
      agent,
      share: rounded(score),
    })),
  };
}

const SHOWN = 3;
/** A fact says that something happened, not that it decided the run: nothing is surer than an unproven estimate. */
const MOST_SURE = 0.7;
/** Where a finding is this sure and the run is like none the ranking was fitted on, the finding knows more. */
const SURE_WARNING = 0.4;
/** Of the rules' surest steps in runs on TRAIL's dev traces, about half carry an error of high impact. */
const RULE_CONFIDENCE = 0.5;

/** What names a step with more right than the ranking. */
interface Named {
  step: number;
  agent: string | null;
  confidence: number;
  why: string[];
}

/** The step of the surest critical finding; in runs of a shape the ranking does not know also of a warning. */
function namedStep(
  { steps }: Trace,
  symptoms: readonly Symptom[],
  isActor: (step: number) => boolean,
  ranked: Attribution | null,
): Named | null {
  const isKnown = ranked?.isKnownShape === true;
  const able = symptoms.flatMap((symptom) => {
    if (symptom.step === null) return [];
    const isSure = symptom.severity === 'warning' && symptom.confidence >= SURE_WARNING && isActor(symptom.step);
    const isCritical = symptom.severity === 'critical' && (isActor(symptom.step) || isPart(steps[symptom.step]));
    return isCritical || (isSure && !isKnown) ? [{ ...symptom, step: symptom.step, why: [] }] : [];
  });
  const rankOf = ({ severity, confidence }: Symptom) => confidence + (severity === 'critical' ? 1 : 0);
  return able.sort((a, b) => rankOf(b) - rankOf(a) || a.step - b.step)[0] ?? null;
}

/** In runs of a shape the ranking does not know the rules do better. */
function ruledStep(trace: Trace, isActor: (step: number) => boolean, ranked: Attribution | null): Named | null {
  const ruled = ranked?.isKnownShape === true ? null : ruleCause(trace);
  if (ruled === null || !isActor(ruled.step)) return null;
  return { step: ruled.step, agent: trace.steps[ruled.step]!.agent, confidence: RULE_CONFIDENCE, why: [ruled.why] };
}

function rankedAs({ step, agent, why }: Named, top: readonly RankedStep[]): RankedStep {
  const ranked = top.find((one) => one.step === step) ?? { step, agent, score: 0, why: [] };
  return { ...ranked, why: [...why, ...ranked.why] };
}

function responsible(
  trace: Trace,
  first: RankedStep,
  named: Named | null,
  ranked: Attribution | null,
): Pick<RootCause, 'agent' | 'confidence'> {
  if (named !== null)
    return {
      agent: named.agent ?? first.agent ?? trace.steps[first.step]!.agent,
      confidence: rounded(Math.min(named.confidence, MOST_SURE)),
    };
  const isTop = ranked !== null && first.step === ranked.step;
  return {
    agent: isTop ? ranked.agent : first.agent,
    confidence: rounded(isTop ? ranked.confidence : Math.min(ranked?.confidence ?? 0, first.score)),
  };
}

/** Findings that point at the step, then what the ranking sees in it. */
function whyOf(first: RankedStep, symptoms: readonly Symptom[], rankedSteps: number): string[] {
  const titles = new Set(symptoms.filter(({ step }) => step === first.step).map(({ title }) => title));
  const reasons = [...[...titles].map((title) => `a finding points at it: ${title}`), ...first.why];
  if (reasons.length > 0) return reasons.slice(0, SHOWN);
  return [
    rankedSteps === 1 ? 'it is the only step in which somebody acted' : 'many weak signs together, no single one',
  ];
}

/** A framework's own steps (`__start__`) decide nothing. */
const PLUMBING = /^__\w+__$/;

/**
 * Whether a step can be to blame: not what the user or a system prompt said, and, in runs with models or tools, no step
 * that only holds others or sets something up.
 */
function actorsOf({ steps }: Trace): (step: number) => boolean {
  const hasActs = steps.some(({ kind, name }) => isAct(kind) && !PLUMBING.test(name));
  return (index) => {
    const step = steps[index];
    if (step === undefined || PLUMBING.test(step.name)) return false;
    const role = step.outputMessages[0]?.role;
    if (step.kind === 'message') return role !== 'user' && role !== 'system';
    return isAct(step.kind) || step.status === 'error' || !hasActs;
  };
}

/** A node of a graph holds the steps of its agent; a critical finding that names it means what it did as a whole. */
function isPart(step: Step | undefined): boolean {
  if (step === undefined || step.parent === null || step.kind === 'message') return false;
  return (step.agent ?? step.node) !== null && !PLUMBING.test(step.name);
}

function isAct(kind: Step['kind']): boolean {
  return kind === 'llm' || kind === 'tool' || kind === 'retrieval' || kind === 'guardrail';
}

function rounded(share: number): number {
  return Math.round(share * 1000) / 1000;
}
