// Responses API: decodes a request to a turn and encodes the response.
import { turnOf } from './chat-wire.mjs';

const textOf = (content) =>
  typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('\n');

export function responsesTurn(body) {
  const items = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : body.input;
  const messages = [
    ...(body.instructions ? [{ role: 'system', text: body.instructions }] : []),
    ...items.flatMap((item) => {
      if (item.type === 'function_call_output') return [{ role: 'tool', text: textOf(item.output) }];
      return item.role ? [{ role: item.role, text: textOf(item.content) }] : [];
    }),
  ];
  const results = new Map(
    items.filter(({ type }) => type === 'function_call_output').map((item) => [item.call_id, textOf(item.output)]),
  );
  const calls = items
    .filter(({ type }) => type === 'function_call')
    .map((item) => ({
      name: item.name,
      args: JSON.parse(item.arguments || '{}'),
      result: results.get(item.call_id) ?? null,
    }));
  return { ...turnOf(messages, calls), tools: (body.tools ?? []).map(({ name }) => name) };
}

export function responsesAnswer(body, { text = null, calls, finish }, stamp) {
  const output = [
    ...(text === null
      ? []
      : [
          {
            type: 'message',
            id: `msg_${stamp.id}`,
            status: 'completed',
            role: 'assistant',
            content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
          },
        ]),
    ...calls.map(({ name, args }, index) => ({
      type: 'function_call',
      id: `fc_${stamp.id}${index}`,
      call_id: `call_${stamp.id}${index}`,
      status: 'completed',
      name,
      arguments: typeof args === 'string' ? args : JSON.stringify(args),
    })),
  ];
  return {
    json: {
      id: `resp_${stamp.id}`,
      object: 'response',
      created_at: stamp.seconds,
      status: finish === 'length' ? 'incomplete' : 'completed',
      error: null,
      incomplete_details: finish === 'length' ? { reason: 'max_output_tokens' } : null,
      instructions: body.instructions ?? null,
      model: body.model,
      output,
      parallel_tool_calls: true,
      tool_choice: 'auto',
      tools: body.tools ?? [],
      usage: {
        input_tokens: stamp.input,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: stamp.output,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: stamp.input + stamp.output,
      },
    },
  };
}
