import { describe, expect, test } from 'vitest';
import { decodeRunsMultipart, isRunsMultipart } from './decode-multipart.ts';

const part = (name: string, body: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: application/json\r\n\r\n${body}\r\n`;
const body = (...parts: string[]) => Buffer.from(`${parts.join('')}--b--\r\n`);
const RUN = '{"run_type":"chain","name":"x","start_time":"2026-01-01T00:00:00Z"}';

describe('a multipart body of runs', () => {
  test.each([
    ['a separate part for a field', [part('post.r', RUN), part('post.r.outputs', '{"a":1}')], '{"a":1}'],
    ['the field before its run', [part('post.r.outputs', '{"a":1}'), part('post.r', RUN)], '{"a":1}'],
    [
      'a patch after the post',
      [part('post.r', RUN), part('patch.r', '{"run_type":"chain"}'), part('patch.r.outputs', '{"a":2}')],
      '{"a":2}',
    ],
    ['a field that is not read', [part('post.r', RUN), part('post.r.__proto__', '{"outputs":{"a":3}}')], undefined],
    ['a delimiter within a value', [part('post.r', RUN), part('post.r.outputs', '{"a":"--b"}')], '{"a":"--b"}'],
  ])('%s', (_, parts, completion) => {
    const { spans, rejections } = decodeRunsMultipart(body(...parts));
    expect(rejections).toEqual([]);
    expect(spans.map((span) => [span.spanId, span.attributes['gen_ai.completion']])).toEqual([['r', completion]]);
  });

  test.each([
    ['a file name before the name', 'filename="post.z"; name="post.r"'],
    ['a name without quotes', 'name=post.r'],
  ])('%s', (_, disposition) => {
    const unusual = part('post.r', RUN).replace('name="post.r"', disposition);
    expect(decodeRunsMultipart(body(unusual)).spans).toMatchObject([{ spanId: 'r', name: 'x' }]);
  });

  test('a run has no prototype fields', () => {
    const run = '{"__proto__":{"name":"evil"},"run_type":"chain","start_time":"2026-01-01T00:00:00Z"}';
    expect(decodeRunsMultipart(body(part('post.r', run))).spans).toMatchObject([{ spanId: 'r', name: '' }]);
  });

  test('a truncated or broken part rejects only its run', () => {
    const cut = Buffer.concat([
      body(part('post.r', RUN), part('post.s', '[]')).subarray(0, -7),
      Buffer.from(part('post.t', '{"run_')),
    ]);
    const { spans, rejections } = decodeRunsMultipart(cut);
    expect(spans.map(({ spanId }) => spanId)).toEqual(['r']);
    expect(rejections).toEqual([
      { pointer: '/post.s', message: 'expected an object' },
      { pointer: '/post.t', message: 'not JSON' },
    ]);
  });

  test('a run nested too deep is rejected alone', () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const { spans, rejections } = decodeRunsMultipart(
      body(part('post.r', RUN), part('post.r.outputs', deep), part('post.s', RUN)),
    );
    expect(spans.map(({ spanId }) => spanId)).toEqual(['s']);
    expect(rejections).toEqual([{ pointer: '/post.r', message: 'nested too deep' }]);
  });

  test('limits apply to all parts except attachments, and a deep part is rejected alone', () => {
    const limits = { maxBytes: 2_000, maxNodes: 40 };
    const read = (...parts: string[]) => decodeRunsMultipart(body(part('post.r', RUN), ...parts), { limits });
    expect(read(part('attachment.r.photo', 'x'.repeat(9_000))).spans).toHaveLength(1);
    expect(() => read(part('post.r.outputs', `"${'x'.repeat(9_000)}"`))).toThrow('too large');
    expect(() => read(part('post.r.outputs', `[${'1,'.repeat(50)}1]`))).toThrow(/40/);
    const deep = `${'['.repeat(600)}${']'.repeat(600)}`;
    const { spans, rejections } = decodeRunsMultipart(body(part('post.r', RUN), part('post.s.outputs', deep)), {
      limits: { maxBytes: 9_000, maxNodes: 9_000 },
    });
    expect(spans.map(({ spanId }) => spanId)).toEqual(['r']);
    expect(rejections[0]).toEqual({ pointer: '/post.s.outputs', message: 'nested too deep' });
  });

  test.each([
    ['JSON', '{"a":1}'],
    ['another form', '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nx\r\n--b--\r\n'],
    ['dashes alone', '-----'],
    ['nothing', ''],
  ])('%s is not a multipart body of runs', (_, text) => {
    expect(isRunsMultipart(Buffer.from(text))).toBe(false);
  });
});
