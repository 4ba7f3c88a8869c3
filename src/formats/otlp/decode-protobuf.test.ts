import { describe, expect, test } from 'vitest';
import type { AppError } from '../../core/app-error.ts';
import type { Span } from '../../core/span.ts';
import { decodeOtlpProtobuf } from './decode-protobuf.ts';
import { DEPTH_MARKER, OTLP_LIMITS } from './limits.ts';
import { WireWriter } from './wire-writer.ts';

const TRACE = '00112233445566778899aabbccddeeff';
const SPAN = '0123456789abcdef';

function decodeHex(...pieces: string[]): ReturnType<typeof decodeOtlpProtobuf> {
  return decodeOtlpProtobuf(Buffer.from(pieces.join('').replaceAll(' ', ''), 'hex'));
}

/** Puts a length before hex bytes. */
function sized(hex: string): string {
  const length = hex.replaceAll(' ', '').length / 2;
  if (length > 127) throw new Error('too long for this helper');
  return length.toString(16).padStart(2, '0') + hex;
}

function spanBytes(fields: string): string {
  return `0a${sized(`12${sized(`12${sized(fields)}`)}`)}`;
}

const IDS = `0a10${TRACE} 1208${SPAN}`;

describe('hand-written bytes', () => {
  test('a complete small request', () => {
    const { spans, rejections } = decodeHex(
      '0a 64', // resource_spans, 100 bytes
      '0a 0a  0a 08  0a 01 61  12 03 0a 01 62', // resource: a = "b"
      '12 56', // scope_spans
      '0a 06  0a 01 73  12 01 31', // scope s, version 1
      `12 4c  0a 10 ${TRACE}  12 08 ${SPAN}  22 08 1111111111111111`,
      '2a 02 686f  30 03', // name "ho", kind client
      '39 0100000000000000  41 ffffffffffffff7f', // 1 ns to the last representable one
      '7a 04  12 00 18 02', // status error
      '85 01 01010000', // flags 257, a field this decoder skips
      '18 07', // trace_state as a varint: wrong wire type, skipped
    );
    expect(rejections).toEqual([]);
    expect(spans).toEqual([
      {
        traceId: TRACE,
        spanId: SPAN,
        parentSpanId: '1111111111111111',
        name: 'ho',
        kind: 3,
        startNs: 1n,
        endNs: 9223372036854775807n,
        status: { code: 2, message: '' },
        attributes: {},
        events: [],
        links: [],
        resource: { a: 'b' },
        scope: { name: 's', version: '1' },
      } satisfies Span,
    ]);
  });

  test.each([
    ['text', '0a 02 c3a9', 'é'],
    ['text that is not UTF-8', '0a 01 ff', '\ufffd'],
    ['text with NUL', '0a 03 610062', 'a\0b'],
    ['true', '10 01', true],
    ['false', '10 00', false],
    ['int', '18 2a', 42],
    ['negative int', '18 f9ffffffffffffffff01', -7],
    ['2^53 - 1', '18 ffffffffffffff0f', 9007199254740991],
    ['2^53', '18 8080808080808010', { $int64: '9007199254740992' }],
    ['smallest int', '18 80808080808080808001', { $int64: '-9223372036854775808' }],
    ['double', '21 000000000000d03f', 0.25],
    ['minus zero', '21 0000000000000080', 0],
    ['NaN', '21 000000000000f87f', { $double: 'NaN' }],
    ['array', '2a 08  0a 02 18 01  0a 00  12 00', [1, null]],
    ['empty array', '2a 00', []],
    ['map', '32 09  0a 07  0a 01 6b  12 02 10 01', { k: true }],
    ['bytes', '3a 04 010203ff', { $bytes: 'AQID/w==' }],
    ['nothing', '', null],
    ['the last of two kinds', '18 01 10 01', true],
    ['an unknown kind', '42 01 61', null],
  ])('value: %s', (_name, value, expected) => {
    const { spans } = decodeHex(spanBytes(`${IDS} 4a${sized(`0a 01 6b 12 ${sized(value)}`)}`));
    expect(spans[0]!.attributes).toEqual({ k: expected });
  });

  test('events, links and counts', () => {
    const event = `5a${sized('09 0500000000000000 12 01 65 1a 05 0a 01 61 12 00 20 02')}`;
    const link = `6a${sized(`0a 10 ${TRACE} 12 08 ${SPAN} 35 00000000`)}`;
    const { spans } = decodeHex(spanBytes(`${IDS} ${event} ${link} 6a 00 50 03 60 04 70 05`));
    expect(spans[0]).toMatchObject({
      attributes: {
        'otel.dropped_attributes_count': 3,
        'otel.dropped_events_count': 4,
        'otel.dropped_links_count': 6,
      },
      events: [{ name: 'e', timeNs: 5n, attributes: { a: null, 'otel.dropped_attributes_count': 2 } }],
      links: [{ traceId: TRACE, spanId: SPAN, attributes: {} }],
    });
  });

  test('a resource that follows its spans belongs to them', () => {
    const { spans } = decodeHex(`0a${sized(`12 ${sized(`12 ${sized(IDS)}`)} 0a 06  0a 04  0a 02 6162`)}`);
    expect(spans[0]!.resource).toEqual({ ab: null });
  });

  test.each([
    ['no bytes', ''],
    ['an unknown field only', '10 05'],
    ['an empty group of spans', '0a 00'],
  ])('%s: no spans', (_name, hex) => {
    expect(decodeHex(hex)).toEqual({ spans: [], rejections: [] });
  });
});

describe('refused spans', () => {
  test.each([
    ['traceId', `1208${SPAN}`],
    ['traceId', `0a08${SPAN} 1208${SPAN}`],
    ['traceId', `0a10${'00'.repeat(16)} 1208${SPAN}`],
    ['spanId', `0a10${TRACE}`],
    ['spanId', `0a10${TRACE} 1208${'00'.repeat(8)}`],
    ['parentSpanId', `${IDS} 2201ff`],
    ['startTimeUnixNano', `${IDS} 39 0000000000000080`],
    ['endTimeUnixNano', `${IDS} 41 ffffffffffffffff`],
  ])('%s: %s', (field, fields) => {
    const { spans, rejections } = decodeHex(spanBytes(fields), spanBytes(IDS));
    expect(rejections).toMatchObject([{ pointer: `/resourceSpans/0/scopeSpans/0/spans/0/${field}` }]);
    expect(spans).toHaveLength(1);
  });

  test('a parent id of zeros means no parent', () => {
    expect(decodeHex(spanBytes(`${IDS} 2208${'00'.repeat(8)}`)).spans[0]!.parentSpanId).toBeNull();
  });
});

describe('bytes that are not protobuf', () => {
  test.each([
    ['a length beyond the end', '0a 05 00'],
    ['a length of 4 GiB', '0a ffffffff0f'],
    ['a number without end', '10 ffffffffffffffffffff01'],
    ['an end within a number', '10 80'],
    ['an end within fixed64', '09 0000'],
    ['a group', '0b 0c'],
    ['wire type 7', '0f'],
    ['field number zero', '02 00'],
    ['a field that crosses its message', '0a 02 12 05 0000000000'],
    ['a number that crosses its message', '0a 02 10 80 01'],
    ['text', Buffer.from('{"resourceSpans":[]}').toString('hex')],
  ])('%s', (_name, hex) => {
    expect(() => decodeHex(hex)).toThrow(expect.objectContaining({ code: 'malformed' }) as AppError);
  });
});

describe('limits', () => {
  function request(writeSpan: (wire: WireWriter) => void): Buffer {
    const wire = new WireWriter();
    wire.message(1, () =>
      wire.message(2, () =>
        wire.message(2, () => {
          wire.content(1, Buffer.from(TRACE, 'hex'));
          wire.content(2, Buffer.from(SPAN, 'hex'));
          writeSpan(wire);
        }),
      ),
    );
    return wire.finish();
  }

  function attribute(wire: WireWriter, key: string, writeValue: () => void): void {
    wire.message(9, () => {
      wire.text(1, key);
      wire.message(2, writeValue);
    });
  }

  test('attributes and events beyond the limit are counted', () => {
    const body = request((wire) => {
      for (let index = 0; index < 1030; index += 1) attribute(wire, `k${index}`, () => wire.varint(3, index));
      for (let index = 0; index < 1027; index += 1) wire.message(11, () => wire.text(2, 'e'));
    });
    const [span] = decodeOtlpProtobuf(body).spans;
    expect(Object.keys(span!.attributes)).toHaveLength(1024 + 2);
    expect(span!.attributes).toMatchObject({ 'otel.dropped_attributes_count': 6, 'otel.dropped_events_count': 3 });
  });

  test('values nested too deep end in a marker', () => {
    const nest = (wire: WireWriter, levels: number): void => {
      if (levels > 0) wire.message(5, () => wire.message(1, () => nest(wire, levels - 1)));
    };
    const body = request((wire) => attribute(wire, 'deep', () => nest(wire, 500)));
    const text = JSON.stringify(decodeOtlpProtobuf(body).spans[0]!.attributes.deep);
    expect(text).toBe(`${'['.repeat(64)}"${DEPTH_MARKER}"${']'.repeat(64)}`);
  });

  test('long texts are truncated, and cached texts are not confused', () => {
    const body = request((wire) => {
      attribute(wire, 'long', () => wire.text(1, 'x'.repeat(2_000_000)));
      for (const word of ['ab', 'ba', 'ab', 'aB']) attribute(wire, word, () => wire.text(1, word));
    });
    const { long, ...short } = decodeOtlpProtobuf(body).spans[0]!.attributes;
    expect(long).toHaveLength(1_048_576);
    expect(short).toEqual({ ab: 'ab', ba: 'ba', aB: 'aB' });
  });

  test('a body with too many spans is rejected as a whole', () => {
    const limits = { ...OTLP_LIMITS, spans: 1 };
    const body = Buffer.concat([request(() => {}), request(() => {})]);
    expect(() => decodeOtlpProtobuf(body, limits)).toThrow(
      expect.objectContaining({ code: 'payload_too_large' }) as AppError,
    );
  });
});
