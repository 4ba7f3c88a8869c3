import type { Span } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { isAttachedType } from './node-kind.ts';
import { SOURCE } from './otel-step.ts';

/** Limit for the number of preceding agents to compare a node with. */
const MAX_COMPARED = 32;

/**
 * Telemetry records all nodes of an execution as siblings. A model or tool moves below the agent or chain that ran around
 * it; a node without one stays.
 */
export function nestUnderAgents(spans: readonly Span[]): readonly Span[] {
  const users = spans.filter(isUser).sort((one, other) => (one.startNs < other.startNs ? -1 : 1));
  if (users.length === 0) return spans;
  return spans.map((span) => {
    const user = isAttached(span) ? userOf(span, users) : undefined;
    return user === undefined ? span : { ...span, parentSpanId: user.spanId };
  });
}

function typeOf({ attributes }: Span): string {
  const type = attributes[SOURCE] === 'otel' ? attributes['n8n.node.type'] : undefined;
  return typeof type === 'string' ? type : '';
}

function isUser(span: Span): boolean {
  const kind = span.attributes[MISSTEP.stepKind];
  return (kind === 'agent' || kind === 'chain') && typeOf(span) !== '' && !isAttachedType(typeOf(span));
}

function isAttached(span: Span): boolean {
  const type = typeOf(span);
  return type.includes('langchain') && isAttachedType(type);
}

function userOf(span: Span, users: readonly Span[]): Span | undefined {
  const after = firstAfter(users, span.startNs);
  return users
    .slice(Math.max(0, after - MAX_COMPARED), after)
    .findLast((user) => user.parentSpanId === span.parentSpanId && (user.endNs === null || user.endNs >= span.startNs));
}

/** Number of agents that started before a time. */
function firstAfter(users: readonly Span[], ns: bigint): number {
  let [low, high] = [0, users.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (users[middle]!.startNs <= ns) low = middle + 1;
    else high = middle;
  }
  return low;
}
