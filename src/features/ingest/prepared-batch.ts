import { deserialize, serialize } from 'node:v8';
import type { SpanChunk } from '../../store/span-chunk.ts';
import type { PlainTouch } from './trace-touch.ts';

/** Spans of one trace, packed: what takes time is done. */
export interface PreparedChunk {
  chunk: SpanChunk;
  touch: PlainTouch;
  /** Belongs to a coding agent's session that is still running. */
  isOfSession: boolean;
  /** Set where the chunk belongs to a hidden trace that somebody must look at later. */
  held: Held | null;
}

/** A hidden trace whose spans wait for the run that they belong to. */
export interface Held {
  traceId: string;
  /** `waiting`: nobody named the run yet; `claimed`: it was named; `shown`: named after the spans were shown as a run of their own. */
  state: 'waiting' | 'claimed' | 'shown';
}

/** Chunks that are committed together. */
export interface PreparedBatch {
  /** What committing it costs, in rows. */
  weight: number;
  spanCount: number;
  /** Serialized where they came from another thread, because reading many objects at once would stall this one. */
  content: PreparedChunk[] | ArrayBuffer;
}

/** Small enough to be written in a few milliseconds. */
const BATCH_WEIGHT = 64;
/** Bytes of a chunk that take about as long to write as one more row. */
const BYTES_A_ROW = 32_768;

export function toBatches(chunks: Iterable<PreparedChunk>): PreparedBatch[] {
  const batches: PreparedBatch[] = [];
  let content: PreparedChunk[] = [];
  let batch: PreparedBatch | null = null;
  for (const chunk of chunks) {
    const weight = 1 + Math.floor(chunk.chunk.data.length / BYTES_A_ROW);
    if (batch === null || batch.weight + weight > BATCH_WEIGHT) {
      content = [];
      batch = { weight: 0, spanCount: 0, content };
      batches.push(batch);
    }
    batch.weight += weight;
    batch.spanCount += chunk.chunk.spanCount;
    content.push(chunk);
  }
  return batches;
}

/** The same batch for another thread. */
export function packBatch(batch: PreparedBatch): PreparedBatch & { content: ArrayBuffer } {
  const { content } = batch;
  return { ...batch, content: content instanceof ArrayBuffer ? content : new Uint8Array(serialize(content)).buffer };
}

export function chunksOf({ content }: PreparedBatch): PreparedChunk[] {
  return content instanceof ArrayBuffer ? (deserialize(Buffer.from(content)) as PreparedChunk[]) : content;
}
