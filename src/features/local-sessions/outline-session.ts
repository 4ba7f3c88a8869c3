import { statSync } from 'node:fs';
import type { ModelCatalog } from '../../core/model-catalog.ts';
import type { Span } from '../../core/span.ts';
import { buildTrace } from '../../formats/trace-model/build-trace.ts';
import type { SessionItem } from '../coding-sessions/session.record.ts';
import { outlineOf, sessionSpans } from '../coding-sessions/session-outline.ts';
import { readPart } from './session-head.ts';

const FIRST_HEAD_BYTES = 32 * 1024;
const FIRST_TAIL_BYTES = 16 * 1024;
const GROWTH = 8;
const MAX_BYTES = 2 * 1024 * 1024;
/** A file of this size is read as a whole. */
const WHOLE_BYTES = FIRST_HEAD_BYTES + FIRST_TAIL_BYTES;
const LINE_END = 0x0a;

/**
 * Title, project, branch, start and end of a session from the head and the tail of its file; more of the head is read
 * where that does not show the request. Null if no format is recognized.
 * @throws Error of the file system
 */
export function outlineFile(path: string, receivedAtMs: number): SessionItem | null {
  const bytes = statSync(path).size;
  let found: SessionItem | null = null;
  for (let head = FIRST_HEAD_BYTES; head <= MAX_BYTES; head *= GROWTH) {
    const body = bytes <= WHOLE_BYTES || head >= bytes ? readPart(path, 0, bytes) : readEnds(path, bytes, head);
    found = outlineBody(body, receivedAtMs) ?? found;
    if (found?.task != null || head >= bytes) return found;
  }
  return found;
}

/** Complete lines at both ends. */
function readEnds(path: string, bytes: number, headBytes: number): Buffer {
  const head = readPart(path, 0, headBytes);
  const lines = head.subarray(0, head.lastIndexOf(LINE_END) + 1);
  for (let size = FIRST_TAIL_BYTES; size <= MAX_BYTES; size *= GROWTH) {
    const start = Math.max(headBytes, bytes - size);
    const tail = readPart(path, start, bytes - start);
    const first = tail.indexOf(LINE_END);
    if (first !== -1 && first < tail.length - 1) return Buffer.concat([lines, tail.subarray(first + 1)]);
    if (start === headBytes) break;
  }
  return lines;
}

/** Null if no format is recognized. */
export function outlineBody(body: Buffer, receivedAtMs: number): SessionItem | null {
  let spans: Span[];
  try {
    spans = sessionSpans([body], receivedAtMs);
  } catch {
    return null;
  }
  if (spans.length === 0) return null;
  return outlineOf(buildTrace(outlineSpans(spans), { models: NO_MODELS, isSettled: true }));
}

/** The spans that an outline shows; only a few of a long session. */
function outlineSpans(spans: readonly Span[]): Span[] {
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === null);
  const [first, last] = [spans[0]!, spans.at(-1)!];
  return [...new Set([...roots, first, last])];
}

const NO_MODELS: ModelCatalog = { find: () => null, costUsd: () => null };
