import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readRuns } from '../../../test/support/read-runs.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { decodeThreadHistory, isThreadHistory } from './decode-history.ts';
import { runTraceId } from './run-span.ts';

const fixtures = new URL('../../../test/fixtures/langgraph-server/', import.meta.url);
const expected = (name: string) => JSON.parse(readFileSync(new URL(`${name}.expected.json`, fixtures), 'utf8'));

const checkpoint = (step: number, fields: JsonObject = {}): JsonObject => ({
  values: { n: step },
  next: [],
  tasks: [],
  metadata: { step, source: step < 0 ? 'input' : 'loop', run_id: 'run' },
  created_at: `2026-01-01T00:00:0${step + 1}Z`,
  checkpoint: { thread_id: 'th', checkpoint_id: `c${step}` },
  parent_checkpoint: step < 0 ? null : { thread_id: 'th', checkpoint_id: `c${step - 1}` },
  ...fields,
});
const task = (name: string, fields: JsonObject = {}): Json => ({ id: `t-${name}`, name, error: null, ...fields });

describe('a thread history', () => {
  test.each(['newsletter', 'floor-plan', 'ledger'])('%s decodes to the spans and the run of its fixture', (name) => {
    expect(readRuns(new URL(`${name}.history.json`, fixtures))).toEqual(expected(name));
  });

  test('the comparison detects a wrong checkpoint', () => {
    const wrong = expected('newsletter');
    wrong.runs[0].checkpoints.pop();
    expect(() => expect(readRuns(new URL('newsletter.history.json', fixtures))).toEqual(wrong)).toThrow();
  });

  test('parallel nodes have one state, on the last of them', () => {
    const both = [task('a', { result: { n: 1 } }), task('b', { result: { n: 2 } })];
    const { spans } = decodeThreadHistory([checkpoint(1), checkpoint(0, { next: ['a', 'b'], tasks: both })]);
    expect(spans.slice(1).map(({ name, attributes }) => [name, attributes['langgraph.checkpoint_id']])).toEqual([
      ['a', undefined],
      ['b', 'c1'],
    ]);
  });

  describe('with a graph within the graph', () => {
    const inside = (namespace: string, step: number, fields: JsonObject = {}) =>
      checkpoint(step, {
        checkpoint: { thread_id: 'th', checkpoint_id: `${namespace}-c${step}`, checkpoint_ns: namespace },
        parent_checkpoint: { thread_id: 'th', checkpoint_id: `${namespace}-c${step - 1}`, checkpoint_ns: namespace },
        ...fields,
      });
    const ran = (name: string, namespace: string, fields: JsonObject = {}) =>
      task(name, { checkpoint: { thread_id: 'th', checkpoint_ns: namespace }, ...fields });
    const outline = (history: Json) => {
      const { spans } = decodeThreadHistory(history);
      const nameOf = (id: string | null) => spans.find(({ spanId }) => spanId === id)?.name ?? null;
      return spans.map(({ name, parentSpanId }) => [name, nameOf(parentSpanId)]);
    };

    test('its tasks are children of the task that ran it, and their state is separate', () => {
      const history = [
        checkpoint(1),
        checkpoint(0, { next: ['team'], tasks: [ran('team', 'team:t-team', { result: { n: 1 } })] }),
        inside('team:t-team', 1),
        inside('team:t-team', 0, { next: ['writer'], tasks: [task('writer', { result: { n: 9 } })] }),
      ];
      expect(outline(history)).toEqual([
        ['LangGraph', null],
        ['team', 'LangGraph'],
        ['writer', 'team'],
      ]);
      const states = decodeThreadHistory(history).spans.map(({ attributes }) => attributes['langgraph.state']);
      expect(states).toEqual([undefined, '{"n":1}', undefined]);
    });

    test('a failed one is found by its task at any depth', () => {
      const history = [
        checkpoint(0, { next: ['team'], tasks: [task('team', { error: 'no disk' })] }),
        inside('team:t-team', 0, { next: ['desk'], tasks: [task('desk', { error: 'no disk' })] }),
        inside('team:t-team|desk:t-desk', 0, { next: ['writer'], tasks: [task('writer', { error: 'no disk' })] }),
      ];
      expect(outline(history)).toEqual([
        ['LangGraph', null],
        ['team', 'LangGraph'],
        ['desk', 'team'],
        ['writer', 'desk'],
      ]);
    });

    test('a message belongs to the node that wrote it, not also to the surrounding graph', () => {
      const written = {
        messages: [{ type: 'ai', id: 'm', content: 'ready', usage_metadata: { input_tokens: 3, output_tokens: 2 } }],
      };
      const history = [
        checkpoint(1),
        checkpoint(0, { next: ['team'], tasks: [ran('team', 'team:t-team', { result: written })] }),
        inside('team:t-team', 1),
        inside('team:t-team', 0, { next: ['writer'], tasks: [task('writer', { result: written })] }),
      ];
      expect(outline(history).filter(([name]) => name === 'chat')).toEqual([['chat', 'writer']]);
    });

    test('histories that refer to each other end', () => {
      const tasks = Array.from({ length: 50 }, (_, at) => ran(`n${at}`, 'n0:x'));
      const history = [
        checkpoint(0, { tasks }),
        ...Array.from({ length: 9 }, (_, at) => inside('n0:x', at, { tasks })),
      ];
      expect(decodeThreadHistory(history).spans).toHaveLength(1 + 50 + 9 * 50);
    });

    test('one without a task is omitted, and a single one is a run', () => {
      const alone = inside('team:t-team', 0, { next: ['writer'], tasks: [task('writer')] });
      expect(outline([checkpoint(0), alone])).toEqual([['LangGraph', null]]);
      expect(outline([alone])).toEqual([
        ['LangGraph', null],
        ['writer', 'LangGraph'],
      ]);
    });
  });

  test('every run of the thread is a trace', () => {
    const second = { metadata: { step: 1, source: 'input', run_id: 'again' } };
    const { spans } = decodeThreadHistory([checkpoint(1, second), checkpoint(0), checkpoint(-1)]);
    expect(spans.map(({ traceId }) => traceId)).toEqual([runTraceId('run'), runTraceId('again')]);
  });

  test.each<[string, JsonObject, object]>([
    ['waits for an answer', { interrupts: [{ value: 'sure?' }] }, { endNs: null, status: { code: 0 } }],
    ['failed with a text', { error: 'no disk' }, { status: { code: 2, message: 'no disk' } }],
    [
      'failed with a class',
      { error: { error: 'IOError', message: 'no disk' } },
      { status: { code: 2, message: 'no disk' }, attributes: { 'error.type': 'IOError' } },
    ],
    [
      'failed with the text of an object',
      { error: '{"message":"no disk","name":"IOError"}' },
      { status: { code: 2, message: 'no disk' }, attributes: { 'error.type': 'IOError' } },
    ],
    [
      'failed with the text of an object in an object',
      { error: { error: 'Error', message: '{"error":"IOError","message":"no disk"}' } },
      { status: { code: 2, message: 'no disk' }, attributes: { 'error.type': 'IOError' } },
    ],
    [
      'failed with JSON that is not an error',
      { error: '{"reason":"no disk"}' },
      { status: { code: 2, message: '{"reason":"no disk"}' } },
    ],
  ])('a task that %s', (_, fields, part) => {
    const { spans } = decodeThreadHistory([checkpoint(0, { next: ['a'], tasks: [task('a', fields)] })]);
    expect(spans[1]).toMatchObject(part);
  });

  test.each<[string, JsonObject]>([
    ['an id', { checkpoint: {} }],
    ['a time', { created_at: null }],
    ['tasks', { tasks: null }],
  ])('a checkpoint without %s is rejected alone', (_, fields) => {
    const { spans, rejections } = decodeThreadHistory([checkpoint(1, fields), checkpoint(0)]);
    expect(spans).toHaveLength(1);
    expect(rejections).toMatchObject([{ pointer: '/0' }]);
  });

  test.each<[string, Json]>([
    ['a list of texts', ['x']],
    ['a state without tasks', { values: {}, next: [] }],
    ['nothing', []],
  ])('%s is not a history', (_, value) => {
    expect(isThreadHistory(value)).toBe(false);
  });
});
