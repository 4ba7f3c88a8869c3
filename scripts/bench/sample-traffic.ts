import { seededRandom } from '../../test/support/random.ts';

/**
 * OTLP/JSON bodies like an agent service sends them: 100 spans of 12 attributes, about 1.3 kB a span, in traces of ten.
 * Text is drawn from a vocabulary, ids are random, so that compression is neither helped nor hindered unduly.
 */
export interface Traffic {
  bodies: string[];
  spansPerBody: number;
}

const SPANS_PER_TRACE = 10;
const AGENTS = ['supervisor', 'researcher', 'writer', 'billing', 'reviewer'];
const TOOLS = ['search_orders', 'get_invoice', 'send_email', 'query_database', 'fetch_page'];
const SYLLABLES = 'an be co de el fi ga hi in jo ka le mo ne or pa qu re so ta un ve wi xe yo za'.split(' ');

export function createTraffic(options: {
  bodies: number;
  spansPerBody: number;
  seed: number;
  startMs: number;
}): Traffic {
  const random = seededRandom(options.seed);
  const vocabulary = Array.from({ length: 4000 }, () => makeWord(random));
  const bodies = Array.from({ length: options.bodies }, (_, at) => {
    const spans = [];
    for (let trace = 0; trace < options.spansPerBody / SPANS_PER_TRACE; trace += 1) {
      spans.push(...makeTrace(random, vocabulary, options.startMs + at * 50));
    }
    return JSON.stringify({ resourceSpans: [{ resource: RESOURCE, scopeSpans: [{ scope: SCOPE, spans }] }] });
  });
  return { bodies, spansPerBody: options.spansPerBody };
}

const RESOURCE = {
  attributes: [
    attribute('service.name', 'support-desk'),
    attribute('telemetry.sdk.language', 'nodejs'),
    attribute('host.name', 'worker-7'),
  ],
};
const SCOPE = { name: 'bench.agent', version: '1.0.0' };

function makeTrace(random: () => number, vocabulary: string[], startMs: number): object[] {
  const traceId = hex(random, 32);
  const rootId = hex(random, 16);
  const spans: object[] = [];
  for (let place = 0; place < SPANS_PER_TRACE; place += 1) {
    const start = BigInt(startMs + place * 120) * 1_000_000n + BigInt(Math.floor(random() * 1e6));
    const isTool = place % 3 === 2;
    spans.push({
      traceId,
      spanId: place === 0 ? rootId : hex(random, 16),
      ...(place === 0 ? {} : { parentSpanId: rootId }),
      name: place === 0 ? 'invoke_agent support' : isTool ? 'execute_tool' : 'chat gpt-4o-mini',
      kind: 1,
      startTimeUnixNano: String(start),
      endTimeUnixNano: String(start + BigInt(Math.floor(random() * 9e8))),
      attributes: isTool ? toolAttributes(random, vocabulary) : chatAttributes(random, vocabulary),
      status: { code: 0 },
      flags: 257,
    });
  }
  return spans;
}

function chatAttributes(random: () => number, vocabulary: string[]): object[] {
  const prompt = [{ role: 'user', parts: [{ type: 'text', content: sentence(random, vocabulary, 28) }] }];
  const answer = [
    { role: 'assistant', parts: [{ type: 'text', content: sentence(random, vocabulary, 17) }], finish_reason: 'stop' },
  ];
  return [
    attribute('gen_ai.operation.name', 'chat'),
    attribute('gen_ai.agent.name', pick(random, AGENTS)),
    attribute('gen_ai.provider.name', 'openai'),
    attribute('gen_ai.request.model', 'gpt-4o-mini'),
    attribute('gen_ai.response.id', `chatcmpl-${hex(random, 24)}`),
    attribute('gen_ai.conversation.id', `conv-${hex(random, 12)}`),
    attribute('gen_ai.request.temperature', 0.2),
    attribute('gen_ai.usage.input_tokens', Math.floor(random() * 3000)),
    attribute('gen_ai.usage.output_tokens', Math.floor(random() * 600)),
    attribute('server.address', 'api.openai.com'),
    attribute('gen_ai.input.messages', JSON.stringify(prompt)),
    attribute('gen_ai.output.messages', JSON.stringify(answer)),
  ];
}

function toolAttributes(random: () => number, vocabulary: string[]): object[] {
  return [
    attribute('gen_ai.operation.name', 'execute_tool'),
    attribute('gen_ai.agent.name', pick(random, AGENTS)),
    attribute('gen_ai.tool.name', pick(random, TOOLS)),
    attribute('gen_ai.tool.type', 'function'),
    attribute('gen_ai.tool.call.id', `call_${hex(random, 24)}`),
    attribute('gen_ai.conversation.id', `conv-${hex(random, 12)}`),
    attribute('app.attempt', 1),
    attribute('app.cache', 'miss'),
    attribute('server.address', 'orders.internal'),
    attribute('app.region', 'eu-west-1'),
    attribute('gen_ai.tool.call.arguments', JSON.stringify({ query: sentence(random, vocabulary, 12), limit: 20 })),
    attribute(
      'gen_ai.tool.call.result',
      JSON.stringify({ rows: [sentence(random, vocabulary, 20), sentence(random, vocabulary, 20)] }),
    ),
  ];
}

function attribute(key: string, value: string | number): object {
  if (typeof value === 'string') return { key, value: { stringValue: value } };
  return { key, value: Number.isInteger(value) ? { intValue: value } : { doubleValue: value } };
}

function sentence(random: () => number, vocabulary: string[], words: number): string {
  // Squaring prefers the front of the vocabulary, as real text prefers common words.
  return Array.from({ length: words }, () => vocabulary[Math.floor(random() ** 2 * vocabulary.length)]).join(' ');
}

function makeWord(random: () => number): string {
  return Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(random, SYLLABLES)).join('');
}

function pick(random: () => number, list: readonly string[]): string {
  return list[Math.floor(random() * list.length)] as string;
}

function hex(random: () => number, digits: number): string {
  let text = '';
  while (text.length < digits)
    text += Math.floor(random() * 0x1_0000)
      .toString(16)
      .padStart(4, '0');
  return text.slice(0, digits);
}
