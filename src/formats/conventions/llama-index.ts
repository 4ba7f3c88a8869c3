import { textAt } from './attribute-values.ts';
import type { FactsReader } from './step-facts.ts';

/** The text that LlamaIndex adds to the messages after a hand-off, before the reason. */
const HANDOFF = ' is now handling the request due to the following reason:';
const MAX_NAME_LENGTH = 80;

/** Agent workflows of LlamaIndex: their model calls name no agent, but the messages name the one that received the request. */
export const readLlamaIndex: FactsReader = ({ attributes }) => {
  const messages = textAt(attributes, 'gen_ai.input.messages');
  const end = messages?.lastIndexOf(HANDOFF) ?? -1;
  if (messages === undefined || end === -1) return null;
  const agent = /"Agent ([^"\\]+)$/.exec(messages.slice(Math.max(0, end - MAX_NAME_LENGTH), end))?.[1];
  return agent === undefined ? null : { framework: 'llamaindex', agent };
};
