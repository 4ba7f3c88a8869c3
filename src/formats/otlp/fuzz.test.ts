import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mutateBytes } from '../../../test/support/mutate.ts';
import { seededRandom } from '../../../test/support/random.ts';
import { AppError } from '../../core/app-error.ts';
import type { Decoded } from '../../core/span.ts';
import { decodeOtlpJson } from './decode-json.ts';
import { decodeOtlpProtobuf } from './decode-protobuf.ts';

const FIXTURES = join(import.meta.dirname, '../../../test/fixtures/otlp');
const REFUSALS = ['malformed', 'invalid_body', 'payload_too_large'];
const EXPECTED = ['decoded', ...REFUSALS];

/** `decoded`, an allowed code, or what went wrong. */
function outcome(decode: (body: Buffer) => Decoded, body: Buffer): string {
  try {
    const { spans } = decode(body);
    const isSound = spans.every(
      (span) => span.traceId !== '' && span.spanId !== '' && typeof span.startNs === 'bigint',
    );
    return isSound ? 'decoded' : 'an unsound span';
  } catch (error) {
    return error instanceof AppError && REFUSALS.includes(error.code) ? error.code : `crash: ${String(error)}`;
  }
}

function outcomes(decode: (body: Buffer) => Decoded, files: string[], seed: number, count: number): Set<string> {
  const random = seededRandom(seed);
  const bodies = files.map((file) => readFileSync(join(FIXTURES, file)));
  const seen = new Set<string>();
  for (let index = 0; index < count; index += 1) {
    seen.add(outcome(decode, mutateBytes(bodies[index % bodies.length]!, random)));
  }
  return seen;
}

test('10,000 broken JSON bodies are decoded or refused', () => {
  const files = ['js-sdk3.json', 'spec-strings.json', 'snake-case-library.json', 'partly-refused.json'];
  const seen = outcomes(decodeOtlpJson, files, 1, 10_000);
  expect([...seen].filter((name) => !EXPECTED.includes(name))).toEqual([]);
  expect(seen).toContain('decoded');
});

test('10,000 broken protobuf bodies are decoded or refused', () => {
  const seen = outcomes(decodeOtlpProtobuf, ['js-sdk3.pb', 'js-sdk2.pb'], 2, 10_000);
  expect([...seen].filter((name) => !EXPECTED.includes(name))).toEqual([]);
  expect(seen).toContain('decoded');
});

test('a decoder that crashes is detected', () => {
  const crash = () => {
    throw new TypeError('undefined is not a span');
  };
  expect([...outcomes(crash, ['js-sdk3.pb'], 3, 2)]).toEqual(['crash: TypeError: undefined is not a span']);
});
