import { Gauge, type Registry } from 'prom-client';
import type { Services } from '../../features/services.ts';

/** Queue lengths: spans to store and traces to analyze. Read at each scrape. */
export function watchWork(registry: Registry, { ingest, analysis }: Pick<Services, 'ingest' | 'analysis'>): void {
  const registers = [registry];
  new Gauge({
    name: 'misstep_ingest_queue_spans',
    help: 'Spans accepted for storing that are not committed yet',
    registers,
    collect() {
      this.set(ingest.queueDepth());
    },
  });
  new Gauge({
    name: 'misstep_ingest_queue_limit_spans',
    help: 'Queue depth from which senders are rejected with 503',
    registers,
    collect() {
      this.set(ingest.queueLimit());
    },
  });
  new Gauge({
    name: 'misstep_ingest_queue_seconds',
    help: 'How long the oldest work has waited to be decoded or committed',
    registers,
    collect() {
      this.set(ingest.queueAgeMs() / 1_000);
    },
  });
  new Gauge({
    name: 'misstep_analysis_waiting_traces',
    help: 'Traces that wait to settle or to be analyzed',
    registers,
    async collect() {
      this.set(await analysis.waiting());
    },
  });
  new Gauge({
    name: 'misstep_analysis_given_up_traces',
    help: 'Traces whose analysis failed permanently; misstep traces reanalyze --given-up retries them',
    registers,
    async collect() {
      this.set(await analysis.givenUp());
    },
  });
  new Gauge({
    name: 'misstep_analysis_workers_available',
    help: '1 while analysis workers can run, 0 while none can start',
    registers,
    collect() {
      this.set(analysis.executorState.isAvailable ? 1 : 0);
    },
  });
}
