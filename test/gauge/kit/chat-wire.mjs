// Chat Completions API: decodes a request to a turn and encodes the response.
const textOf = (content) =>
  typeof content === 'string' ? content : (content ?? []).map(({ text, refusal }) => text ?? refusal ?? '').join('\n');

export function chatTurn(body) {
  const messages = body.messages.map(({ role, content, name }) => ({ role, name, text: textOf(content) }));
  const results = new Map(
    body.messages
      .filter(({ role }) => role === 'tool')
      .map((message) => [message.tool_call_id, textOf(message.content)]),
  );
  const calls = body.messages.flatMap(({ tool_calls = [] }) =>
    tool_calls.map((call) => ({
      name: call.function.name,
      args: JSON.parse(call.function.arguments || '{}'),
      result: results.get(call.id) ?? null,
    })),
  );
  return { ...turnOf(messages, calls), tools: (body.tools ?? []).map((tool) => tool.function?.name ?? tool.name) };
}

export function turnOf(messages, calls) {
  const of = (...roles) => messages.filter(({ role }) => roles.includes(role)).map(({ text }) => text);
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  return {
    messages,
    calls,
    system: of('system', 'developer').join('\n'),
    users: of('user'),
    first: of('user')[0] ?? '',
    user: of('user').at(-1) ?? '',
    last: messages.at(-1),
    /** Tool results since the user's last message. */
    fresh: messages.slice(lastUser + 1).filter(({ role }) => role === 'tool').length,
    all: messages.map(({ text }) => text).join('\n'),
    result: calls.at(-1)?.result ?? null,
  };
}

export function chatAnswer(body, { text = null, calls, finish }, stamp) {
  const tool_calls = calls.map(({ name, args }, index) => ({
    index,
    id: `call_${stamp.id}${index}`,
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  }));
  const message = { role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls }) };
  const finish_reason = finish ?? (calls.length > 0 ? 'tool_calls' : 'stop');
  const base = { id: `chatcmpl-${stamp.id}`, created: stamp.seconds, model: body.model };
  const usage = {
    prompt_tokens: stamp.input,
    completion_tokens: stamp.output,
    total_tokens: stamp.input + stamp.output,
    prompt_tokens_details: { cached_tokens: 0 },
  };
  if (!body.stream) {
    const choices = [{ index: 0, message, logprobs: null, finish_reason }];
    return { json: { ...base, object: 'chat.completion', choices, usage } };
  }
  const chunk = (choices, more = {}) => ({ ...base, object: 'chat.completion.chunk', choices, ...more });
  return {
    events: [
      chunk([{ index: 0, delta: message, finish_reason: null }]),
      chunk([{ index: 0, delta: {}, finish_reason }]),
      chunk([], { usage }),
      '[DONE]',
    ],
  };
}
