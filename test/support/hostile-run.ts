import type { JsonObject } from '../../src/core/json.ts';
import type { Span } from '../../src/core/span.ts';
import { makeSpan } from './make-span.ts';
import { spanIdOf, traceIdOf } from './store-app.ts';

/** Texts that a page must show as text. `marker` finds each one in the page. */
export const HOSTILE_MARKUP = [
  '<img src=x onerror="window.isOwned=true">',
  '<script>window.isOwned=true</script>',
  'javascript:window.isOwned=true',
  '<a href="javascript:window.isOwned=true">click</a>',
  '\u202Egnp.exe',
  '\u001b[31mred\u001b[0m',
  'NUL \0 and \u2066isolate',
  '"><svg onload=window.isOwned=true>',
  '{{constructor.constructor("window.isOwned=true")()}}',
  '[link](javascript:window.isOwned=true)',
] as const;

const START_NS = 1_768_478_400_000_000_000n;
const SECOND_NS = 1_000_000_000n;

/** A run with hostile text in every field of the sender, a text of several megabytes, and a chain of many steps. */
export function hostileRun(traceNumber: number, { textLength, depth }: { textLength: number; depth: number }): Span[] {
  const text = (at: number) => HOSTILE_MARKUP[at % HOSTILE_MARKUP.length]!;
  const span = (
    number: number,
    parent: number | null,
    name: string,
    attributes: JsonObject,
    more: Partial<Span> = {},
  ) =>
    makeSpan({
      traceId: traceIdOf(traceNumber),
      spanId: spanIdOf(number),
      parentSpanId: parent === null ? null : spanIdOf(parent),
      name,
      startNs: START_NS + BigInt(number) * (SECOND_NS / 1_000n),
      endNs: START_NS + BigInt(depth + 100) * (SECOND_NS / 1_000n),
      attributes,
      resource: { 'service.name': text(0), [text(3)]: text(4) },
      ...more,
    });
  const long = text(0).repeat(Math.ceil(textLength / text(0).length));
  const fields = HOSTILE_MARKUP.map((hostile, at) =>
    span(
      at + 1,
      0,
      hostile,
      {
        'gen_ai.operation.name': at % 2 === 0 ? 'chat' : 'execute_tool',
        'gen_ai.agent.name': hostile,
        'gen_ai.request.model': hostile,
        'gen_ai.tool.name': hostile,
        'gen_ai.tool.call.arguments': JSON.stringify({ [hostile]: hostile }),
        'gen_ai.tool.call.result': hostile,
        'gen_ai.input.messages': JSON.stringify([{ role: hostile, parts: [{ type: 'text', content: hostile }] }]),
        'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: hostile }] }]),
        [hostile]: hostile,
      },
      { status: { code: 2, message: hostile } },
    ),
  );
  const chain = Array.from({ length: depth }, (_, at) =>
    span(at + 100, at === 0 ? 0 : at + 99, `deep ${at}`, { 'gen_ai.operation.name': 'invoke_agent' }),
  );
  const root = span(0, null, text(0), { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': text(1) });
  const large = span(99, 0, 'large', {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'large',
    'gen_ai.tool.call.result': long,
    big: long,
  });
  return [root, ...fields, large, ...chain];
}
