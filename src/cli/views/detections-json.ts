import { printableJson } from './printable.ts';
import type { TraceDetections } from './trace-detections.ts';

/** An array of `{trace, detections}` with wire names. */
export function detectionsJson(all: readonly TraceDetections[]): string {
  return `${printableJson(all.map(({ trace, detections }) => ({ trace, detections })))}\n`;
}
