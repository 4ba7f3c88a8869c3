import type { Attributes, Span } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';

/** One model response as reported by hooks: its request and its parts, both in time order. */
interface Response {
  request: Span | null;
  parts: Span[];
}

/**
 * Model calls from hooks of requests and of parts of streamed responses, in time order. All parts until the next request
 * belong to one response: some senders put the finish reason on each part, or the token counts on a part without it. A
 * request without the end of its response is not a step. If no request is recorded, each end is a response.
 */
export function joinResponses(hookSpans: readonly Span[]): Span[] {
  const hasRequests = hookSpans.some((span) => hookPartOf(span) === 'start');
  const responses: Response[] = [];
  for (const span of hookSpans) {
    const last = responses.at(-1);
    if (hookPartOf(span) === 'start') responses.push({ request: span, parts: [] });
    else if (hasRequests && last !== undefined) last.parts.push(span);
    else responses.push({ request: null, parts: [span] });
  }
  return responses.flatMap(modelCall);
}

function hookPartOf({ attributes }: Span): unknown {
  return attributes[MISSTEP.hookPart];
}

/** Keeps the id of the first part, so that a later part does not create another step. */
function modelCall({ request, parts }: Response): Span[] {
  const [first] = parts;
  if (first === undefined || !parts.some((part) => hookPartOf(part) === 'end')) return [];
  const attributes = parts.map((part) => part.attributes).reduce(withCounts);
  return [{ ...first, startNs: request?.startNs ?? first.startNs, endNs: parts.at(-1)!.endNs, attributes }];
}

const COUNTS = ['input_tokens', 'output_tokens', 'cache_read.input_tokens'].map((name) => `gen_ai.usage.${name}`);

/** Token counts of a part are cumulative. */
function withCounts(before: Attributes, part: Attributes): Attributes {
  const counts = COUNTS.flatMap((key): [string, number][] => {
    const known = [before[key], part[key]].filter((count) => typeof count === 'number');
    return known.length === 0 ? [] : [[key, Math.max(...known)]];
  });
  return { ...before, ...part, ...Object.fromEntries(counts) };
}
