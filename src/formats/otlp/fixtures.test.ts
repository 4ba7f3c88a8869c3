import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Attributes, AttributeValue, Decoded, Span } from '../../core/span.ts';
import { decodeOtlpJson } from './decode-json.ts';
import { decodeOtlpProtobuf } from './decode-protobuf.ts';

const FIXTURES = join(import.meta.dirname, '../../../test/fixtures/otlp');

function decodeFile(file: string): Decoded {
  const body = readFileSync(file);
  if (file.endsWith('.pb')) return decodeOtlpProtobuf(body);
  return decodeOtlpJson(file.endsWith('.gz') ? gunzipSync(body) : body);
}

/** As the expected files hold it: 64-bit numbers as text. */
function asText(decoded: Decoded): unknown {
  return JSON.parse(JSON.stringify(decoded, (_key, value) => (typeof value === 'bigint' ? value.toString() : value)));
}

describe('bodies in the shapes of real senders', () => {
  test.each([
    ['js-sdk2.json', 'js-sdk2.json'],
    ['js-sdk2.pb', 'js-sdk2.pb'],
    ['js-sdk3.json', 'js-sdk3.json'],
    ['js-sdk3.json.gz', 'js-sdk3.json'],
    ['js-sdk3.pb', 'js-sdk3.pb'],
    ['spec-strings.json', 'spec-strings.json'],
    ['snake-case-library.json', 'snake-case-library.json'],
    ['partly-refused.json', 'partly-refused.json'],
  ])('%s', (file, story) => {
    const expected = JSON.parse(readFileSync(join(FIXTURES, `${story}.expected.json`), 'utf8'));
    expect(asText(decodeFile(join(FIXTURES, file)))).toEqual(expected);
  });

  test('every fixture has a row above', () => {
    const bodies = readdirSync(FIXTURES).filter((name) => !name.endsWith('.expected.json'));
    expect(bodies).toHaveLength(8);
  });

  test('the comparison detects a wrong expectation', () => {
    const expected = JSON.parse(readFileSync(join(FIXTURES, 'js-sdk3.json.expected.json'), 'utf8'));
    expect(asText(decodeFile(join(FIXTURES, 'js-sdk2.json')))).not.toEqual(expected);
  });
});

/** The content of a span without ids and times; numbers are rounded as by JavaScript's JSON. */
function meaning(span: Span): unknown {
  const { name, kind, status, resource, scope, parentSpanId, endNs } = span;
  const events = span.events.map((event) => [event.name, coarse(event.attributes)]);
  const links = span.links.map((link) => coarse(link.attributes));
  const attributes = coarse(span.attributes);
  return {
    name,
    kind,
    status,
    resource,
    scope,
    attributes,
    events,
    links,
    parent: parentSpanId !== null,
    endNs: !endNs,
  };
}

function coarse(value: AttributeValue): AttributeValue {
  if (Array.isArray(value)) return value.map(coarse);
  if (typeof value === 'string') return value.replace(/[\w./-]{0,200}\.mjs:\d+:\d+/g, 'file');
  if (typeof value !== 'object' || value === null) return value;
  if ('$double' in value) return null;
  if ('$int64' in value) return Number(value.$int64);
  const members: Attributes = {};
  for (const [key, member] of Object.entries(value)) members[key] = coarse(member);
  return members;
}

const captures = process.env.MISSTEP_CAPTURES ?? join(import.meta.dirname, '../../../../shared/clients/captures');
const hasCaptures = existsSync(join(captures, 'otlp'));

describe.skipIf(!hasCaptures)('captured bodies', () => {
  test.each(['otlp/otel2', 'otlp/otel3', 'otlp-retry/partial'])(
    '%s: JSON and protobuf decode to the same spans',
    (name) => {
      const json = decodeFile(join(captures, `${name}-json-01.v1_traces.body.json`));
      const protobuf = decodeFile(join(captures, `${name}-proto-01.v1_traces.pb`));
      expect(json.rejections).toEqual([]);
      expect(protobuf.rejections).toEqual([]);
      expect(json.spans.length).toBeGreaterThan(0);
      expect(json.spans.map(meaning)).toEqual(protobuf.spans.map(meaning));
    },
  );

  const bodies = hasCaptures
    ? readdirSync(captures, { recursive: true, encoding: 'utf8' }).filter(isTraceBody).sort()
    : [];
  test.each(bodies)('%s decodes without rejected records', (name) => {
    const decoded = decodeFile(join(captures, name));
    expect(decoded.rejections).toEqual([]);
    expect(decoded.spans.length).toBeGreaterThan(0);
  });
});

function isTraceBody(name: string): boolean {
  return /v1_traces\.(?:pb|body\.json(?:\.gz)?)$/.test(name);
}
