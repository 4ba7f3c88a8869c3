import { textAt } from './attribute-values.ts';
import type { FactsReader, StepFacts } from './step-facts.ts';

/** OpenAI Agents SDK through its OTel bridges (OpenInference, OpenLLMetry, logfire). */
export const readOpenAiAgents: FactsReader = ({ name, scope, attributes }) => {
  const agent = textAt(attributes, 'openai.agent.name', 'openai.agents.agent.name');
  const isScope = scope.name.includes('openai_agents') || scope.name.includes('openai-agents');
  const handoff = isScope || agent !== undefined ? handoffTarget(name) : undefined;
  if (agent === undefined && !isScope) return null;
  const facts: Partial<StepFacts> = { framework: 'openai-agents', agent };
  const target = textAt(attributes, 'openai.agent.handoff_to', 'to_agent') ?? handoff;
  if (target !== undefined) {
    facts.kind = 'message';
    facts.goto = [target];
  }
  return facts;
};

function handoffTarget(name: string): string | undefined {
  const marker = /^[Hh]andoff (?:to|.{1,100}? (?:->|→|to)) /.exec(name)?.[0];
  return marker === undefined ? undefined : name.slice(marker.length).trim() || undefined;
}
