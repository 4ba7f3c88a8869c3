import type { Span } from '../../src/core/span.ts';
import { makeSpan } from './make-span.ts';
import { spanIdOf, traceIdOf } from './store-app.ts';

export const DERAILED_TASK = 'Compare the fares of the ferry between Kiel and Gothenburg for two passengers.';
export const RECIPE =
  'Whisk eggs with sugar, melt butter slowly, fold chocolate gently, bake twenty minutes, leave overnight, serve chilled, dusted lightly with cinnamon and the zest of a lemon.';

const START_NS = 1_768_478_400_000_000_000n;

/** A run whose answer shares no word with its task: `derailment/unrelated_answer`, an uncertain detection of the rules. */
export function derailedRun(traceNumber: number, answer = RECIPE): Span[] {
  const traceId = traceIdOf(traceNumber);
  const messageOf = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
  const part = (number: number, attributes: Span['attributes']): Span =>
    makeSpan({
      traceId,
      spanId: spanIdOf(number),
      parentSpanId: number === 0 ? null : spanIdOf(0),
      name: number === 0 ? 'invoke_agent clerk' : 'chat small',
      startNs: START_NS + BigInt(number) * 1_000_000_000n,
      endNs: START_NS + 3_000_000_000n,
      attributes: { 'gen_ai.agent.name': 'clerk', ...attributes },
      resource: { 'service.name': 'desk' },
    });
  const chat = part(1, {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'small',
    'gen_ai.input.messages': messageOf('user', DERAILED_TASK),
    'gen_ai.output.messages': messageOf('assistant', answer),
  });
  return [chat, part(0, { 'gen_ai.operation.name': 'invoke_agent' })];
}
