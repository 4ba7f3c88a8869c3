import { readFileSync } from 'node:fs';
import type { Thresholds } from '../../../src/core/thresholds.ts';
import type { Trace } from '../../../src/core/trace.ts';
import { parseTrace } from '../../../src/detectors/_testing/notation.ts';

export interface BaseRun {
  name: string;
  trace: Trace;
  /** Settings of the user, after the name as `[maxSteps=3]`; absent if the run uses the defaults. */
  thresholds?: Partial<Thresholds>;
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
  const [name, settings] = part.slice(0, end).split(/ \[(?=\w+=\d)|\]$/) as [string, string?];
  const trace = parseTrace(part.slice(end + 1));
  if (settings === undefined) return { name, trace };
  const pairs = settings.split(' ').map((setting) => setting.split('=') as [string, string]);
  return { name, trace, thresholds: Object.fromEntries(pairs.map(([field, value]) => [field, Number(value)])) };
}

function read(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}
