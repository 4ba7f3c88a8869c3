import { printableJson } from './printable.ts';
import type { TraceFindings } from './trace-findings.ts';

/** An array of `{trace, detections}` with the names of the wire. */
export function findingsJson(all: readonly TraceFindings[]): string {
  return `${printableJson(all.map(({ trace, detections }) => ({ trace, detections })))}\n`;
}
