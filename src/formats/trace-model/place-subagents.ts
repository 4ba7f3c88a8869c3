import { isJsonObject, parseJson } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import { subagentSpanId } from '../hooks/session-span.ts';
import { MISSTEP } from '../misstep/attributes.ts';

const UNNAMED = 'subagent';

/** Moves subagents below the calls that started them: the call's result names the subagent, its argument the type. */
export function placeSubagents(spans: readonly Span[]): readonly Span[] {
  const callers = new Map<string, Span>();
  const sessionId = spans.map(({ attributes }) => attributes[MISSTEP.sessionId]).find((id) => typeof id === 'string');
  if (typeof sessionId !== 'string') return spans;
  for (const span of spans) {
    const agentId = span.attributes[MISSTEP.subagentId];
    const isCall = span.attributes['gen_ai.tool.name'] !== undefined;
    if (isCall && typeof agentId === 'string') callers.set(subagentSpanId(sessionId, agentId), span);
  }
  if (callers.size === 0) return spans;
  return spans.map((span) => {
    const caller = callers.get(span.spanId);
    return caller === undefined ? span : placeBelow(span, caller);
  });
}

function placeBelow(agent: Span, caller: Span): Span {
  const type = typeIn(caller);
  const isUnnamed = agent.attributes['gen_ai.agent.name'] === UNNAMED;
  const name = isUnnamed && type !== null ? type : agent.name;
  const attributes = name === agent.name ? agent.attributes : { ...agent.attributes, 'gen_ai.agent.name': name };
  return { ...agent, name, attributes, parentSpanId: caller.spanId };
}

function typeIn({ attributes }: Span): string | null {
  const given = attributes['gen_ai.tool.call.arguments'];
  const read = typeof given === 'string' ? parseJson(given) : undefined;
  const type = isJsonObject(read) ? read.subagent_type : undefined;
  return typeof type === 'string' && type !== '' ? type : null;
}
