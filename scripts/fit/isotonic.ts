import type { ProbabilityCurve } from '../../src/detectors/_models/calibration-curve.ts';

export interface Scored {
  score: number;
  /** 0 or 1. */
  label: number;
  weight?: number;
}

interface Block {
  from: number;
  to: number;
  weight: number;
  hits: number;
}

/**
 * The best rising step function from score to probability, by pooling adjacent violators (Ayer et al. 1955), as a curve with
 * at most two points per block. Each block is smoothed towards the base rate with the weight of one sample, so that no
 * probability is exactly 0 or 1.
 */
export function isotonicCurve(samples: readonly Scored[]): ProbabilityCurve {
  const blocks = pooled(samples);
  const total = blocks.reduce((sum, { weight }) => sum + weight, 0);
  const base = blocks.reduce((sum, { hits }) => sum + hits, 0) / total;
  const points = blocks.flatMap(({ from, to, hits, weight }) => {
    const probability = round((hits + base) / (weight + 1));
    return from === to
      ? [[round(from), probability]]
      : [
          [round(from), probability],
          [round(to), probability],
        ];
  });
  return withoutRepeats(points as [number, number][]);
}

function pooled(samples: readonly Scored[]): Block[] {
  const sorted = [...samples].sort((a, b) => a.score - b.score);
  const blocks: Block[] = [];
  for (const { score, label, weight = 1 } of sorted) {
    const last = blocks.at(-1);
    const block = { from: score, to: score, weight, hits: label * weight };
    if (last !== undefined && last.to === score) absorb(last, block);
    else blocks.push(block);
  }
  const rising: Block[] = [];
  for (const block of blocks) {
    rising.push({ ...block });
    while (rising.length > 1 && rate(rising.at(-2)!) >= rate(rising.at(-1)!)) absorb(rising.at(-2)!, rising.pop()!);
  }
  return rising;
}

function absorb(into: Block, block: Block): void {
  into.to = block.to;
  into.weight += block.weight;
  into.hits += block.hits;
}

function rate({ hits, weight }: Block): number {
  return hits / weight;
}

/** Rounding may merge points, and smoothing may reverse the order of a pair. */
function withoutRepeats(points: readonly [number, number][]): [number, number][] {
  const kept: [number, number][] = [];
  for (const [score, probability] of points) {
    const last = kept.at(-1);
    const risen = Math.max(probability, last?.[1] ?? 0);
    if (last !== undefined && last[0] === score) last[1] = risen;
    else kept.push([score, risen]);
  }
  return kept;
}

function round(value: number): number {
  return Math.round(value * 1e5) / 1e5;
}

/**
 * Platt (1999): probability = 1 / (1 + exp(-(slope · score + offset))), with his smoothed targets, by Newton's method. A
 * step that would raise the loss is halved until it does not (Lin, Lin and Weng 2007): on scores that separate the classes,
 * full steps diverge.
 */
export function plattScaling(samples: readonly Scored[]): { slope: number; offset: number } {
  const hits = samples.filter(({ label }) => label === 1).length;
  const targets = { 1: (hits + 1) / (hits + 2), 0: 1 / (samples.length - hits + 2) };
  const aimed = samples.map(({ score, label }) => ({ score, target: label === 1 ? targets[1] : targets[0] }));
  let line: Line = { slope: 0, offset: Math.log((hits + 1) / (samples.length - hits + 1)) };
  let loss = plattLoss(aimed, line);
  for (let round = 0; round < 100; round += 1) {
    const { step, gradient } = newtonStep(aimed, line);
    if (gradient < 1e-8) break;
    const next = backtrack(aimed, line, step, loss);
    if (next === null) break;
    ({ line, loss } = next);
  }
  return line;
}

interface Line {
  slope: number;
  offset: number;
}

interface Aimed {
  score: number;
  target: number;
}

function newtonStep(samples: readonly Aimed[], { slope, offset }: Line): { step: Line; gradient: number } {
  let [gradientA, gradientB, aa, ab, bb] = [0, 0, 1e-9, 0, 1e-9];
  for (const { score, target } of samples) {
    const p = 1 / (1 + Math.exp(-(slope * score + offset)));
    const curvature = p * (1 - p);
    gradientA += (p - target) * score;
    gradientB += p - target;
    aa += curvature * score * score;
    ab += curvature * score;
    bb += curvature;
  }
  const determinant = Math.max(1e-12, aa * bb - ab * ab);
  const step = {
    slope: (bb * gradientA - ab * gradientB) / determinant,
    offset: (aa * gradientB - ab * gradientA) / determinant,
  };
  return { step, gradient: Math.abs(gradientA) + Math.abs(gradientB) };
}

function backtrack(samples: readonly Aimed[], { slope, offset }: Line, step: Line, loss: number) {
  for (let share = 1; share > 1e-10; share /= 2) {
    const line = { slope: slope - share * step.slope, offset: offset - share * step.offset };
    const reached = plattLoss(samples, line);
    if (reached < loss) return { line, loss: reached };
  }
  return null;
}

/** Cross-entropy; written so that no logit overflows. */
function plattLoss(samples: readonly Aimed[], { slope, offset }: Line): number {
  let loss = 0;
  for (const { score, target } of samples) {
    const logit = slope * score + offset;
    loss += Math.max(0, logit) - target * logit + Math.log1p(Math.exp(-Math.abs(logit)));
  }
  return loss;
}
