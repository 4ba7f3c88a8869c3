import { offeredTools } from './chat.ts';
import type { ModelReply, ModelTurn } from './script.ts';
import { callOf, isObject, type Loose, listOf, nameOf, type Stamp, textIn, type WireAnswer } from './wire.ts';

const CALLS = ['function_call', 'custom_tool_call', 'local_shell_call'];

export function readResponses(body: Loose): ModelTurn {
  const input = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : listOf(body.input);
  const calls = input.filter((item: Loose) => CALLS.includes(String(item.type))) as Loose[];
  const { format } = isObject(body.text) ? body.text : {};
  return {
    model: String(body.model),
    system: textIn(body.instructions),
    user: input.flatMap((item: Loose) => (item.role === 'user' ? [textIn(item.content)] : [])),
    tools: offeredTools(body),
    calls: calls.length,
    lastCall: nameOf(calls.at(-1)),
    wantsJson: isObject(format) && format.schema !== undefined,
  };
}

/** The reply in the shape of the Responses API. */
export function writeResponses(body: Loose, reply: ModelReply, { number, unixSeconds, usage }: Stamp): WireAnswer {
  const item = { id: `item_${number}`, ...outputItem(reply, number) };
  const response = {
    id: `resp_${number}`,
    object: 'response',
    created_at: unixSeconds,
    model: body.model,
    status: 'completed',
    output: [item],
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: body.tools ?? [],
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    metadata: {},
    usage: {
      input_tokens: usage.fresh + usage.cached,
      input_tokens_details: { cached_tokens: usage.cached },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.fresh + usage.cached + usage.output,
    },
  };
  if (body.stream !== true) return { json: response };
  const place = { item_id: item.id, output_index: 0, content_index: 0 };
  const text = 'text' in reply ? reply.text : null;
  const events = [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [], usage: null } },
    { type: 'response.output_item.added', output_index: 0, item: text === null ? item : { ...item, content: [] } },
    ...(text === null
      ? []
      : [
          { type: 'response.content_part.added', ...place, part: { type: 'output_text', text: '', annotations: [] } },
          { type: 'response.output_text.delta', ...place, delta: text },
          { type: 'response.output_text.done', ...place, text },
        ]),
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ];
  return { events: events.map((event, sequence_number) => ({ ...event, sequence_number })) };
}

function outputItem(reply: ModelReply, number: number): object {
  const call = callOf(reply);
  if (call === null) {
    const text = 'text' in reply ? reply.text : '';
    const content = [{ type: 'output_text', text, annotations: [] }];
    return { type: 'message', role: 'assistant', status: 'completed', content };
  }
  const named = { call_id: call.id ?? `call_${number}`, name: call.name, status: 'completed' };
  if ('free' in call) return { type: 'custom_tool_call', ...named, input: call.free };
  return { type: 'function_call', ...named, arguments: JSON.stringify(call.arguments) };
}
