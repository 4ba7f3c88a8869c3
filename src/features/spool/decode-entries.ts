import { AppError } from '../../core/app-error.ts';
import { mergeSpans } from '../../core/merge-spans.ts';
import type { Decoded } from '../../core/span.ts';
import { decodeAny } from '../../formats/detect/detect-format.ts';
import { agentOfContentType } from './hook-content-type.ts';
import type { SpoolEntry } from './spool-entry.ts';

export type ReceivedBody = Pick<SpoolEntry, 'body' | 'receivedAtMs' | 'contentType'>;

/** Spans of bodies that were received one by one; a body of an unknown format does not affect others. */
export function decodeEntries(entries: readonly ReceivedBody[]): Decoded {
  const decoded = entries.map(decodeEntry);
  return {
    // A hook reports the start and the end of a span in two calls.
    spans: mergeSpans(decoded.flatMap(({ spans }) => spans)),
    rejections: decoded.flatMap(({ rejections }) => rejections),
  };
}

function decodeEntry({ body, receivedAtMs, contentType }: ReceivedBody): Decoded {
  try {
    return decodeAny(Buffer.from(body.buffer, body.byteOffset, body.byteLength), {
      receivedAtMs,
      agent: agentOfContentType(contentType),
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { spans: [], rejections: [{ pointer: '', message: error.message }] };
  }
}
