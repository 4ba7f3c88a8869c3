import { describe, expect, test } from 'vitest';
import { AppError } from '../../core/app-error.ts';
import type { Attributes, AttributeValue, Decoded } from '../../core/span.ts';
import { decodeOtlpJson } from './decode-json.ts';
import { DEPTH_MARKER, OTLP_LIMITS, type OtlpLimits } from './limits.ts';

const TRACE = '00112233445566778899aabbccddeeff';
const SPAN = '0011223344556677';

function bodyOf(...spans: unknown[]): string {
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
}

function decodeSpan(fields: object, limits?: OtlpLimits): Decoded {
  return decodeOtlpJson(bodyOf({ traceId: TRACE, spanId: SPAN, name: 'x', ...fields }), limits);
}

function attributesOf(body: string): Attributes {
  return decodeOtlpJson(body).spans[0]!.attributes;
}

describe('whole bodies', () => {
  test.each([
    ['{}', 0],
    ['{"resourceSpans":[]}', 0],
    ['{"resourceSpans":null,"later":1}', 0],
    ['{"resourceSpans":[{}]}', 0],
    ['{"resourceSpans":[{"scopeSpans":[{}]}]}', 0],
    [`\ufeff${bodyOf({ traceId: TRACE, spanId: SPAN })}`, 1],
  ])('%s holds %i spans', (body, count) => {
    const decoded = decodeOtlpJson(Buffer.from(body));
    expect(decoded.spans).toHaveLength(count);
    expect(decoded.rejections).toEqual([]);
  });

  test.each([
    ['', 'malformed', undefined],
    ['{"resourceSpans":[', 'malformed', undefined],
    ['{"resourceSpans":[]} trailing', 'malformed', undefined],
    ['{"data":[]}', 'invalid_body', '/resourceSpans'],
    ['null', 'invalid_body', ''],
    ['[]', 'invalid_body', ''],
    ['7', 'invalid_body', ''],
    ['{"resourceSpans":{}}', 'invalid_body', '/resourceSpans'],
    ['{"resource_spans":"x"}', 'invalid_body', '/resource_spans'],
  ])('%s is refused as %s', (body, code, pointer) => {
    const error = thrownBy(() => decodeOtlpJson(body));
    expect(error.code).toBe(code);
    expect(error.errors[0]?.pointer).toBe(pointer);
  });

  test('a body with too many spans or nodes is rejected as a whole', () => {
    const two = bodyOf({ traceId: TRACE, spanId: SPAN }, { traceId: TRACE, spanId: SPAN });
    expect(thrownBy(() => decodeOtlpJson(two, { ...OTLP_LIMITS, spans: 1 })).code).toBe('payload_too_large');
    expect(thrownBy(() => decodeOtlpJson(two, { ...OTLP_LIMITS, jsonNodes: 5 })).code).toBe('payload_too_large');
    expect(decodeOtlpJson(two, { ...OTLP_LIMITS, spans: 2, jsonNodes: 8 }).spans).toHaveLength(2);
  });

  test('deep nesting outside of values is ignored', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(decodeOtlpJson(`{"other":${deep},"resourceSpans":[]}`).spans).toEqual([]);
  });
});

function thrownBy(act: () => unknown): AppError {
  try {
    act();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('ids', () => {
  test.each([
    ['0AF7651916CD43DD8448EB211C80319C', '0af7651916cd43dd8448eb211c80319c'],
    ['run-7/Step A', 'run-7/Step A'],
    ['x'.repeat(128), 'x'.repeat(128)],
  ])('trace id %s is accepted', (traceId, expected) => {
    expect(decodeSpan({ traceId }).spans[0]!.traceId).toBe(expected);
  });

  test.each([undefined, null, '', '0000', '  ', 7, {}, 'x'.repeat(129), 'a\0b', '\ud800'])(
    'trace id %j is refused',
    (traceId) => {
      expect(decodeSpan({ traceId }).rejections).toMatchObject([
        { pointer: '/resourceSpans/0/scopeSpans/0/spans/0/traceId' },
      ]);
    },
  );

  test.each([
    [undefined, null],
    [null, null],
    ['', null],
    ['0000000000000000', null],
    ['AB00000000000000', 'ab00000000000000'],
  ])('parent %j is %j', (parentSpanId, expected) => {
    expect(decodeSpan({ parentSpanId }).spans[0]!.parentSpanId).toBe(expected);
  });
});

describe('times', () => {
  test.each([
    ['"1795220422376099767"', 1795220422376099767n],
    ['1795220422376099767', 1795220422376099767n],
    ['1.795220422376e18', 1795220422376000000n],
    ['0', 0n],
    ['"0"', 0n],
    ['""', 0n],
    ['null', 0n],
    ['9223372036854775807', 9223372036854775807n],
  ])('start %s', (raw, expected) => {
    const body = bodyOf({ traceId: TRACE, spanId: SPAN, startTimeUnixNano: '@' }).replace('"@"', raw);
    expect(decodeOtlpJson(body).spans[0]!.startNs).toBe(expected);
  });

  test.each([
    '-1',
    '"-1"',
    '1.5',
    '"soon"',
    '"0x10"',
    '" 1"',
    '9223372036854775808',
    '"18446744073709551615"',
    '1e999',
    'true',
    '[]',
  ])('end %s is refused', (raw) => {
    const body = bodyOf({ traceId: TRACE, spanId: SPAN, endTimeUnixNano: '@' }).replace('"@"', raw);
    expect(decodeOtlpJson(body).rejections).toMatchObject([{ pointer: expect.stringMatching(/\/endTimeUnixNano$/) }]);
  });

  test('quoting long numbers does not change texts', () => {
    const text = 'see {"intValue":1152921504606846977} and \\","intValue" : 1152921504606846977 }';
    const attributes = [
      { key: 'text', value: { stringValue: text } },
      { key: 'number', value: { intValue: '@' } },
    ];
    const body = bodyOf({ traceId: TRACE, spanId: SPAN, attributes }).replace('"@"', ' 1152921504606846977 ');
    expect(attributesOf(body)).toEqual({ text, number: { $int64: '1152921504606846977' } });
  });
});

describe('values', () => {
  test.each<[string, AttributeValue]>([
    ['{"stringValue":"a"}', 'a'],
    ['{"stringValue":""}', ''],
    ['{"stringValue":null}', null],
    ['{"intValue":42}', 42],
    ['{"intValue":"42"}', 42],
    ['{"intValue":-0}', 0],
    ['{"intValue":9007199254740993}', { $int64: '9007199254740993' }],
    ['{"intValue":"-9223372036854775808"}', { $int64: '-9223372036854775808' }],
    ['{"doubleValue":0.25}', 0.25],
    ['{"doubleValue":-0.0}', 0],
    ['{"doubleValue":"NaN"}', { $double: 'NaN' }],
    ['{"doubleValue":"Infinity"}', { $double: 'Infinity' }],
    ['{"doubleValue":1e999}', { $double: 'Infinity' }],
    ['{"doubleValue":null}', null],
    ['{"boolValue":true}', true],
    ['{"boolValue":"false"}', false],
    ['{"bytesValue":"_-8="}', { $bytes: '/+8=' }],
    ['{"arrayValue":{}}', []],
    ['{"arrayValue":{"values":[{"intValue":"no"},{},{"boolValue":true}]}}', [null, null, true]],
    ['{"kvlistValue":{"values":[{"key":"a","value":{"intValue":1}},{"key":"a","value":{"intValue":2}}]}}', { a: 2 }],
    ['{"array_value":{"values":[{"string_value":"x"}]}}', ['x']],
    ['{"futureValue":1}', null],
    ['{}', null],
    ['null', null],
  ])('%s', (raw, expected) => {
    const body = bodyOf({ traceId: TRACE, spanId: SPAN, attributes: [{ key: 'k', value: '@' }] }).replace('"@"', raw);
    expect(attributesOf(body)).toEqual({ k: expected });
  });

  test.each([
    '7',
    '"text"',
    '[]',
    '{"stringValue":7}',
    '{"intValue":"ten"}',
    '{"intValue":"9223372036854775808"}',
    '{"doubleValue":"x"}',
    '{"boolValue":1}',
    '{"bytesValue":"%"}',
    '{"arrayValue":[]}',
    '{"kvlistValue":{"values":7}}',
  ])('%s is dropped and counted', (raw) => {
    const body = bodyOf({ traceId: TRACE, spanId: SPAN, attributes: [{ key: 'k', value: '@' }] }).replace('"@"', raw);
    expect(attributesOf(body)).toEqual({ 'otel.dropped_attributes_count': 1 });
  });

  test('NUL is kept, lone surrogates are replaced', () => {
    const attributes = [{ key: 'k\0', value: { stringValue: 'a\0b\ud800c😀' } }];
    const [span] = decodeSpan({ name: 'n\0', attributes }).spans;
    expect(span).toMatchObject({ name: 'n\0', attributes: { 'k\0': 'a\0b\ufffdc😀' } });
  });

  test('a key named `__proto__` is an ordinary key', () => {
    const body = bodyOf({
      traceId: TRACE,
      spanId: SPAN,
      attributes: [
        { key: '__proto__', value: { kvlistValue: { values: [{ key: 'polluted', value: { boolValue: true } }] } } },
      ],
    });
    const attributes = attributesOf(body);
    expect(Object.keys(attributes)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(attributes)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
    expect(JSON.stringify(structuredClone(attributes))).toBe('{"__proto__":{"polluted":true}}');
  });
});

describe('limits', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ key: `k${index}`, value: { intValue: index } }));

  test('attributes, events and links beyond the limit are counted', () => {
    const events = Array.from({ length: 1030 }, () => ({ name: 'e' }));
    const links = Array.from({ length: 1026 }, () => ({ traceId: TRACE, spanId: SPAN }));
    const counts = { droppedAttributesCount: 10, droppedEventsCount: 20, droppedLinksCount: 30 };
    const [span] = decodeSpan({ attributes: many(1030), ...counts, events, links }).spans;
    expect(Object.keys(span!.attributes)).toHaveLength(1024 + 3);
    expect(span!.attributes).toMatchObject({
      'otel.dropped_attributes_count': 16,
      'otel.dropped_events_count': 26,
      'otel.dropped_links_count': 32,
    });
    expect([span!.events.length, span!.links.length]).toEqual([1024, 1024]);
  });

  test('long texts are cut with a marker', () => {
    const attributes = [{ key: 'long', value: { stringValue: 'x'.repeat(1_048_577) } }];
    const [span] = decodeSpan({ name: '😀'.repeat(3000), attributes }).spans;
    expect(span!.name).toMatch(/😀\[truncated: 6000 characters\]$/u);
    expect(span!.name.length).toBeLessThanOrEqual(4096);
    expect(span!.name.isWellFormed()).toBe(true);
    expect(span!.attributes.long).toMatch(/x\[truncated: 1048577 characters\]$/);
    expect(span!.attributes.long).toHaveLength(1_048_576);
  });

  test('values nested too deep end in a marker', () => {
    let value: unknown = { intValue: 1 };
    for (let depth = 0; depth < 70; depth += 1) value = { arrayValue: { values: [value] } };
    const [span] = decodeSpan({ attributes: [{ key: 'deep', value }] }).spans;
    expect(JSON.stringify(span!.attributes.deep)).toBe(`${'['.repeat(64)}"${DEPTH_MARKER}"${']'.repeat(64)}`);
  });

  test('a hundred thousand levels do not overflow the stack', () => {
    const levels = 100_000;
    const value = `${'{"arrayValue":{"values":['.repeat(levels)}{}${']}}'.repeat(levels)}`;
    const body = bodyOf({ traceId: TRACE, spanId: SPAN, attributes: [{ key: 'k', value: '@' }] }).replace('"@"', value);
    expect(attributesOf(body)).toHaveProperty('k');
  });

  test('nested values are bounded for the whole span', () => {
    const values = Array.from({ length: 70_000 }, () => ({}));
    const [span] = decodeSpan({ attributes: [{ key: 'wide', value: { arrayValue: { values } } }] }).spans;
    expect(span!.attributes.wide).toHaveLength(65_537);
  });
});

test('spans of one resource share its attributes', () => {
  const { spans } = decodeOtlpJson(bodyOf({ traceId: TRACE, spanId: SPAN }, { traceId: TRACE, spanId: 'ab' }));
  expect(spans[0]!.resource).toBe(spans[1]!.resource);
});
