import { createHash } from 'node:crypto';
import type { Detection } from '../../core/detection.ts';
import type { CodingSession } from '../../core/trace.ts';
import {
  dayOf,
  type FigureDimension,
  type FigureShare,
  type TraceFigures,
  toNanoUsd,
  type WorkflowShare,
} from '../../core/trace-figures.ts';
import type { ModelUse } from '../../formats/trace-model/summarize-models.ts';

/** Facts of an analyzed trace. */
export interface FigureSource {
  framework: string;
  serviceName: string | null;
  name: string;
  /** Null for a trace that is not a session of a coding agent. */
  codingSession: Pick<CodingSession, 'project'> | null;
  /** Unix milliseconds. */
  startedAt: number;
  spanCount: number;
  totalTokens: number;
  costUsd: number | null;
  qualityScore: number | null;
  models: readonly ModelUse[];
  /** Detections that are neither withdrawn nor marked as false; observations are not counted. */
  detections: readonly Pick<
    Detection,
    'type' | 'subtype' | 'agent' | 'severity' | 'spanIds' | 'wastedTokens' | 'wastedCostUsd'
  >[];
}

/** Label for spans without a model. */
export const UNKNOWN_MODEL = 'unknown';

export function figuresOfTrace(source: FigureSource): TraceFigures {
  return { day: dayOf(source.startedAt), shares: sharesOf(source), workflow: workflowShareOf(source) };
}

function sharesOf(source: FigureSource): FigureShare[] {
  const { framework, totalTokens, costUsd, models } = source;
  const sums = createSums();
  // A run without a model call has nothing to price.
  const unpriced = costUsd === null && (models.some(({ model }) => model !== null) || totalTokens > 0) ? 1 : 0;
  sums.add('framework', framework, { tokens: totalTokens, costUsd: costUsd ?? 0, amount: unpriced });
  for (const { model, tokens, costUsd: cost } of models)
    sums.add('model', model ?? UNKNOWN_MODEL, { tokens, costUsd: cost });
  addDetections(sums, source);
  return sums.shares();
}

type Detections = Pick<FigureSource, 'qualityScore' | 'detections'>;

/** The contribution of the same trace with other detections. */
export function withDetections(figures: TraceFigures, detections: Detections): TraceFigures {
  const sums = createSums();
  addDetections(sums, detections);
  const kept = figures.shares.filter(({ dimension }) => dimension === 'framework' || dimension === 'model');
  const { qualityScore } = detections;
  const scoreTenths = qualityScore === null ? null : toTenths(qualityScore);
  return {
    day: figures.day,
    shares: [...kept, ...sums.shares()],
    workflow: { ...figures.workflow, scoreTenths },
  };
}

function addDetections(sums: Sums, { qualityScore, detections }: Detections): void {
  if (qualityScore !== null) sums.add('score', scoreLabel(qualityScore), { amount: toTenths(qualityScore) });
  for (const detection of detections) if (detection.severity !== 'observation') addDetection(sums, detection);
}

function addDetection(sums: Sums, detection: FigureSource['detections'][number]): void {
  const { type, subtype, agent, spanIds, wastedTokens, wastedCostUsd } = detection;
  const wasted = { tokens: wastedTokens, costUsd: wastedCostUsd };
  sums.add('detection', type, wasted);
  if (type !== 'loop') return;
  sums.add('loop', subtype, { ...wasted, amount: spanIds.length });
  if (agent !== null) sums.add('loop_agent', agent, wasted);
}

function workflowShareOf(source: FigureSource): WorkflowShare {
  const { framework, serviceName, spanCount, totalTokens, costUsd, qualityScore, startedAt } = source;
  const name = workflowNameOf(source);
  return {
    workflowId: workflowIdOf(framework, serviceName, name),
    source: framework,
    serviceName,
    name,
    stepCount: spanCount,
    tokens: Math.round(totalTokens),
    costNanoUsd: toNanoUsd(costUsd ?? 0),
    scoreTenths: qualityScore === null ? null : toTenths(qualityScore),
    seenAt: startedAt,
  };
}

/** Sessions of a coding agent have names of their own; those in one project are runs of one workflow. */
function workflowNameOf({ name, framework, codingSession }: FigureSource): string {
  return codingSession === null ? name : (codingSession.project ?? framework);
}

/** The same three values always give the same id. */
export function workflowIdOf(source: string, serviceName: string | null, name: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([source, serviceName, name]))
    .digest('hex');
  return `wf_${digest.slice(0, 24)}`;
}

/** `0` for scores below 10, … `9` for 90 to 100. */
function scoreLabel(score: number): string {
  return String(Math.min(9, Math.floor(score / 10)));
}

function toTenths(score: number): number {
  return Math.round(score * 10);
}

type Added = { tokens?: number; costUsd?: number; amount?: number };

interface Sums {
  add(dimension: FigureDimension, label: string, added: Added): void;
  shares(): FigureShare[];
}

function createSums(): Sums {
  const sums = new Map<string, FigureShare>();
  return {
    add(dimension, label, { tokens = 0, costUsd = 0, amount = 0 }) {
      const key = `${dimension} ${label}`;
      const sum = sums.get(key) ?? { dimension, label, count: 0, tokens: 0, costNanoUsd: 0, amount: 0 };
      sums.set(key, sum);
      sum.count += 1;
      sum.tokens += Math.round(tokens);
      sum.costNanoUsd += toNanoUsd(costUsd);
      sum.amount += amount;
    },
    shares: () => [...sums.values()],
  };
}
