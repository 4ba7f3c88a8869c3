import type { Attributes } from '../../core/span.ts';
import type { StepKind } from '../../core/trace.ts';
import { entryOf, textAt } from './attribute-values.ts';
import type { FactsReader } from './step-facts.ts';

/** Fallback: OTel's general session attributes, and the most likely kind of a span that names none. */
export const readPlainSpan: FactsReader = ({ attributes }) => ({
  kind: likelyKind(attributes),
  sessionId: textAt(attributes, 'session.id'),
});

function likelyKind(attributes: Attributes): StepKind | undefined {
  if ('gen_ai.tool.name' in attributes || 'tool.name' in attributes) return 'tool';
  if ('gen_ai.request.model' in attributes || 'gen_ai.usage.prompt_tokens' in attributes) return 'llm';
  if ('gen_ai.usage.input_tokens' in attributes || 'llm.model_name' in attributes) return 'llm';
  const requested = entryOf(REQUEST_TYPES, textAt(attributes, 'llm.request.type'));
  if (requested !== undefined) return requested;
  if ('graphruntime.node.name' in attributes || 'langgraph.node.name' in attributes) return 'chain';
  return 'gen_ai.agent.name' in attributes ? 'agent' : undefined;
}

/** The model's name is sent only if the instrumented library has it. */
const REQUEST_TYPES: Record<string, StepKind> = {
  chat: 'llm',
  completion: 'llm',
  embedding: 'embedding',
  rerank: 'retrieval',
};
