import type { Tree } from '../../src/detectors/_models/boosted-trees.ts';
import type { Binned } from './feature-bins.ts';
import type { Derivatives } from './gradient-boosting.ts';

export interface TreeLimits {
  rows: Int32Array;
  features: Int32Array;
  learningRate: number;
  maxLeaves: number;
  minRows: number;
  minHessian: number;
  l2: number;
}

export interface GrownTree {
  tree: Tree;
  /** The leaf each row falls into, sampled or not. */
  leafOfRow(binned: Binned): Int32Array;
}

interface Leaf {
  rows: Int32Array;
  gradient: number;
  hessian: number;
  split: Split | null;
  /** Where the child number of this leaf is written: an inner node and a side; null for the root. */
  slot: { node: number; side: 'left' | 'right' } | null;
}

interface Split {
  feature: number;
  /** Bins up to it go left. */
  bin: number;
  gain: number;
}

interface Inner {
  feature: number;
  bin: number;
  left: number;
  right: number;
}

/** One regression tree: the leaf with the highest gain is split until the limit; null if nothing can be split. */
export function growTree(binned: Binned, derivatives: Derivatives, limits: TreeLimits): GrownTree | null {
  const leaves = [makeLeaf(binned, derivatives, limits, limits.rows, null)];
  const inner: Inner[] = [];
  while (leaves.length < limits.maxLeaves) {
    const best = bestLeaf(leaves);
    if (best === null) break;
    const { rows, split, slot } = leaves[best]!;
    const node = inner.push({ feature: split!.feature, bin: split!.bin, left: 0, right: 0 }) - 1;
    if (slot !== null) inner[slot.node]![slot.side] = node;
    const column = binned.bins[split!.feature]!;
    const make = (side: 'left' | 'right') => {
      const own = rows.filter((row) => column[row]! <= split!.bin === (side === 'left'));
      return makeLeaf(binned, derivatives, limits, own, { node, side });
    };
    leaves.splice(best, 1, make('left'), make('right'));
  }
  return inner.length === 0 ? null : finished(binned, inner, leaves, limits);
}

function finished(binned: Binned, inner: Inner[], leaves: readonly Leaf[], { l2, learningRate }: TreeLimits) {
  for (const [index, { slot }] of leaves.entries()) inner[slot!.node]![slot!.side] = -1 - index;
  const tree: Tree = {
    feature: inner.map(({ feature }) => feature),
    threshold: inner.map(({ feature, bin }) => thresholdOf(binned, feature, bin)),
    left: inner.map(({ left }) => left),
    right: inner.map(({ right }) => right),
    leaf: leaves.map(({ gradient, hessian }) => (-learningRate * gradient) / (hessian + l2)),
  };
  return { tree, leafOfRow: (columns: Binned) => leavesOfRows(columns, inner) };
}

/** Bin 0 alone on the left: only what is not a number, so below every number. */
function thresholdOf({ edges }: Binned, feature: number, bin: number): number {
  return bin === 0 ? -Number.MAX_VALUE : edges[feature]![bin - 1]!;
}

function leavesOfRows({ bins, rows }: Binned, inner: readonly Inner[]): Int32Array {
  return Int32Array.from({ length: rows }, (_, row) => {
    let node = 0;
    while (node >= 0) {
      const { feature, bin, left, right } = inner[node]!;
      node = bins[feature]![row]! <= bin ? left : right;
    }
    return -1 - node;
  });
}

function bestLeaf(leaves: readonly Leaf[]): number | null {
  let best: number | null = null;
  for (const [index, { split }] of leaves.entries()) {
    if (split !== null && (best === null || split.gain > leaves[best]!.split!.gain)) best = index;
  }
  return best;
}

function makeLeaf(
  binned: Binned,
  derivatives: Derivatives,
  limits: TreeLimits,
  rows: Int32Array,
  slot: Leaf['slot'],
): Leaf {
  const [gradient, hessian] = sums(rows, derivatives);
  const split =
    rows.length < 2 * limits.minRows ? null : bestSplit(binned, derivatives, limits, rows, gradient, hessian);
  return { rows, gradient, hessian, split, slot };
}

function sums(rows: Int32Array, { gradient, hessian }: Derivatives): [number, number] {
  let [g, h] = [0, 0];
  for (const row of rows) {
    g += gradient[row]!;
    h += hessian[row]!;
  }
  return [g, h];
}

function bestSplit(
  binned: Binned,
  derivatives: Derivatives,
  limits: TreeLimits,
  rows: Int32Array,
  gradient: number,
  hessian: number,
): Split | null {
  let best: Split | null = null;
  const parent = quality(gradient, hessian, limits.l2);
  for (const feature of limits.features) {
    const split = bestSplitOf(feature, binned, derivatives, limits, rows, { gradient, hessian, parent });
    if (split !== null && (best === null || split.gain > best.gain)) best = split;
  }
  return best;
}

function bestSplitOf(
  feature: number,
  binned: Binned,
  { gradient, hessian }: Derivatives,
  { minRows, minHessian, l2 }: TreeLimits,
  rows: Int32Array,
  all: { gradient: number; hessian: number; parent: number },
): Split | null {
  const column = binned.bins[feature]!;
  const size = binned.edges[feature]!.length + 2;
  const [counts, gs, hs] = [new Int32Array(size), new Float64Array(size), new Float64Array(size)];
  for (const row of rows) {
    const bin = column[row]!;
    counts[bin]! += 1;
    gs[bin]! += gradient[row]!;
    hs[bin]! += hessian[row]!;
  }
  let best: Split | null = null;
  let [count, g, h] = [0, 0, 0];
  for (let bin = 0; bin < size - 1; bin += 1) {
    count += counts[bin]!;
    g += gs[bin]!;
    h += hs[bin]!;
    if (count < minRows || h < minHessian) continue;
    if (rows.length - count < minRows || all.hessian - h < minHessian) break;
    const gain = quality(g, h, l2) + quality(all.gradient - g, all.hessian - h, l2) - all.parent;
    if (gain > 1e-9 && (best === null || gain > best.gain)) best = { feature, bin, gain };
  }
  return best;
}

function quality(gradient: number, hessian: number, l2: number): number {
  return (gradient * gradient) / (hessian + l2);
}
