/** OTLP/JSON requests that together contain one trace of a given length. */
export interface LongTrace {
  traceId: string;
  /** Request bodies of at most 1,000 spans; the first contains the root. */
  bodies: string[];
}

const SPANS_PER_BODY = 1_000;
const TOOLS = ['search_orders', 'get_invoice', 'send_email', 'query_database', 'fetch_page'];

/**
 * An agent run: a root, an agent span for every hundred steps, and model and tool calls in turn, 120 ms apart.
 * @param textLength characters of each prompt, answer and result
 */
export function longTrace(options: {
  spans: number;
  startMs: number;
  textLength?: number;
  traceId?: string;
}): LongTrace {
  const { spans, startMs, textLength = 200, traceId = 'a'.repeat(32) } = options;
  const rows = Array.from({ length: spans }, (_, at) => spanAt(at, { traceId, startMs, textLength, spans }));
  const bodies: string[] = [];
  for (let from = 0; from < spans; from += SPANS_PER_BODY) {
    const part = rows.slice(from, from + SPANS_PER_BODY);
    bodies.push(
      JSON.stringify({
        resourceSpans: [{ resource: RESOURCE, scopeSpans: [{ scope: { name: 'long.trace' }, spans: part }] }],
      }),
    );
  }
  return { traceId, bodies };
}

const RESOURCE = { attributes: [text('service.name', 'support-desk')] };
const STEPS_PER_AGENT = 100;

function spanAt(at: number, run: { traceId: string; startMs: number; textLength: number; spans: number }): object {
  const isAgent = at % STEPS_PER_AGENT === 0;
  const agentAt = at - (at % STEPS_PER_AGENT);
  const start = BigInt(run.startMs + at * 120) * 1_000_000n;
  const lasts = isAgent ? (at === 0 ? run.spans : STEPS_PER_AGENT) * 120 : 90;
  const isTool = at % 3 === 2;
  const parent = isAgent ? 0 : agentAt;
  return {
    traceId: run.traceId,
    spanId: idOf(at),
    ...(at === 0 ? {} : { parentSpanId: idOf(parent) }),
    name: isAgent ? 'invoke_agent researcher' : isTool ? 'execute_tool' : 'chat gpt-4o-mini',
    kind: 1,
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(start + BigInt(lasts) * 1_000_000n),
    attributes: isAgent ? agentAttributes(agentAt) : isTool ? toolAttributes(at, run) : chatAttributes(at, run),
    status: { code: at % 997 === 996 ? 2 : 0 },
  };
}

function agentAttributes(at: number): object[] {
  return [text('gen_ai.operation.name', 'invoke_agent'), text('gen_ai.agent.name', `agent ${(at / 100) % 5}`)];
}

function chatAttributes(at: number, { textLength }: { textLength: number }): object[] {
  const prompt = [{ role: 'user', parts: [{ type: 'text', content: sentence(at, textLength) }] }];
  const answer = [{ role: 'assistant', parts: [{ type: 'text', content: sentence(at + 1, textLength) }] }];
  return [
    text('gen_ai.operation.name', 'chat'),
    text('gen_ai.request.model', 'gpt-4o-mini'),
    { key: 'gen_ai.usage.input_tokens', value: { intValue: 100 + (at % 900) } },
    { key: 'gen_ai.usage.output_tokens', value: { intValue: 10 + (at % 90) } },
    text('gen_ai.input.messages', JSON.stringify(prompt)),
    text('gen_ai.output.messages', JSON.stringify(answer)),
  ];
}

function toolAttributes(at: number, { textLength }: { textLength: number }): object[] {
  return [
    text('gen_ai.operation.name', 'execute_tool'),
    text('gen_ai.tool.name', TOOLS[((at / 3) % TOOLS.length) | 0] as string),
    text('gen_ai.tool.call.arguments', JSON.stringify({ query: `order ${at % 50}`, limit: 20 })),
    text('gen_ai.tool.call.result', JSON.stringify({ rows: [sentence(at, textLength)] })),
  ];
}

const WORDS =
  'the order of a customer was sent to another address and the invoice shows a different amount for it'.split(' ');

function sentence(seed: number, length: number): string {
  let written = `Item ${seed}:`;
  for (let n = seed; written.length < length; n = (n * 7 + 3) % 9973) written += ` ${WORDS[n % WORDS.length]}`;
  return written.slice(0, length);
}

function idOf(at: number): string {
  return (at + 1).toString(16).padStart(16, '0');
}

function text(key: string, value: string): object {
  return { key, value: { stringValue: value } };
}
