import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mergeSpans } from '../src/core/merge-spans.ts';
import type { Span } from '../src/core/span.ts';
import { analyzeSpans } from '../src/features/analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../src/features/analysis/tenant-detection.ts';
import { decodeAny } from '../src/formats/detect/detect-format.ts';
import { createModelCatalog } from '../src/formats/model-catalog/catalog.ts';
import { compactTrace } from './support/compact-trace.ts';

/** Formats of n8n 2.41.1 with invented contents: each workflow from the API, the telemetry and the webhooks. */
const FIXTURES = join(import.meta.dirname, 'fixtures/n8n/program');
const NOW = Date.parse('2026-11-02T10:00:00Z');
const models = createModelCatalog();

const FILES = ['executions', 'telemetry', 'error-notice', 'last-node'];

function spansOf(path: string): Span[] {
  const { spans, rejections } = decodeAny(readFileSync(path), { receivedAtMs: NOW });
  expect(rejections).toEqual([]);
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
const PARSE = 'tool_failure/schema_mismatch: Read sheet';
const PROBE = 'tool_failure/service: soil_moisture';
const BARCODE = 'tool_failure/other: Read scale';
const MODEL = 'tool_failure/rate_limit: Chat Model';
const LIMIT = 'tool_failure/rate_limit: Ask for advice';

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
        ['Goes on over a failure', 'ok', ['tool_failure/service: Collect fee']],
        ['Drops what fails', 'ok', ['tool_failure/service: Collect fee']],
        ['Waits too long', 'error', ['tool_failure/timeout: Wait']],
        ['Calls too long', 'error', ['tool_failure/timeout: Slow depot']],
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
        // Outputs of nodes and time limits are not in telemetry.
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

  test('executions that arrive by several paths become one trace each, in any order', async () => {
    const spans = FILES.map((file) => spansOf(join(FIXTURES, `${file}.json`)));
    const all = permutations(spans).map((order) => outlines(runsOf(order.flat())));
    await expect(all[0]).toMatchFileSnapshot(join(FIXTURES, 'all-paths.expected.json'));
    expect(new Set(all).size).toBe(1);
  });

  test.each<[string, string[]]>([
    ['telemetry and webhooks', ['telemetry', 'error-notice', 'last-node']],
    ['API and webhooks', ['executions', 'error-notice', 'last-node']],
  ])('%s alone give one trace each, in any order', (_, files) => {
    const spans = files.map((file) => spansOf(join(FIXTURES, `${file}.json`)));
    const all = permutations(spans).map((order) => outlines(runsOf(order.flat())));
    expect(new Set(all).size).toBe(1);
    expect(all[0]!.match(/"name": "(?:Invoices of growers|Weekly report)"/g)).toHaveLength(2);
  });
});

/** Bodies of a real n8n 2.41.1, stored outside the repository; their expectations were written by hand. */
const RECORDED = join(
  process.env.MISSTEP_CAPTURES ?? join(import.meta.dirname, '../../shared/clients/captures'),
  'programs-2026-11',
);

describe.skipIf(!existsSync(RECORDED))('recorded bodies of n8n 2.41.1 (captures/programs-2026-11)', () => {
  const recorded = (...names: string[]) => names.flatMap((name) => spansOf(join(RECORDED, name)));
  /** Numbers of the fake model are left out. */
  const rowsOf = (...names: string[]) =>
    runsOf(recorded(...names)).map(({ trace, found }) => [
      trace.status,
      trace.steps.length,
      found.map((value) => value.split(':')[0]!).filter((type) => !type.startsWith('grounding/')),
    ]);

  test('executions by the API', () => {
    expect(rowsOf('n8n-2.41.1-api/executions-includeData.json')).toEqual([
      ['ok', 5, []],
      ['error', 4, ['tool_failure/schema_mismatch']],
      ['error', 3, ['tool_failure/service']],
      ['ok', 3, []],
      ['ok', 4, []],
      ['ok', 6, []],
      ['ok', 6, ['tool_failure/service']],
    ]);
    expect(rowsOf('n8n-2.41.1-api/executions-continue-timeout.json')).toEqual([
      ['ok', 4, ['tool_failure/service', 'workflow_design/missing_field']],
      ['ok', 3, ['tool_failure/service']],
      ['error', 3, ['tool_failure/timeout']],
    ]);
    expect(rowsOf('n8n-2.41.1-api/execution-timeout-in-call.json')).toEqual([['error', 3, ['tool_failure/timeout']]]);
    expect(rowsOf('n8n-2.41.1-api/executions-loop-retry-429.json')).toEqual([
      ['ok', 5, []],
      ['ok', 5, []],
      ['ok', 10, ['tool_failure/other']],
      ['ok', 3, []],
      ['error', 3, ['tool_failure/other']],
      ['ok', 3, []],
      ['error', 3, ['tool_failure/rate_limit']],
      ['error', 4, ['tool_failure/rate_limit', 'workflow_design/no_error_handling']],
    ]);
  });

  test('telemetry, alone and with the webhook of one of its runs', () => {
    const expected = [
      ['ok', 5, []],
      ['error', 4, ['tool_failure/schema_mismatch']],
      ['ok', 6, []],
      ['ok', 6, ['tool_failure/service']],
      ['error', 6, ['tool_failure/service']],
    ];
    expect(rowsOf('n8n-2.41.1-otel/03.body.pb')).toEqual(expected);
    expect(rowsOf('n8n-2.41.1-otel/03.body.pb', 'n8n-2.41.1-otel/02.body.json')).toEqual(expected);
    expect(rowsOf('n8n-2.41.1-otel/02.body.json', 'n8n-2.41.1-otel/03.body.pb')).toEqual(expected);
  });

  test('webhooks, with the executions that they are about', () => {
    const webhooks = ['n8n-2.41.1-webhooks/01.body.json', 'n8n-2.41.1-webhooks/02.body.json'];
    expect(rowsOf(...webhooks).map(([status, , found]) => [status, found])).toEqual([
      ['ok', []],
      ['error', ['tool_failure/service']],
    ]);
    const all = 'n8n-2.41.1-api/executions-includeData.json';
    expect(rowsOf(...webhooks, all)).toEqual(rowsOf(all));
    expect(rowsOf(all, ...webhooks)).toEqual(rowsOf(all));
  });
});

function permutations<T>(list: readonly T[]): T[][] {
  if (list.length < 2) return [[...list]];
  return list.flatMap((item, at) => permutations(list.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}
