import type { Message } from '../../client/misstep-client.generated.ts';

const MAX_TOOLS = 3;

/** What an output message is: `answer`, or `calls search` for tool calls without a text. */
export function answerLabel({ content, tool_calls }: Message): string {
  if (content !== '' || tool_calls.length === 0) return 'answer';
  const tools = [...new Set(tool_calls.map(({ name }) => name))];
  const rest = tools.length - MAX_TOOLS;
  return `calls ${tools.slice(0, MAX_TOOLS).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
