import { AppError } from '../../core/app-error.ts';
import { isJsonObject, type Json } from '../../core/json.ts';
import type { Decoded } from '../../core/span.ts';
import { decodeRunsMultipart } from '../../formats/langsmith/decode-multipart.ts';
import { decodeRunBatch } from '../../formats/langsmith/decode-run.ts';
import { BODY_LIMITS } from '../_kit/body-limits.ts';
import { parseJsonBody } from '../_kit/parse-json-body.ts';
import type { BodyDecoder } from './prepare.ts';

/** The request of LangSmith's API that a body belongs to. */
export type RunsRequest =
  | { kind: 'multipart' }
  | { kind: 'batch' }
  | { kind: 'post' }
  | { kind: 'patch'; runId: string };

/** Runs as LangSmith's SDKs post and patch them. */
export const langSmithRuns: BodyDecoder<RunsRequest, null> = {
  name: 'langsmith-runs',
  maxInlineNodes: 4_000,
  decode: (body, request) => ({ ...decodeRequest(body, request), facts: null }),
};

function decodeRequest(body: Buffer, request: RunsRequest): Decoded {
  if (request.kind === 'multipart') return decodeRunsMultipart(body, { isPartial: true, limits: BODY_LIMITS.batches });
  const value = parseJsonBody(body, BODY_LIMITS.batches);
  if (!isJsonObject(value)) throw invalid('', 'must be an object');
  if (request.kind === 'post') return decodeOne({ post: [value] });
  if (request.kind === 'patch') {
    if (Object.keys(value).length === 0) throw invalid('', 'must have at least one member');
    return decodeOne({ patch: [{ ...value, id: request.runId }] });
  }
  for (const key of ['post', 'patch'])
    if (value[key] != null && !Array.isArray(value[key])) throw invalid(`/${key}`, 'must be a list of runs');
  if (value.post == null && value.patch == null) throw invalid('/post', 'must be a list of runs, as must patch');
  return decodeRunBatch(value);
}

/** A body of one run: an error of the run is an error of the body. */
function decodeOne(batch: Json): Decoded {
  const decoded = decodeRunBatch(batch);
  const [rejection] = decoded.rejections;
  if (decoded.spans.length === 0 && rejection !== undefined) throw invalid('', rejection.message);
  return decoded;
}

function invalid(pointer: string, message: string): AppError {
  return new AppError('invalid_body', 'The body must hold runs as LangSmith’s API takes them.', {
    errors: [{ pointer, message }],
  });
}
