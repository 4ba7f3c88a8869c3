/** A sentence, line or JSON string inside a text. */
export interface Segment {
  start: number;
  end: number;
}

/** Number of characters to examine on either side of an anchor. */
const MAX_DISTANCE = 220;

/** The segments that contain the anchors at `positions`, without overlaps, in order. */
export function segmentsAround(text: string, positions: readonly number[]): Segment[] {
  const segments: Segment[] = [];
  let covered = -1;
  for (const position of positions) {
    if (position < covered) continue;
    const start = Math.max(leftEdge(text, position), covered, 0);
    const end = rightEdge(text, position);
    segments.push({ start, end });
    covered = end;
  }
  return segments;
}

function leftEdge(text: string, position: number): number {
  const limit = Math.max(0, position - MAX_DISTANCE);
  for (let index = position - 1; index >= limit; index -= 1) if (isEdge(text, index)) return index + 1;
  return limit;
}

function rightEdge(text: string, position: number): number {
  const limit = Math.min(text.length, position + MAX_DISTANCE);
  for (let index = position; index < limit; index += 1) if (isEdge(text, index)) return index + 1;
  return limit;
}

/** Whether a sentence, a line or a quoted JSON value ends at this character. */
function isEdge(text: string, index: number): boolean {
  const unit = text[index]!;
  if (unit === '\n' || unit === '。' || unit === '！' || unit === '？') return true;
  const next = text[index + 1];
  if (unit === '.' || unit === '!' || unit === '?')
    return next === ' ' || next === undefined || next === '"' || next === "'";
  if (unit === '\\') return next === 'n';
  if (unit === '"' || unit === "'") return next === ',' || next === ':' || next === '}' || next === ']';
  return false;
}
