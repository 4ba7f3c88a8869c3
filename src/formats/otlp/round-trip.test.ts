import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Attributes, AttributeValue, Span, SpanKind } from '../../core/span.ts';
import { decodeOtlpJson } from './decode-json.ts';
import { decodeOtlpProtobuf } from './decode-protobuf.ts';
import { encodeOtlpJson } from './encode-json.ts';
import { encodeOtlpProtobuf } from './encode-protobuf.ts';

/** Records with the ordinary prototype, as the decoders create them. */
function plainRecord<T>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return fc.record(members, { noNullPrototype: true });
}

const text = fc.string({ unit: 'grapheme' }).map((value) => value.replaceAll('\0', ''));
const key = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'toString')).filter((name) => name !== '');
const time = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .filter((id) => id.some((byte) => byte !== 0))
    .map((id) => Buffer.from(id).toString('hex'));

const int64 = fc
  .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
  .filter((value) => !Number.isSafeInteger(Number(value)))
  .map((value) => ({ $int64: value.toString() }));
const bytes = fc.uint8Array().map((value) => ({ $bytes: Buffer.from(value).toString('base64') }));
const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value));

const { value } = fc.letrec<{ value: AttributeValue; map: Attributes }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    text,
    fc.maxSafeInteger(),
    double,
    int64,
    bytes,
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom('NaN', 'Infinity', '-Infinity').map((name) => ({ $double: name })),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('map'),
  ),
  map: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}));
const attributes = fc.dictionary(key, value, { maxKeys: 8, noNullPrototype: true });
const counted = fc
  .tuple(attributes, fc.option(fc.integer({ min: 1, max: 2 ** 32 - 1 }), { nil: undefined }))
  .map(([members, count]) => (count === undefined ? members : { ...members, 'otel.dropped_attributes_count': count }));

const span: fc.Arbitrary<Span> = plainRecord({
  traceId: hex(16),
  spanId: hex(8),
  parentSpanId: fc.option(hex(8)),
  name: text,
  kind: fc.integer({ min: 0, max: 5 }).map((kind) => kind as SpanKind),
  startNs: time,
  endNs: fc.option(time.filter((end) => end > 0n)),
  status: plainRecord({ code: fc.constantFrom(0 as const, 1 as const, 2 as const), message: text }),
  attributes: counted,
  events: fc.array(plainRecord({ name: text, timeNs: time, attributes: counted }), { maxLength: 3 }),
  links: fc.array(plainRecord({ traceId: hex(16), spanId: hex(8), attributes: counted }), { maxLength: 2 }),
  resource: fc.constantFrom<Attributes>({}, { 'service.name': 'a' }, { 'service.name': 'b', replicas: 3 }),
  scope: plainRecord({ name: fc.constantFrom('', 'tracer'), version: fc.constantFrom('', '1.0') }),
});
const spans = fc.array(span, { maxLength: 6 });

test('JSON: encoded spans decode to the same spans', () => {
  fc.assert(
    fc.property(spans, (original) => {
      const decoded = decodeOtlpJson(encodeOtlpJson(original));
      return decoded.rejections.length === 0 && isDeepStrictEqual(decoded.spans, original);
    }),
    { seed: 20, numRuns: 400 },
  );
});

test('protobuf: encoded spans decode to the same spans', () => {
  fc.assert(
    fc.property(spans, (original) => {
      const decoded = decodeOtlpProtobuf(encodeOtlpProtobuf(original));
      return decoded.rejections.length === 0 && isDeepStrictEqual(decoded.spans, original);
    }),
    { seed: 21, numRuns: 400 },
  );
});

test('the comparison detects a difference of one nanosecond', () => {
  const [original] = fc.sample(span, { seed: 1, numRuns: 1 });
  const [decoded] = decodeOtlpJson(encodeOtlpJson([original!])).spans;
  expect(isDeepStrictEqual(decoded, { ...original!, startNs: original!.startNs + 1n })).toBe(false);
});

test('ids that are not hex keep their relations in protobuf', () => {
  const [sample] = fc.sample(span, { seed: 2, numRuns: 1 });
  const parent = { ...sample!, traceId: 'run 7', spanId: 'root', parentSpanId: null };
  const child = { ...sample!, traceId: 'run 7', spanId: 'leaf', parentSpanId: 'root' };
  const { spans: decoded } = decodeOtlpProtobuf(encodeOtlpProtobuf([parent, child]));
  expect(decoded[1]).toMatchObject({ traceId: decoded[0]!.traceId, parentSpanId: decoded[0]!.spanId });
});
