import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { seededRandom } from '../../test/support/random.ts';

/**
 * OTLP/JSON bodies as an agent service sends them: spans of 12 attributes, about 1.33 kB a span, in traces of 4 to 50
 * spans with three agents. As in real runs the prompts of a trace share the agent's instructions and the task. All other text is
 * taken from the project's own documents, so that it compresses like English text; ids are random.
 */
export interface Traffic {
  bodies: string[];
  spansPerBody: number;
}

/** Spans of the traces in one body of a hundred; a larger body repeats the pattern. */
const TRACE_SIZES = [4, 8, 14, 24, 50];
const PATTERN_SPANS = 100;
const AGENTS = ['supervisor', 'researcher', 'writer'];
const INSTRUCTIONS = [
  'You route each request to the agent that can answer it and end when it is answered.',
  'You look things up with the tools you have and report what you found with its source.',
  'You write the final answer for the customer in a friendly tone and keep it short.',
];
const TOOLS = ['search_orders', 'get_invoice', 'send_email', 'query_database', 'fetch_page'];

export function createTraffic(options: {
  bodies: number;
  spansPerBody: number;
  seed: number;
  startMs: number;
}): Traffic {
  const random = seededRandom(options.seed);
  const words = readWords();
  const bodies = Array.from({ length: options.bodies }, (_, at) => {
    const spans = [];
    for (let pattern = 0; pattern < options.spansPerBody / PATTERN_SPANS; pattern += 1) {
      for (const size of TRACE_SIZES) spans.push(...makeTrace(random, words, size, options.startMs + at * 50));
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

function makeTrace(random: () => number, words: readonly string[], size: number, startMs: number): object[] {
  const traceId = hex(random, 32);
  const rootId = hex(random, 16);
  const run: Run = { conversationId: `conv-${hex(random, 12)}`, task: sentence(random, words, 12) };
  const spans: object[] = [];
  for (let place = 0; place < size; place += 1) {
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
      attributes: isTool ? toolAttributes(random, words, run) : chatAttributes(random, words, run),
      status: { code: 0 },
      flags: 257,
    });
  }
  return spans;
}

/** Attributes that all spans of one trace have. */
interface Run {
  conversationId: string;
  task: string;
}

function chatAttributes(random: () => number, words: readonly string[], run: Run): object[] {
  const agent = Math.floor(random() * AGENTS.length);
  const prompt = [
    { role: 'system', parts: [{ type: 'text', content: INSTRUCTIONS[agent] }] },
    { role: 'user', parts: [{ type: 'text', content: `${run.task} ${sentence(random, words, 3)}` }] },
  ];
  const answer = [
    { role: 'assistant', parts: [{ type: 'text', content: sentence(random, words, 8) }], finish_reason: 'stop' },
  ];
  return [
    attribute('gen_ai.operation.name', 'chat'),
    attribute('gen_ai.agent.name', AGENTS[agent] as string),
    attribute('gen_ai.provider.name', 'openai'),
    attribute('gen_ai.request.model', 'gpt-4o-mini'),
    attribute('gen_ai.response.id', `chatcmpl-${hex(random, 24)}`),
    attribute('gen_ai.conversation.id', run.conversationId),
    attribute('gen_ai.request.temperature', 0.2),
    attribute('gen_ai.usage.input_tokens', Math.floor(random() * 3000)),
    attribute('gen_ai.usage.output_tokens', Math.floor(random() * 600)),
    attribute('server.address', 'api.openai.com'),
    attribute('gen_ai.input.messages', JSON.stringify(prompt)),
    attribute('gen_ai.output.messages', JSON.stringify(answer)),
  ];
}

function toolAttributes(random: () => number, words: readonly string[], run: Run): object[] {
  return [
    attribute('gen_ai.operation.name', 'execute_tool'),
    attribute('gen_ai.agent.name', 'researcher'),
    attribute('gen_ai.tool.name', pick(random, TOOLS)),
    attribute('gen_ai.tool.type', 'function'),
    attribute('gen_ai.tool.call.id', `call_${hex(random, 24)}`),
    attribute('gen_ai.conversation.id', run.conversationId),
    attribute('app.attempt', 1),
    attribute('app.cache', 'miss'),
    attribute('server.address', 'orders.internal'),
    attribute('app.region', 'eu-west-1'),
    attribute('gen_ai.tool.call.arguments', JSON.stringify({ query: sentence(random, words, 6), limit: 20 })),
    attribute(
      'gen_ai.tool.call.result',
      JSON.stringify({ rows: [sentence(random, words, 10), sentence(random, words, 10)] }),
    ),
  ];
}

function attribute(key: string, value: string | number): object {
  if (typeof value === 'string') return { key, value: { stringValue: value } };
  return { key, value: Number.isInteger(value) ? { intValue: value } : { doubleValue: value } };
}

/** A stretch of running text from a random place. */
function sentence(random: () => number, words: readonly string[], length: number): string {
  const from = Math.floor(random() * (words.length - length));
  return words.slice(from, from + length).join(' ');
}

function readWords(): string[] {
  const root = resolve(import.meta.dirname, '../..');
  const files = [
    'docs/decisions',
    'src/detectors/loop',
    'src/detectors/state_corruption',
    'src/detectors/tool_failure',
  ].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(root, folder, name)),
  );
  const text = files.sort().map((file) => readFileSync(file, 'utf8'));
  return text.join(' ').match(/[A-Za-z][A-Za-z'’-]*[,.;:]?/g) ?? [];
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
