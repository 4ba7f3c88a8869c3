import { deserialize, serialize } from 'node:v8';
import type { SpanChunk } from '../../store/span-chunk.ts';
import type { PlainTouch } from './trace-touch.ts';

/** Packed spans of one trace: the expensive work is done. */
export interface PreparedChunk {
  chunk: SpanChunk;
  touch: PlainTouch;
  /** Belongs to a coding agent session that is still running. */
  isOfSession: boolean;
  /** Set if the chunk belongs to a hidden trace that must be resolved later. */
  held: Held | null;
}

/** A hidden trace whose spans wait for the run that they belong to. */
export interface Held {
  traceId: string;
  /** `waiting`: the run is not named yet; `claimed`: it was named; `shown`: named after the spans were published as a run of their own. */
  state: 'waiting' | 'claimed' | 'shown';
}

/** Chunks that are committed together. */
export interface PreparedBatch {
  /** Cost of the commit, in rows. */
  weight: number;
  spanCount: number;
  /** Serialized if they come from another thread, because reading many objects at once would block this one. */
  content: PreparedChunk[] | ArrayBuffer;
}

/** Small enough to be written in a few milliseconds. */
const BATCH_WEIGHT = 64;
/** Bytes of a chunk that take about as long to write as one more row. */
const BYTES_PER_ROW = 32_768;

export function toBatches(chunks: Iterable<PreparedChunk>): PreparedBatch[] {
  const batches: PreparedBatch[] = [];
  let content: PreparedChunk[] = [];
  let batch: PreparedBatch | null = null;
  for (const chunk of chunks) {
    const weight = 1 + Math.floor(chunk.chunk.data.length / BYTES_PER_ROW);
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
