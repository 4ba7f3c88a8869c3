import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { analyzeSpans } from '../src/features/analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../src/features/analysis/tenant-detection.ts';
import { decodeAny } from '../src/formats/detect/detect-format.ts';
import { createModelCatalog } from '../src/formats/model-catalog/catalog.ts';
import { compactTrace } from './support/compact-trace.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const NOW = Date.parse('2026-05-04T10:20:00Z');
const models = createModelCatalog();

const read = (file: string) => readFileSync(join(FIXTURES, `${file}.json`));

function runsOf(body: Buffer) {
  const decoded = decodeAny(body, { receivedAtMs: NOW });
  const traces = [...Map.groupBy(decoded.spans, ({ traceId }) => traceId).values()];
  const runs = traces.map((spans) => analyzeSpans(spans, { isSettled: true, models, tenant: DEFAULT_DETECTION }));
  return { ...decoded, runs };
}

interface Row {
  file: string;
  rejected: string[];
  /** Detections of each run, as `type/subtype: name of the step`. */
  found: string[][];
}

const ROWS: Row[] = [
  { file: 'n8n/agent-with-tool', rejected: [], found: [[]] },
  { file: 'n8n/failing-page', rejected: [], found: [[], ['tool_failure/service: Print label'], []] },
  { file: 'n8n/error-notice', rejected: [], found: [['tool_failure/service: Print label']] },
  { file: 'n8n/last-node-report', rejected: [], found: [[]] },
  {
    file: 'n8n/waiting-with-branches',
    rejected: ['/data/resultData/runData/Wait for reply/1'],
    found: [[]],
  },
  {
    file: 'openclaw/session-tables',
    rejected: ['/transcript_events/11'],
    found: [['tool_failure/service: chat', 'tool_failure/service: vent_status']],
  },
  { file: 'openclaw/transcript-lines', rejected: [], found: [[]] },
  { file: 'dify/failing-iteration', rejected: [], found: [['tool_failure/service: Order goods']] },
  { file: 'dify/chat-flow', rejected: [], found: [[]] },
  { file: 'dify/logs-page', rejected: ['/data/2'], found: [[], ['tool_failure/rate_limit: dify workflow'], []] },
];

describe('bodies of platforms become the runs in the file next to them, with the expected detections', () => {
  test.each(ROWS)('$file', async ({ file, rejected, found }) => {
    const { format, rejections, runs } = runsOf(read(file));
    expect(format).toBe(file.split('/')[0]);
    expect(rejections.map(({ pointer }) => pointer)).toEqual(rejected);
    const outlines = runs.map(({ trace }) => JSON.stringify(compactTrace(trace), null, 1));
    await expect(`[${outlines.join(',\n')}]\n`).toMatchFileSnapshot(join(FIXTURES, `${file}.expected.json`));
    const detections = runs.map(({ trace, result }) => {
      expect(result.crashed).toEqual([]);
      const { detections } = result;
      return detections.map(({ type, subtype, step }) => `${type}/${subtype}: ${trace.steps[step ?? 0]!.name}`).sort();
    });
    expect(detections).toEqual(found);
  });

  test('reading is deterministic', () => {
    for (const { file } of ROWS) expect(runsOf(read(file)).spans).toEqual(runsOf(read(file)).spans);
  });
});
