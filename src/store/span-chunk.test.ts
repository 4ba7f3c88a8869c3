import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AttributeValue, Span } from '../core/span.ts';
import { chunkText, decodeChunk, encodeChunk } from './span-chunk.ts';

const attributeValue: fc.Arbitrary<AttributeValue> = fc.letrec<{ value: AttributeValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: 'grapheme' }),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.boolean(),
    fc.constant(null),
    fc.constant({ $int64: '1152921504606846976' }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
})).value;

const attributes = fc.dictionary(fc.string({ minLength: 1 }), attributeValue, { noNullPrototype: true });
const nanoseconds = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
const spanId = fc.stringMatching(/^[0-9a-f]{16}$/);

const span: fc.Arbitrary<Span> = fc.record({
  traceId: fc.constant('a'.repeat(32)),
  spanId,
  parentSpanId: fc.option(spanId),
  name: fc.string(),
  kind: fc.constantFrom(0, 1, 2, 3, 4, 5),
  startNs: nanoseconds,
  endNs: fc.option(nanoseconds),
  status: fc.record({ code: fc.constantFrom(0, 1, 2), message: fc.string() }),
  attributes,
  events: fc.array(fc.record({ name: fc.string(), timeNs: nanoseconds, attributes }), { maxLength: 2 }),
  links: fc.array(fc.record({ traceId: fc.string(), spanId: fc.string(), attributes }), { maxLength: 2 }),
  resource: attributes,
  scope: fc.record({ name: fc.string(), version: fc.string() }),
});

const spans = fc.uniqueArray(span, { minLength: 1, maxLength: 8, selector: (one) => one.spanId });

describe('span chunk', () => {
  it('decodes to exactly the encoded spans', () => {
    fc.assert(
      fc.property(spans, (group) => {
        expect(decodeChunk(encodeChunk(group).data, 'a'.repeat(32))).toEqual(group);
      }),
      { numRuns: 300, seed: 4319 },
    );
  });

  it('has equal hashes for equal content only', () => {
    const [one, other] = fc.sample(spans, { numRuns: 2, seed: 4319 }) as [Span[], Span[]];
    expect(encodeChunk(one).contentHash).toEqual(encodeChunk(structuredClone(one)).contentHash);
    expect(encodeChunk(one).contentHash).not.toEqual(encodeChunk(other).contentHash);
  });

  it('rejects bytes of an unknown version', () => {
    const { data } = encodeChunk(fc.sample(spans, { numRuns: 1, seed: 1 })[0] as Span[]);
    data[0] = 250;
    expect(() => decodeChunk(data, 'a'.repeat(32))).toThrow('unknown version 250');
  });

  it('compresses a small chunk of usual attributes', () => {
    const usual = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.agent.name': 'planner',
      'gen_ai.request.model': 'gpt-4o-mini',
    };
    const one: Span = {
      traceId: 'a'.repeat(32),
      spanId: '00f067aa0ba902b7',
      parentSpanId: null,
      name: 'chat gpt-4o-mini',
      kind: 3,
      startNs: 1_795_220_422_376_000_000n,
      endNs: 1_795_220_422_976_000_000n,
      status: { code: 0, message: '' },
      attributes: usual,
      events: [],
      links: [],
      resource: { 'service.name': 'desk' },
      scope: { name: 'opentelemetry.instrumentation.openai', version: '0.1.0' },
    };
    expect(encodeChunk([one]).data.length).toBeLessThan(chunkText([one]).length / 2);
  });
});
