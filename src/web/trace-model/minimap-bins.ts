import { STATUS_ERROR, type TraceColumns } from './columns.ts';
import type { TimeScale } from './time-scale.ts';

export interface MinimapBins {
  width: number;
  lanes: number;
  /** The kind that most steps in a lane have at a pixel, plus one; 0 where no step runs. Entry `lane * width + pixel`. */
  kinds: Uint8Array;
  /** Steps with an error status that start at a pixel. */
  errors: Uint32Array;
  /** Weight of the worst detection whose step starts at a pixel, 0 for none; and how many there are. */
  severities: Uint8Array;
  detections: Uint32Array;
}

/** A lane is one depth; the last lane holds all that are deeper. */
const LANES = 6;
/** Outlines have at most ten kinds: one digit a step. */
const KINDS = 10;

export interface MinimapSource {
  columns: TraceColumns;
  shownEnd: Float64Array;
  /** Of the whole run. */
  scale: TimeScale;
  /** Weight of the worst detection on each step. */
  worst: Uint8Array;
  /** Steps that count; null for all. */
  shown?: Uint8Array | null;
}

/** Linear in steps plus pixels: a long step adds to the difference at two pixels, and the sums are built once. */
export function minimapBins(source: MinimapSource, width: number): MinimapBins {
  const { columns, shownEnd, scale, worst, shown = null } = source;
  const differences = new Int32Array(LANES * KINDS * (width + 1));
  const bins: MinimapBins = {
    width,
    lanes: LANES,
    kinds: new Uint8Array(LANES * width),
    errors: new Uint32Array(width),
    severities: new Uint8Array(width),
    detections: new Uint32Array(width),
  };
  for (let step = 0; step < columns.total; step++) {
    if (Number.isNaN(columns.start[step]!) || shown?.[step] === 0) continue;
    const from = pixelOf(scale, columns.start[step]!, width);
    const to = pixelOf(scale, shownEnd[step]!, width);
    const row = rowOf(columns, step) * (width + 1);
    differences[row + from]!++;
    differences[row + to + 1]!--;
    if (columns.status[step] === STATUS_ERROR) bins.errors[from]!++;
    if (worst[step]! > 0) bins.detections[from]!++;
    bins.severities[from] = Math.max(bins.severities[from]!, worst[step]!);
  }
  paintKinds(bins, differences);
  return bins;
}

function rowOf(columns: TraceColumns, step: number): number {
  return Math.min(columns.depth[step]!, LANES - 1) * KINDS + Math.min(columns.kind[step]!, KINDS - 1);
}

function pixelOf(scale: TimeScale, time: number, width: number): number {
  return Math.max(0, Math.min(width - 1, Math.floor(scale.toUnit(time) * width)));
}

function paintKinds({ kinds, width }: MinimapBins, changes: Int32Array): void {
  for (let lane = 0; lane < LANES; lane++) {
    const running = new Int32Array(KINDS);
    for (let pixel = 0; pixel < width; pixel++) {
      let maxCount = 0;
      for (let kind = 0; kind < KINDS; kind++) {
        running[kind]! += changes[(lane * KINDS + kind) * (width + 1) + pixel]!;
        if (running[kind]! > maxCount) {
          maxCount = running[kind]!;
          kinds[lane * width + pixel] = kind + 1;
        }
      }
    }
  }
}
