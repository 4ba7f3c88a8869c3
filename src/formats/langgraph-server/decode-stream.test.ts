import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readRuns } from '../../../test/support/read-runs.ts';
import { decodeRunStream } from './decode-stream.ts';
import { isRunStream, readEventStream } from './event-stream.ts';

const fixtures = new URL('../../../test/fixtures/langgraph-server/', import.meta.url);
const START = 'event: metadata\ndata: {"run_id":"r"}\n\n';
const debug = (type: string, payload: object) =>
  `event: debug\ndata: ${JSON.stringify({ type, timestamp: '2026-01-01T00:00:00Z', payload })}\n\n`;

describe('the event stream of a run', () => {
  test('decodes to the spans and the run of its fixture', () => {
    const text = readFileSync(new URL('stars.expected.json', fixtures), 'utf8');
    expect(readRuns(new URL('stars.stream.sse', fixtures))).toEqual(JSON.parse(text));
  });

  test.each<[string, string, object[]]>([
    ['without debug events describes only the run', START, [{ parentSpanId: null }]],
    [
      'that broke off leaves its node open',
      START + debug('task', { id: 't', name: 'a' }),
      [{ parentSpanId: null }, { spanId: 't', endNs: null }],
    ],
    [
      'shows the failed node and the failed run',
      `${START}${debug('task', { id: 't', name: 'a' })}${debug('task_result', { id: 't', name: 'a', error: 'no disk' })}event: error\ndata: {"error":"IOError","message":"no disk"}\n\n`,
      [
        { status: { code: 2, message: 'no disk' }, attributes: { 'error.type': 'IOError' } },
        { status: { code: 2, message: 'no disk' } },
      ],
    ],
  ])('%s', (_, text, spans) => {
    expect(decodeRunStream(text).spans).toMatchObject(spans);
  });

  test('without its run id is refused', () => {
    expect(decodeRunStream('event: values\ndata: {}\n\n')).toMatchObject({ spans: [], rejections: [{ pointer: '' }] });
  });

  test('is read with any line ends, comments and lines of data joined', () => {
    const events = readEventStream(
      ': hi\r\nevent: a|x:1\r\ndata: {"b":\r\ndata: 1}\r\n\r\nevent: c\r\ndata: 2',
      () => {},
    );
    expect(events).toMatchObject([
      { type: 'a', path: 'x:1', data: { b: 1 } },
      { type: 'c', data: 2 },
    ]);
  });

  test.each([
    ['event: metadata\n', true],
    ['event:values\n', true],
    ['event: ping\n', false],
    ['{"event":"metadata"}', false],
  ])('%j', (start, isStream) => {
    expect(isRunStream(start)).toBe(isStream);
  });
});
