import type { MinimapBins } from '../../trace-model/minimap-bins.ts';

/** Current values of the page's colour tokens. */
export interface MinimapColours {
  /** In order of the outline's kinds. */
  kinds: readonly string[];
  error: string;
  /** By weight of a severity, from 1. */
  severities: readonly string[];
  selection: string;
}

const LANE_PX = 5;
const MARKS_PX = 14;
const ERRORS_PX = 3;

export function minimapHeight({ lanes }: Pick<MinimapBins, 'lanes'>): number {
  return MARKS_PX + lanes * LANE_PX + ERRORS_PX + 2;
}

/** Draws a lane for each depth in the colours of the kinds, marks of detections above, and errors below. */
export function drawMinimap(
  context: CanvasRenderingContext2D,
  bins: MinimapBins,
  colours: MinimapColours,
  selected: number | null,
): void {
  const { width, lanes } = bins;
  context.clearRect(0, 0, width, minimapHeight(bins));
  for (let lane = 0; lane < lanes; lane++) drawLane(context, bins, lane, colours);
  drawErrors(context, bins, colours.error);
  if (selected !== null) {
    context.fillStyle = colours.selection;
    context.fillRect(Math.round(selected * (width - 1)) - 1, MARKS_PX, 2, lanes * LANE_PX);
  }
  drawMarks(context, bins, colours.severities);
}

function drawLane(
  context: CanvasRenderingContext2D,
  { kinds, width }: MinimapBins,
  lane: number,
  colours: MinimapColours,
): void {
  const row = kinds.subarray(lane * width, (lane + 1) * width);
  for (let from = 0; from < width; ) {
    let to = from + 1;
    while (to < width && row[to] === row[from]) to++;
    if (row[from] !== 0) {
      context.fillStyle = colours.kinds[row[from]! - 1] ?? colours.selection;
      context.fillRect(from, MARKS_PX + lane * LANE_PX, to - from, LANE_PX - 1);
    }
    from = to;
  }
}

function drawErrors(context: CanvasRenderingContext2D, { errors, width, lanes }: MinimapBins, colour: string): void {
  context.fillStyle = colour;
  for (let pixel = 0; pixel < width; pixel++)
    if (errors[pixel]! > 0) context.fillRect(pixel, MARKS_PX + lanes * LANE_PX, 2, ERRORS_PX);
}

/** Of marks closer than this, only the most severe is drawn. */
const MARK_PX = 8;

function drawMarks(
  context: CanvasRenderingContext2D,
  { severities, width }: MinimapBins,
  colours: readonly string[],
): void {
  for (let from = 0; from < width; from += MARK_PX) {
    let [worst, at] = [0, from];
    for (let pixel = from; pixel < Math.min(width, from + MARK_PX); pixel++)
      if (severities[pixel]! > worst) [worst, at] = [severities[pixel]!, pixel];
    // Observations are marked only in the tree.
    if (worst > 1) drawMark(context, Math.max(5, Math.min(width - 5, at)), worst, colours[worst - 1] ?? '');
  }
}

const CRITICAL = 4;
const WARNING = 3;

/** Draws the shape of a severity: octagon, triangle or ring. */
function drawMark(context: CanvasRenderingContext2D, x: number, weight: number, colour: string): void {
  const y = MARKS_PX / 2 - 1;
  context.beginPath();
  if (weight === CRITICAL) polygon(context, x, y, 5, 8, Math.PI / 8);
  else if (weight === WARNING) polygon(context, x, y + 1, 5.5, 3, -Math.PI / 2);
  else context.arc(x, y, 3.5, 0, Math.PI * 2);
  context.lineWidth = 2;
  context.strokeStyle = colour;
  context.fillStyle = colour;
  if (weight >= WARNING) context.fill();
  else context.stroke();
}

function polygon(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  corners: number,
  turn: number,
): void {
  for (let corner = 0; corner < corners; corner++) {
    const angle = turn + (corner * 2 * Math.PI) / corners;
    context.lineTo(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
  }
  context.closePath();
}
