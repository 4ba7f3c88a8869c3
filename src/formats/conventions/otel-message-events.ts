import type { Json } from '../../core/json.ts';
import { isJsonObject } from '../../core/json.ts';
import type { SpanEvent } from '../../core/span.ts';
import type { Message } from '../../core/trace.ts';
import { entryOf, jsonAt } from './attribute-values.ts';
import { readMessages } from './messages.ts';

const ROLES: Record<string, string> = {
  'gen_ai.system.message': 'system',
  'gen_ai.user.message': 'user',
  'gen_ai.assistant.message': 'assistant',
  'gen_ai.tool.message': 'tool',
  'gen_ai.choice': 'assistant',
  'gen_ai.content.prompt': 'user',
  'gen_ai.content.completion': 'assistant',
};

const ANSWERS = new Set(['gen_ai.choice', 'gen_ai.content.completion']);

/** Messages sent as span events: one event per message (deprecated), or one event with all of them (current). */
export function readMessageEvents(events: SpanEvent[]): { input: Message[]; output: Message[] } {
  const input: Message[] = [];
  const output: Message[] = [];
  for (const event of events) {
    const role = entryOf(ROLES, event.name);
    if (role !== undefined) (ANSWERS.has(event.name) ? output : input).push(...readEvent(event, role));
    else if (event.name === 'gen_ai.client.inference.operation.details') {
      input.push(...readMessages(jsonAt(event.attributes, 'gen_ai.input.messages')));
      output.push(...readMessages(jsonAt(event.attributes, 'gen_ai.output.messages'), 'assistant'));
    }
  }
  return { input, output };
}

function readEvent({ attributes }: SpanEvent, role: string): Message[] {
  const whole =
    jsonAt(attributes, 'gen_ai.event.content') ??
    jsonAt(attributes, 'message') ??
    jsonAt(attributes, 'gen_ai.prompt') ??
    jsonAt(attributes, 'gen_ai.completion');
  if (whole !== undefined) return readMessages(isJsonObject(whole) ? { role, ...unwrapChoice(whole) } : whole, role);
  const body: { [key: string]: Json } = { role, content: jsonAt(attributes, 'content') ?? '' };
  const calls = jsonAt(attributes, 'tool_calls');
  if (calls !== undefined) body.tool_calls = calls;
  const id = jsonAt(attributes, 'id');
  if (role === 'tool' && id !== undefined) body.tool_call_id = id;
  return readMessages(body, role);
}

/** The body of a choice contains its message one level down. */
function unwrapChoice(whole: { [key: string]: Json }): { [key: string]: Json } {
  return isJsonObject(whole.message) ? whole.message : whole;
}
