import type { Attributes, Span } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';

/** One response of a model as hooks report it: its request and its parts, both in order of time. */
interface Response {
  request: Span | null;
  parts: Span[];
}

/**
 * Model calls from hooks of requests and of the parts of their streamed responses, in order of time. All parts until the
 * next request are one response: some senders put the reason to end on each part, or the tokens on a part without it. A
 * request without an end of its response is no step. Where no request is recorded, each end is a response.
 */
export function joinResponses(halves: readonly Span[]): Span[] {
  const hasRequests = halves.some((span) => halfOf(span) === 'start');
  const responses: Response[] = [];
  for (const span of halves) {
    const last = responses.at(-1);
    if (halfOf(span) === 'start') responses.push({ request: span, parts: [] });
    else if (hasRequests && last !== undefined) last.parts.push(span);
    else responses.push({ request: null, parts: [span] });
  }
  return responses.flatMap(modelCall);
}

function halfOf({ attributes }: Span): unknown {
  return attributes[MISSTEP.hookHalf];
}

/** It keeps the id of the first part, so that a later part does not make it another step. */
function modelCall({ request, parts }: Response): Span[] {
  const [first] = parts;
  if (first === undefined || !parts.some((part) => halfOf(part) === 'end')) return [];
  const attributes = parts.map((part) => part.attributes).reduce(withCounts);
  return [{ ...first, startNs: request?.startNs ?? first.startNs, endNs: parts.at(-1)!.endNs, attributes }];
}

const COUNTS = ['input_tokens', 'output_tokens', 'cache_read.input_tokens'].map((name) => `gen_ai.usage.${name}`);

/** Tokens of a part are those of the response so far. */
function withCounts(before: Attributes, part: Attributes): Attributes {
  const counts = COUNTS.flatMap((key): [string, number][] => {
    const known = [before[key], part[key]].filter((count) => typeof count === 'number');
    return known.length === 0 ? [] : [[key, Math.max(...known)]];
  });
  return { ...before, ...part, ...Object.fromEntries(counts) };
}
