import { type ModelReply, type ModelTurn, type ModelUsage, RATE_LIMITED, type ToolCall } from './script.ts';

/**
 * The model for the tasks of most programs, about the workshop of a bicycle shop. It calls the first offered tool once and
 * then answers. The rest depends on the user's message.
 */
export function shopScript({ user, tools, lastCall }: ModelTurn): ModelReply {
  const question = user.join('\n');
  if (question.includes('too many requests')) return RATE_LIMITED;
  const exec = tools.find(({ name }) => name === 'exec');
  if (exec !== undefined && lastCall === null) return { call: lookUp(question) };
  const tool = exec === undefined ? tools[0] : undefined;
  if (tool !== undefined && tool.name !== lastCall)
    return { call: { name: tool.name, arguments: argumentsFor(tool.name) } };
  return { text: 'Brake pads BP-204: 7 sets are in stock.' };
}

/** An agent with a shell and files looks the part up there; a file may be missing. */
function lookUp(question: string): ToolCall {
  if (question.includes('missing list')) return { name: 'read', arguments: { path: '/nowhere/stock.txt' } };
  return { name: 'exec', arguments: { command: 'echo BP-204: 7 sets in stock' } };
}

function argumentsFor(tool: string): Record<string, unknown> {
  return tool.startsWith('transfer_to') ? {} : { part: 'BP-204' };
}

/** Token usage of each response. */
export const SHOP_USAGE: ModelUsage = { fresh: 100, cached: 20, written: 0, output: 30 };
