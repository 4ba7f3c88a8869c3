import { z } from 'zod';
import { fieldError } from '../_kit/vocabulary.ts';
import type { IngestReply } from './ingest.service.ts';

/** Response to senders of spans. */
export const ingestResult = z
  .object({
    accepted_spans: z.number().int(),
    rejected_spans: z.number().int(),
    trace_ids: z.array(z.string()),
    errors: z.array(fieldError).describe('The first hundred'),
  })
  .meta({ id: 'IngestResult' });
export type IngestResult = z.output<typeof ingestResult>;

export function toIngestResult(reply: IngestReply): IngestResult {
  return {
    accepted_spans: reply.acceptedSpans,
    rejected_spans: reply.rejectedSpans,
    trace_ids: reply.traceIds,
    errors: reply.errors,
  };
}
