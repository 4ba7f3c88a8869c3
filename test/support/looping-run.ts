import type { Span } from '../../src/core/span.ts';
import { encodeOtlpJson } from '../../src/formats/otlp/encode-json.ts';
import { makeSpan } from './make-span.ts';
import { spanIdOf, traceIdOf } from './store-app.ts';

const START_NS = 1_768_478_400_000_000_000n;
const SECOND_NS = 1_000_000_000n;

/**
 * A run that calls one tool again and again with the same arguments, until its limit ends it, which is a certain detection
 * of the rules.
 */
export function loopingRun(traceNumber: number, calls = 24, service = 'desk'): Span[] {
  const part = (number: number, attributes: Span['attributes'], name: string): Span =>
    makeSpan({
      traceId: traceIdOf(traceNumber),
      spanId: spanIdOf(number),
      parentSpanId: number === 0 ? null : spanIdOf(0),
      name,
      startNs: START_NS + BigInt(number) * SECOND_NS,
      endNs: START_NS + BigInt(number === 0 ? calls + 2 : number + 1) * SECOND_NS,
      attributes: { 'gen_ai.agent.name': 'clerk', ...attributes },
      resource: { 'service.name': service },
    });
  const call = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'search_orders',
    'gen_ai.tool.call.arguments': '{"query":"order 17"}',
    'gen_ai.tool.call.result': '{"rows":[]}',
  };
  const spans = Array.from({ length: calls }, (_, at) => part(at + 1, call, 'execute_tool search_orders'));
  return [...spans, part(0, { 'gen_ai.operation.name': 'invoke_agent' }, 'invoke_agent clerk')];
}

/** OTLP/JSON of one looping run. */
export function loopingBody(traceNumber: number): { traceId: string; body: string } {
  return { traceId: traceIdOf(traceNumber), body: encodeOtlpJson(loopingRun(traceNumber)).toString() };
}
