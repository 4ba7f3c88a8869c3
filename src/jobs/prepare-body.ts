import { type PreparedBody, prepareSpans } from '../features/ingest/prepare.ts';
import { packBatch } from '../features/ingest/prepared-batch.ts';
import { ingestDecoders } from '../features/ingest-decoders.ts';
import type { RedactionOptions } from '../formats/redaction/kinds.ts';
import { createRedactor, type Redactor } from '../formats/redaction/redactor.ts';
import type { TaskContext } from './handle-tasks.ts';

export interface PrepareInput {
  /** Name of a decoder. */
  decoder: string;
  body: ArrayBuffer;
  params: unknown;
  /** Unix milliseconds. */
  now: number;
  redaction: RedactionOptions;
  tenant: string;
}

export interface PrepareOutput {
  prepared: PreparedBody;
  workMs: number;
}

const redactors = new Map<string, Redactor>();

/** The worker's side of `createIngestPool`. */
export function prepareBody(
  { decoder, body, params, now, redaction, tenant }: PrepareInput,
  { transfer }: TaskContext,
): PrepareOutput {
  const startedAt = performance.now();
  const found = ingestDecoders.find(({ name }) => name === decoder);
  if (found === undefined) throw new Error(`there is no decoder ${decoder}`);
  const context = { redactor: redactorOf(redaction), tenant, now };
  const prepared = prepareSpans(found.decode(Buffer.from(body), params), context, found.complete);
  const batches = prepared.batches.map(packBatch);
  for (const { content } of batches) transfer(content);
  return { prepared: { ...prepared, batches }, workMs: performance.now() - startedAt };
}

function redactorOf(redaction: RedactionOptions): Redactor {
  const key = JSON.stringify(redaction);
  const known = redactors.get(key) ?? createRedactor(redaction);
  redactors.set(key, known);
  return known;
}
