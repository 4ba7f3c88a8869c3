import { expect, test } from 'vitest';
import type { ImportJob } from '../../../client/misstep-client.generated.ts';
import { importSummary } from './import-labels.ts';

const DONE: ImportJob = {
  import_job_id: 'imp_1',
  status: 'completed_with_errors',
  file_name: 'runs.ndjson',
  sha256: '',
  format: null,
  formats: ['otlp-json'],
  alert: false,
  bytes_total: 100,
  bytes_done: 100,
  progress: 1,
  eta_seconds: null,
  records_done: 2,
  records_failed: 1,
  spans_accepted: 6,
  spans_rejected: 0,
  error_count: 1,
  failure: null,
  created_at: '2026-11-27T00:00:00Z',
  started_at: null,
  finished_at: null,
};
const WHOLE: ImportJob = { ...DONE, status: 'completed', records_failed: 0, error_count: 0 };
const RUNNING: ImportJob = { ...DONE, status: 'processing', progress: 0.4, eta_seconds: 12, error_count: 0 };

test.each<[string, ImportJob, number | undefined, string]>([
  ['a finished import', DONE, 1, '1 of 2 records imported · 1 trace · 6 spans · otlp-json · 1 error'],
  ['an import whose traces are not counted yet', WHOLE, undefined, '2 records · 6 spans · otlp-json'],
  ['a running import', RUNNING, undefined, '40 % · 1 of 2 records imported · 6 spans · otlp-json · about 12 s left'],
])('the summary of %s', (_case, job, traceCount, expected) => expect(importSummary(job, traceCount)).toBe(expected));
