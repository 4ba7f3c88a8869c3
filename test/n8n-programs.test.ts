import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mergeSpans } from '../src/core/merge-spans.ts';
import type { Span } from '../src/core/span.ts';
import { analyzeSpans } from '../src/features/analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../src/features/analysis/tenant-detection.ts';
import { decodeAny } from '../src/formats/detect/detect-format.ts';
import { createModelCatalog } from '../src/formats/model-catalog/catalog.ts';
import { compactTrace } from './support/compact-trace.ts';

/** Shapes of n8n 2.41.1 with contents of our own: each workflow as the API, the telemetry and the webhooks report it. */
const FIXTURES = join(import.meta.dirname, 'fixtures/n8n/program');
const NOW = Date.parse('2026-11-02T10:00:00Z');
const models = createModelCatalog();

const FILES = ['executions', 'telemetry', 'error-notice', 'last-node'];

function spansOf(path: string): Span[] {
  const { spans, refusals } = decodeAny(readFileSync(path), { receivedAtMs: NOW });
  expect(refusals).toEqual([]);
  return spans;
}

function runsOf(spans: readonly Span[]) {
  const traces = [...Map.groupBy(mergeSpans(spans), ({ traceId }) => traceId).values()];
  return traces
    .map((trace) => analyzeSpans(trace, { isSettled: true, models, tenant: DEFAULT_DETECTION }))
    .map(({ trace, result }) => {
      expect(result.crashed).toEqual([]);
      const found = result.detections
        .filter(({ severity }) => severity !== 'observation')
        .map(({ type, subtype, step }) => `${type}/${subtype}: ${trace.steps[step ?? 0]!.name}`);
      return { trace, found };
    })
    .sort((one, other) => (one.trace.startedAtMs ?? 0) - (other.trace.startedAtMs ?? 0));
}

const outlines = (runs: ReturnType<typeof runsOf>) =>
  `[${runs.map(({ trace, found }) => JSON.stringify({ ...(compactTrace(trace) as object), found }, null, 1)).join(',\n')}]\n`;

const DEPOT = 'tool_failure/service: Call depot';
const PARSE = 'tool_failure/schema_mismatch: Parse';
const PROBE = 'tool_failure/service: soil_moisture';
const BARCODE = 'tool_failure/other: Read scale';
const MODEL = 'tool_failure/rate_limit: Chat Model';
const LIMIT = 'tool_failure/rate_limit: Ask model';

describe('n8n', () => {
  test.each<[string, [string, string, string[]][]]>([
    [
      'executions',
      [
        ['Herb orders', 'ok', []],
        ['Seed labels', 'error', [PARSE]],
        ['Invoices of growers', 'error', [DEPOT]],
        ['Alarm', 'ok', []],
        ['Weekly report', 'ok', []],
        ['Greenhouse agent', 'ok', []],
        ['Greenhouse agent without a probe', 'ok', [PROBE]],
        ['Crates one by one', 'ok', ['tool_failure/other: Weigh crate']],
        ['Scale', 'ok', []],
        ['Scale', 'error', [BARCODE]],
        ['Scale', 'ok', []],
        ['Asks again', 'error', [LIMIT]],
        ['Agent whose model refuses', 'error', [MODEL, 'workflow_design/no_error_handling: AI Agent']],
        ['Goes on over a failure', 'ok', ['tool_failure/service: Charge card']],
        ['Drops what fails', 'ok', ['tool_failure/service: Charge card']],
        ['Waits too long', 'error', ['tool_failure/timeout: Waits too long']],
        ['Calls too long', 'error', ['tool_failure/timeout: Calls too long']],
      ],
    ],
    [
      'telemetry',
      [
        ['Herb orders', 'ok', []],
        ['Seed labels', 'error', [PARSE]],
        ['Invoices of growers', 'error', [DEPOT]],
        ['Weekly report', 'ok', []],
        ['Greenhouse agent', 'ok', []],
        ['Greenhouse agent without a probe', 'ok', [PROBE]],
        // What nodes gave, and the limits of time, are not in telemetry.
        ['Crates one by one', 'ok', []],
        ['Scale', 'ok', []],
        ['Scale', 'error', [BARCODE]],
        ['Scale', 'ok', []],
        ['Asks again', 'error', [LIMIT]],
        ['Agent whose model refuses', 'error', [MODEL]],
        ['Goes on over a failure', 'ok', []],
        ['Drops what fails', 'ok', []],
        ['Waits too long', 'ok', []],
        ['Calls too long', 'ok', []],
      ],
    ],
    ['error-notice', [['Invoices of growers', 'error', [DEPOT]]]],
    ['last-node', [['Weekly report', 'ok', []]]],
  ])('%s', async (file, expected) => {
    const runs = runsOf(spansOf(join(FIXTURES, `${file}.json`)));
    await expect(outlines(runs)).toMatchFileSnapshot(join(FIXTURES, `${file}.expected.json`));
    expect(runs.map(({ trace, found }) => [trace.name, trace.status, found])).toEqual(expected);
    expect(new Set(runs.map(({ trace }) => trace.framework))).toEqual(new Set(['n8n']));
  });

  test('the same executions by every path are one trace each, whatever comes first', async () => {
    const spans = FILES.map((file) => spansOf(join(FIXTURES, `${file}.json`)));
    const all = permutations(spans).map((order) => outlines(runsOf(order.flat())));
    await expect(all[0]).toMatchFileSnapshot(join(FIXTURES, 'all-paths.expected.json'));
    expect(new Set(all).size).toBe(1);
  });

  test.each<[string, string[]]>([
    ['telemetry and webhooks', ['telemetry', 'error-notice', 'last-node']],
    ['API and webhooks', ['executions', 'error-notice', 'last-node']],
  ])('%s alone give one trace each, whatever comes first', (_, files) => {
    const spans = files.map((file) => spansOf(join(FIXTURES, `${file}.json`)));
    const all = permutations(spans).map((order) => outlines(runsOf(order.flat())));
    expect(new Set(all).size).toBe(1);
    expect(all[0]!.match(/"name": "(?:Invoices of growers|Weekly report)"/g)).toHaveLength(2);
  });
});

function permutations<T>(list: readonly T[]): T[][] {
  if (list.length < 2) return [[...list]];
  return list.flatMap((item, at) => permutations(list.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}
