import { isJsonObject, parseJson } from '../../core/json.ts';
import type { BodyDecoder } from '../ingest/prepare.ts';
import { outlineOf, type StateOutline } from './state-outline.ts';

export type ThreadStates =
  /** `count` includes items that are not states. */
  | { kind: 'list'; count: number; states: StateOutline[] }
  | { kind: 'no list' }
  | { kind: 'no JSON' }
  | { kind: 'too many' };

/** More than any requested page. */
const MAX_STATES = 1_000;
/** Outlining this many values takes at most about 10 ms. */
const INLINE_NODES = 10_000;

/** Outlines a page of a thread's history; its spans are decoded later, from all pages together. */
export const threadStates: BodyDecoder<null, ThreadStates> = {
  name: 'langgraph-states',
  maxInlineNodes: INLINE_NODES,
  decode: (body) => ({ spans: [], rejections: [], facts: statesIn(body) }),
};

function statesIn(body: Buffer): ThreadStates {
  const value = parseJson(body.toString());
  if (value === undefined) return { kind: 'no JSON' };
  if (!Array.isArray(value)) return { kind: 'no list' };
  if (value.length > MAX_STATES) return { kind: 'too many' };
  const states = value.flatMap((state, at) => (isJsonObject(state) ? [outlineOf(state, at)] : []));
  return { kind: 'list', count: value.length, states };
}
