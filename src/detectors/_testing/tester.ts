import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Detection } from '../../core/detection.ts';
import type { ModelCatalog } from '../../core/model-catalog.ts';
import { isAtLeast, type Severity } from '../../core/severity.ts';
import { DEFAULT_THRESHOLDS, type Thresholds } from '../../core/thresholds.ts';
import type { Trace } from '../../core/trace.ts';
import type { Detector } from '../_kit/define.ts';
import { type EngineResult, runDetectors } from '../_runner/run.ts';
import { contractProblems } from './contract.ts';
import { withHealthyPrefix } from './healthy-prefix.ts';
import { parseTrace } from './notation.ts';

/** A trace and the expected detections, at default settings unless the row sets thresholds. */
export interface DetectorRow {
  name: string;
  /** A trace, or its text in the notation of `notation.ts`. */
  trace: Trace | string;
  thresholds?: Partial<Thresholds>;
  /** All expected detections of severity info or higher, in any order. Observations are compared only if listed. */
  fires?: readonly ExpectedDetection[];
  /** No detection of severity info or higher. */
  silent?: true;
  notApplicable?: true;
  /** False if additional steps change the result by design, for example with a step budget. */
  isPrefixInvariant?: false;
}

export interface ExpectedDetection {
  subtype: string;
  step?: number | null;
  agent?: string | null;
  severity?: Severity;
  minConfidence?: number;
  wastedTokens?: number;
  /** A part of the explanation. */
  text?: string;
  /** A part of the suggested action. */
  suggestion?: string;
  /** A part of the business impact. */
  impact?: string;
  /** A part of the title of a fix. */
  fix?: string;
  /** Parts of the evidence, each in a quote of its own. */
  shows?: readonly string[];
}

/** A catalog without models; rows that need prices provide their own. */
export const NO_MODELS: ModelCatalog = { find: () => null, costUsd: () => null };

export interface TesterOptions {
  models?: ModelCatalog;
  /** `new URL('./README.md', import.meta.url)`: its examples are run and its headings are checked. */
  readme?: URL;
}

/** Registers a vitest suite: the rows, the contract of every detection, and the README examples. */
export function testDetector(detector: Detector, rows: readonly DetectorRow[], options: TesterOptions = {}): void {
  const models = options.models ?? NO_MODELS;
  describe(detector.type, () => {
    it.each(rows.map((row) => ({ ...row })))('$name', (row) => {
      expect(rowProblems(detector, row, models)).toEqual([]);
    });
    if (options.readme === undefined) return;
    const text = readFileSync(options.readme, 'utf8');
    it('has a README with every heading', () => expect(missingHeadings(text)).toEqual([]));
    it.each(readmeRows(text))('$name', (row) => {
      expect(rowProblems(detector, row, models)).toEqual([]);
    });
  });
}

/** Differences between the result and the expectation of a row; empty if there are none. */
export function rowProblems(detector: Detector, row: DetectorRow, models: ModelCatalog = NO_MODELS): string[] {
  const trace = typeof row.trace === 'string' ? parseTrace(row.trace) : row.trace;
  const thresholds = { ...DEFAULT_THRESHOLDS, ...row.thresholds };
  const run = (of: Trace) => runOne(detector, of, thresholds, models);
  const result = run(trace);
  return [
    ...result.crashed.map(({ message }) => `crashed: ${message}`),
    ...expectationProblems(row, result),
    ...contractProblems(detector, trace, { thresholds, models }),
    ...(row.isPrefixInvariant === false ? [] : prefixProblems(result, trace, run)),
  ];
}

/**
 * Example blocks of a README: ```` ```trace fires=<subtype>,<subtype> ```` and ```` ```trace silent ````, each followed by
 * thresholds if the example needs them (`maxSteps=3`).
 */
export function readmeRows(text: string): DetectorRow[] {
  const blocks = text.split(/^```/m).filter((part) => part.startsWith('trace '));
  return blocks.map((block, at) => {
    const tag = block.slice('trace '.length, block.indexOf('\n')).trim();
    const [expected, ...settings] = tag.split(/\s+/) as [string, ...string[]];
    const row: DetectorRow = {
      name: `README example ${at + 1}: ${tag}`,
      trace: block.slice(block.indexOf('\n') + 1),
      thresholds: Object.fromEntries(settings.map((setting) => setting.split('=')).map(([k, v]) => [k, Number(v)])),
      isPrefixInvariant: false,
    };
    if (expected === 'silent') return { ...row, silent: true };
    const subtypes = /^fires=(\w+(?:,\w+)*)$/.exec(expected)?.[1]?.split(',');
    if (subtypes === undefined) throw new Error(`README: unknown tag "${tag}"`);
    return { ...row, fires: subtypes.map((subtype) => ({ subtype })) };
  });
}

export const README_HEADINGS = [
  'What it detects',
  'Why it matters',
  'Fires on',
  'Stays silent on',
  'What to do',
  'Known misses',
] as const;

export function missingHeadings(text: string): string[] {
  return README_HEADINGS.filter((heading) => !text.split('\n').includes(`## ${heading}`));
}

function runOne(detector: Detector, trace: Trace, thresholds: Thresholds, models: ModelCatalog): EngineResult {
  const detectors = [{ detector, calibration: null }];
  return runDetectors(trace, { thresholds, models, overrides: {}, enabled: {}, detectors });
}

function expectationProblems(row: DetectorRow, result: EngineResult): string[] {
  const problems: string[] = [];
  const isApplicable = result.notApplicable.length === 0;
  if (row.notApplicable && isApplicable) problems.push('was applicable');
  if (!row.notApplicable && !isApplicable) problems.push(`not applicable: ${result.notApplicable[0]!.why}`);
  if (!row.fires && !row.silent && !row.notApplicable) problems.push('the row expects nothing');
  const unexpected = [...result.detections];
  for (const expected of row.fires ?? []) {
    const at = unexpected.findIndex((detection) => matches(detection, expected));
    if (at === -1) problems.push(`expected ${JSON.stringify(expected)}, found ${summary(result.detections)}`);
    else unexpected.splice(at, 1);
  }
  const reported = unexpected.filter((detection) => isAtLeast(detection.severity, 'info'));
  if (reported.length > 0) problems.push(`unexpected ${summary(reported)}`);
  return problems;
}

function matches(detection: Detection, expected: ExpectedDetection): boolean {
  return (
    detection.subtype === expected.subtype &&
    (expected.step === undefined || detection.step === expected.step) &&
    (expected.agent === undefined || detection.agent === expected.agent) &&
    (expected.severity === undefined
      ? isAtLeast(detection.severity, 'info')
      : detection.severity === expected.severity) &&
    detection.confidence >= (expected.minConfidence ?? 0) &&
    (expected.wastedTokens === undefined || detection.wastedTokens === expected.wastedTokens) &&
    detection.explanation.includes(expected.text ?? '') &&
    detection.suggestedAction.includes(expected.suggestion ?? '') &&
    detection.businessImpact.includes(expected.impact ?? '') &&
    (expected.fix === undefined || detection.fixes.some(({ title }) => title.includes(expected.fix!))) &&
    (expected.shows ?? []).every((piece) => detection.evidence.some(({ quote }) => quote?.includes(piece)))
  );
}

function summary(detections: readonly Detection[]): string {
  const shown = detections.map(
    ({ subtype, step, agent, severity, confidence, wastedTokens, explanation }) =>
      `${subtype}@${step} ${agent} ${severity} ${confidence} wasted ${wastedTokens}: ${explanation}`,
  );
  return shown.length === 0 ? 'nothing' : shown.join(' | ');
}

/** A longer healthy prefix must not cause a detection. */
function prefixProblems(plain: EngineResult, trace: Trace, run: (trace: Trace) => EngineResult): string[] {
  const known = new Set(plain.detections.map(({ subtype }) => subtype));
  const reported = run(withHealthyPrefix(trace)).detections.filter(({ severity }) => isAtLeast(severity, 'info'));
  const created = reported.filter(({ subtype }) => !known.has(subtype));
  return created.length === 0 ? [] : [`a healthy prefix created ${summary(created)}`];
}
