import { readFileSync } from 'node:fs';
import type { Trace } from '../../../src/core/trace.ts';
import { parseTrace } from '../../../src/detectors/_kit/notation.ts';

export interface BaseRun {
  name: string;
  trace: Trace;
}

/** The runs of `base-runs.txt`, in the notation of the detectors, and of `base-runs.jsonl`, which the notation cannot write. */
export function baseRuns(): BaseRun[] {
  const parts = read('base-runs.txt').split(/^## /m);
  const written = parts.filter((part) => part.trim() !== '').map(readPart);
  const whole = read('base-runs.jsonl').trim().split('\n');
  return [...written, ...whole.map((line) => JSON.parse(line) as BaseRun)];
}

function readPart(part: string): BaseRun {
  const end = part.indexOf('\n');
  return { name: part.slice(0, end), trace: parseTrace(part.slice(end + 1)) };
}

function read(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}
