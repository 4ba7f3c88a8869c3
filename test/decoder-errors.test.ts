import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PLACEHOLDER_ERROR, WRITTEN_ERRORS, writtenError } from '../src/core/decoder-error.ts';
import type { Detection } from '../src/core/detection.ts';
import type { Span } from '../src/core/span.ts';
import { analyzeSpans } from '../src/features/analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../src/features/analysis/tenant-detection.ts';
import { createModelCatalog } from '../src/formats/model-catalog/catalog.ts';
import { allRuns } from './support/all-runs.ts';

const models = createModelCatalog();
const failedRuns = allRuns().filter(([, spans]) => spans.length < 100 && spans.some(({ status }) => status.code === 2));
/** The run with `message` as the message of every error. */
function withMessage(spans: readonly Span[], message: string): Span[] {
  return spans.map((span) =>
    span.status.code === 2
      ? { ...span, status: { code: 2, message }, events: span.events.filter(({ name }) => name !== 'exception') }
      : span,
  );
}

function detectionsOf(spans: Span[]): Detection[] {
  return analyzeSpans(spans, { isSettled: true, models, tenant: DEFAULT_DETECTION }).result.detections;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
}

/** Quotes of the message in the texts of the detections, and evidence that shows it as part of the trace. */
function quotesOf(message: string, detections: readonly Detection[]): string[] {
  const quoted = `"${message.replace(/\.$/, '')}`;
  const texts = textsIn(detections.map(({ evidence, ...rest }) => rest)).filter((text) => text.includes(quoted));
  const shown = detections.flatMap(({ evidence }) => evidence).filter(({ quote }) => quote === message);
  return [...texts, ...shown.map(({ kind, path }) => `${kind} ${path}`)];
}

/** One word or `error: true` is also part of ordinary texts. */
const SENTENCES = [
  ...Object.values(PLACEHOLDER_ERROR).filter((message) => message.includes(' ') && message !== PLACEHOLDER_ERROR.flag),
  ...WRITTEN_ERRORS.map((name) => writtenError(name, 7, 9)),
];

it('the runs of this test quote the message of a sender', () => {
  const found = failedRuns.flatMap(([, spans]) => {
    const message = 'The ledger refused entry 7';
    return quotesOf(message, detectionsOf(withMessage(spans, message)));
  });
  expect(failedRuns.length).toBeGreaterThan(20);
  expect(found.length).toBeGreaterThan(20);
});

it.each(SENTENCES)('is not quoted as the words of a sender: %s', (message) => {
  const found = failedRuns.flatMap(([name, spans]) =>
    quotesOf(message, detectionsOf(withMessage(spans, message))).map((text) => `${name}: ${text}`),
  );
  expect(found).toEqual([]);
});

describe('a decoder writes error messages only through src/core/decoder-error.ts', () => {
  /** Lines that set the message of an error. */
  const ERROR_LINE = /\bcode: 2\b|\berrorStatus\(|\btype: ['"\w]+, message: |^ *message: .*(?:refused|failed|ended)/;
  /** A text among the alternatives of that message. */
  const LITERAL =
    /(?:message: |errorStatus\()(?:textIn\([^)]*\)|[\w.!]+)?(?: ?(?:\?\?|\|\||\?|:) ?[\w.]+)*(?: (?:\?\?|\|\||\?|:) )?(['`])([^'`]*[A-Za-z][^'`]*)\1/;
  const literalIn = (line: string) => (ERROR_LINE.test(line) ? (LITERAL.exec(line)?.[2] ?? null) : null);

  it.each([
    ["status: { code: 2, message: message ?? 'It broke.' },", 'It broke.'],
    ['return { code: 2, message: `ended as failed` };', 'ended as failed'],
    ["? errorStatus(textIn(event, 'error') ?? 'The run failed.')", 'The run failed.'],
    ["return { type: 'interrupted', message: 'interrupted by the user' };", 'interrupted by the user'],
    ['message: `refused by the user`,', 'refused by the user'],
    ["status: { code: 2, message: textIn(data, 'error') ?? PLACEHOLDER_ERROR.attempt },", null],
    ["rejections.push({ pointer, message: 'not JSON' });", null],
  ])('the scan: %s', (line, literal) => {
    expect(literalIn(line)).toBe(literal);
  });

  it('in every format', () => {
    const folder = join(import.meta.dirname, '../src/formats');
    const files = globSync('**/*.ts', { cwd: folder }).filter((file) => !file.endsWith('.test.ts'));
    const found = files.flatMap((file) =>
      readFileSync(join(folder, file), 'utf8')
        .split('\n')
        .filter((line) => literalIn(line) !== null)
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(files.length).toBeGreaterThan(100);
    expect(found).toEqual([]);
  });
});
