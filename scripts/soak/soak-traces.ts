import type { JsonObject } from '../../src/core/json.ts';

/** Traces that a soak sends, as OTLP/JSON. Each has ids of its own. */
export interface SoakTrace {
  traceId: string;
  spanIds: string[];
  spans: JsonObject[];
}

interface TraceOptions {
  /** Different for each trace. */
  number: number;
  spans: number;
  /** Unix milliseconds of its start. */
  atMs: number;
  /** Number of words of each step. */
  text: string;
}

/** A root and its steps, without a fault. */
export function plainTrace({ number, spans, atMs, text }: TraceOptions): SoakTrace {
  const steps = Array.from({ length: spans - 1 }, (_, index) => ({
    name: `step ${index}`,
    atMs: atMs + index * 100,
    attributes: {
      'gen_ai.agent.name': `agent ${index % 3}`,
      'gen_ai.usage.input_tokens': 100 + index,
      'output.value': `${text} ${number} ${index}`,
    },
  }));
  return assemble(number, { name: 'run', atMs, attributes: { 'gen_ai.agent.name': 'agent 0' } }, steps);
}

/** Two agents that hand each other the same state until the limit stops them, which is certainly a loop. */
export function loopingTrace(number: number, atMs: number): SoakTrace {
  const steps = Array.from({ length: 24 }, (_, index) => {
    const node = index % 2 === 1 ? 'critic' : 'planner';
    const attributes = {
      'langgraph.node': node,
      'gen_ai.agent.name': node,
      'graphruntime.node.name': node,
      'graphruntime.state': JSON.stringify({ plan: 'same' }),
      'gen_ai.usage.input_tokens': 900,
    };
    return { name: node, atMs: atMs + index * 100, attributes };
  });
  const message = 'Recursion limit of 24 reached without hitting a stop condition.';
  const trace = assemble(number, { name: 'run', atMs, attributes: { 'error.message': message } }, steps);
  trace.spans.at(-1)!.status = { code: 2, message };
  return trace;
}

interface Part {
  name: string;
  atMs: number;
  attributes: Record<string, string | number>;
}

function assemble(number: number, root: Part, steps: readonly Part[]): SoakTrace {
  const traceId = `50a4${hex(number, 28)}`;
  const idOf = (index: number) => `${hex(number, 12)}${hex(index + 1, 4)}`;
  const spanOf = (part: Part, index: number, durationMs: number): JsonObject => ({
    traceId,
    spanId: idOf(index),
    ...(index === 0 ? {} : { parentSpanId: idOf(0) }),
    name: part.name,
    kind: 1,
    startTimeUnixNano: `${part.atMs}000000`,
    endTimeUnixNano: `${part.atMs + durationMs}000000`,
    attributes: Object.entries(part.attributes).map(([key, value]): JsonObject => {
      const name = typeof value === 'number' ? 'intValue' : 'stringValue';
      return { key, value: { [name]: String(value) } };
    }),
  });
  // The root comes last, as exporters send it when it ends.
  const spans = [...steps.map((step, at) => spanOf(step, at + 1, 80)), spanOf(root, 0, (steps.length + 1) * 100)];
  return { traceId, spanIds: spans.map(({ spanId }) => spanId as string), spans };
}

function hex(value: number, width: number): string {
  return value.toString(16).padStart(width, '0');
}

export function toOtlpBody(traces: readonly SoakTrace[]): string {
  const attributes = [{ key: 'service.name', value: { stringValue: 'soak' } }];
  const spans = traces.flatMap((trace) => trace.spans);
  return JSON.stringify({
    resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: 'soak' }, spans }] }],
  });
}
