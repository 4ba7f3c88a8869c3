import type { Attributes } from '../../core/span.ts';
import { entryOf, textAt } from './attribute-values.ts';
import type { FactsReader } from './step-facts.ts';

/** AutoGen's runtime messages (autogen-core `autogen send|publish|process …`) and AG2's `ag2.span.type`. */
export const readAutoGen: FactsReader = ({ name, attributes }) => {
  const ag2 = textAt(attributes, 'ag2.span.type');
  if (ag2 !== undefined) return { framework: 'autogen', kind: entryOf(AG2_KINDS, ag2) };
  if (!name.startsWith('autogen ')) return null;
  const [, operation = ''] = name.split(' ', 2);
  const isDelivery = operation === 'process' || operation === 'receive';
  return {
    framework: 'autogen',
    kind: operation === 'create' ? 'other' : 'message',
    agent: isDelivery ? agentOf(attributes, 'messaging.destination', 'recipient') : agentOf(attributes, 'sender'),
    goto:
      operation === 'send'
        ? [agentOf(attributes, 'messaging.destination', 'recipient')].filter((to) => to !== undefined)
        : [],
  };
};

const AG2_KINDS: Record<string, 'chain' | 'agent' | 'tool' | 'llm' | 'message'> = {
  conversation: 'chain',
  multi_conversation: 'chain',
  agent: 'agent',
  tool: 'tool',
  llm: 'llm',
  handoff: 'message',
  speaker_selection: 'chain',
};

/** Runtime addresses are `type/key` with the session in the key. The type is the agent. */
function agentOf(attributes: Attributes, ...keys: string[]): string | undefined {
  return (
    textAt(attributes, ...keys)
      ?.split(/[/)]/, 1)[0]
      ?.replace('AgentId(', '') || undefined
  );
}
