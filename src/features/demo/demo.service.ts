import type { Clock } from '../../core/clock.ts';
import { encodeOtlpJson } from '../../formats/otlp/encode-json.ts';
import type { IngestService } from '../ingest/ingest.service.ts';
import type { ExampleRuns } from './demo.record.ts';
import { demoSpans } from './demo-spans.ts';

/** Example runs for a tenant that has no traces of its own yet. */
export interface DemoService {
  /**
   * Ingests the example runs like any other body. Runs of the same UTC day replace each other.
   * @throws AppError `backpressure`, `quota_exceeded`, `unavailable`
   */
  fill(tenantId: string): Promise<ExampleRuns>;
}

export function createDemoService({ clock, ingest }: { clock: Clock; ingest: IngestService }): DemoService {
  return {
    async fill(tenantId) {
      const runs = demoSpans(clock.now());
      const body = Buffer.from(encodeOtlpJson(runs.flat()));
      await ingest.assertCapacity(tenantId, body.length);
      await ingest.ingest(tenantId, { encoding: 'json', body });
      return { trace_ids: runs.map((spans) => spans[0]!.traceId) };
    },
  };
}
