import type { FactsReader } from './step-facts.ts';

/** The last resort: what a span that names no kind most likely is, from what else it says. */
export const readLikelyKind: FactsReader = ({ attributes }) => {
  if ('gen_ai.tool.name' in attributes || 'tool.name' in attributes) return { kind: 'tool' };
  if ('gen_ai.request.model' in attributes || 'gen_ai.usage.prompt_tokens' in attributes) return { kind: 'llm' };
  if ('gen_ai.usage.input_tokens' in attributes || 'llm.model_name' in attributes) return { kind: 'llm' };
  if ('graphruntime.node.name' in attributes || 'langgraph.node.name' in attributes) return { kind: 'chain' };
  return 'gen_ai.agent.name' in attributes ? { kind: 'agent' } : null;
};
