import { DEMO_RUNS, demoSpans } from '../../src/features/demo/demo-spans.ts';
import { encodeOtlpJson } from '../../src/formats/otlp/encode-json.ts';
import { NOW } from './run-cli.ts';

/** One of the demo's runs as an OTLP/JSON body. */
export function demoBody(name: string): string {
  const index = DEMO_RUNS.findIndex((run) => run.name === name);
  const spans = demoSpans(NOW)[index];
  if (!spans) throw new Error(`no demo run is called ${name}`);
  return encodeOtlpJson(spans);
}

export function demoTraceId(name: string): string {
  const index = DEMO_RUNS.findIndex((run) => run.name === name);
  return demoSpans(NOW)[index]?.[0]?.traceId ?? '';
}

/** A failed tool call in which every text contains terminal escape sequences, markup and XML. */
export function hostileBody(): string {
  const hostile =
    '\u001b]0;owned\u0007\u001b[2J<script>alert(1)</script> ]]> ![x](http://evil.example) | `tick` \u202e\u009b31m';
  const span = (spanId: string, name: string, attributes: Record<string, string>, parentSpanId?: string) => ({
    traceId: 'abcdefabcdefabcdefabcdefabcdef01',
    spanId,
    ...(parentSpanId ? { parentSpanId } : {}),
    name,
    kind: 1,
    startTimeUnixNano: '1777890000000000000',
    endTimeUnixNano: '1777890001000000000',
    attributes: Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } })),
    status: { code: attributes['error.type'] ? 2 : 0, message: attributes['error.message'] ?? '' },
  });
  const spans = [
    span('00000000000000a1', `root ${hostile}`, {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': `agent ${hostile}`,
    }),
    ...[2, 3, 4].map((n) =>
      span(
        `00000000000000a${n}`,
        `tool ${hostile}`,
        {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': `lookup ${hostile}`,
          'gen_ai.tool.call.arguments': JSON.stringify({ q: hostile }),
          'error.type': 'PermissionError',
          'error.message': `401 Unauthorized ${hostile}`,
        },
        '00000000000000a1',
      ),
    ),
  ];
  return JSON.stringify({
    resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ scope: { name: 'test' }, spans }] }],
  });
}
