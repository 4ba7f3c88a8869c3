import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { compactTrace } from '../../../test/support/compact-trace.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { mergeSpans } from '../../core/merge-spans.ts';
import type { Span } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { EMPTY_CATALOG } from '../model-catalog/catalog.ts';
import { decodeOtlpJson } from '../otlp/decode-json.ts';
import { buildTrace } from '../trace-model/build-trace.ts';
import { decodeEvents } from './decode-events.ts';

const fixture = (name: string) => readFileSync(new URL(`../../../test/fixtures/langfuse/${name}`, import.meta.url));
const { batch } = JSON.parse(fixture('workshop-visit.ingestion.json').toString()) as { batch: Json[] };
const compact = (spans: readonly Span[]) =>
  compactTrace(buildTrace(mergeSpans(spans), { models: EMPTY_CATALOG, isSettled: true }));

describe('a run of SDK version 3', () => {
  const whole = compact(decodeEvents(batch).spans);

  it('equals the run that SDK version 5 sends as spans', () => {
    const { spans } = decodeOtlpJson(fixture('workshop-visit.otlp.json'));
    expect(whole).toEqual(compactTrace(buildTrace(spans, { models: EMPTY_CATALOG, isSettled: true })));
    expect(whole).toMatchObject({ session: 'visit-31', tokens: [80, 15, 95], status: 'ok' });
    expect(JSON.stringify(whole)).toContain('error : connect ETIMEDOUT');
  });

  it('is the same in batches of any size, in any order, sent once or twice', () => {
    for (const size of [1, 2, 5]) {
      const parts: Json[][] = [];
      for (let at = 0; at < batch.length; at += size) parts.push(batch.slice(at, at + size));
      for (const order of [parts, parts.toReversed(), [...parts, ...parts], [...parts, ...parts.toReversed()]])
        expect(compact(order.flatMap((part) => decodeEvents(part).spans))).toEqual(whole);
    }
  });
});

const at = (second: number) => `2026-03-01T10:00:0${second}.000Z`;
const event = (type: string, body: JsonObject, second = 0): JsonObject => ({
  id: `e-${type}-${second}`,
  type,
  timestamp: at(second),
  body,
});
const trace = (body: JsonObject = {}, second = 0) =>
  event('trace-create', { id: 't', timestamp: at(0), ...body }, second);
const span = (body: JsonObject = {}) => event('span-create', { id: 's', traceId: 't', startTime: at(1), ...body }, 1);
const ended = (body: JsonObject = {}) => event('span-update', { id: 's', traceId: 't', endTime: at(3), ...body }, 3);

describe('events', () => {
  it.each<[string, Json, string, string]>([
    ['no object', 5, '', ''],
    ['no id', { type: 'span-create', timestamp: at(0), body: {} }, '', '/id'],
    ['an unknown type', event('spam-create', { id: 's' }), 'e-spam-create-0', '/type'],
    [
      'a type named like a JavaScript property',
      event('constructor-create', { id: 's' }),
      'e-constructor-create-0',
      '/type',
    ],
    ['no body', { ...span(), body: null }, 'e-span-create-1', '/body'],
    ['no timestamp', { ...span(), timestamp: 'soon' }, 'e-span-create-1', '/timestamp'],
    ['no observation id', span({ id: 7 }), 'e-span-create-1', '/body/id'],
    ['an id that is too long', span({ id: 'x'.repeat(200) }), 'e-span-create-1', '/body/id'],
    ['a bad start', span({ startTime: 'soon' }), 'e-span-create-1', '/body/startTime'],
    ['a bad end', ended({ endTime: 9 }), 'e-span-update-3', '/body/endTime'],
    ['an update without a trace', ended({ traceId: null }), 'e-span-update-3', '/body/traceId'],
    ['a trace with a bad time', trace({ timestamp: 'x' }), 'e-trace-create-0', '/body/timestamp'],
  ])('with %s are rejected alone', (_, bad, id, pointer) => {
    const { spans, rejections, outcomes } = decodeEvents([trace(), bad, span(), ended()]);
    expect(spans).toHaveLength(2);
    expect(outcomes.taken).toEqual(['e-trace-create-0', 'e-span-create-1', 'e-span-update-3']);
    expect(outcomes.rejected).toEqual([{ id, pointer: `/batch/1${pointer}`, message: expect.any(String) }]);
    expect(rejections).toHaveLength(1);
  });

  it('that are not part of a run are accepted and ignored', () => {
    const score = event('score-create', { id: 'x', traceId: 't', name: 'good', value: 1 });
    expect(decodeEvents([score, event('sdk-log', { log: 'x' })])).toMatchObject({
      spans: [],
      rejections: [],
      outcomes: { taken: ['e-score-create-0', 'e-sdk-log-0'] },
    });
  });

  test.each([
    ['agent-create', {}, 'agent'],
    ['tool-create', {}, 'tool'],
    ['observation-create', { type: 'RETRIEVER' }, 'retriever'],
    ['generation-create', {}, 'generation'],
  ])('%s %j creates an observation of its type', (type, body, expected) => {
    const { spans } = decodeEvents([event(type, { id: 's', traceId: 't', ...body })]);
    expect(spans.at(-1)!.attributes['langfuse.observation.type']).toBe(expected);
  });

  it('are nested by their parent observation', () => {
    const { spans } = decodeEvents([span(), event('span-create', { id: 'u', traceId: 't', parentObservationId: 's' })]);
    const parents = Object.fromEntries(spans.map(({ spanId, parentSpanId }) => [spanId, parentSpanId]));
    expect(parents).toMatchObject({ u: 's', s: spans[0]!.spanId });
  });

  it('without a trace create a separate trace', () => {
    const { spans } = decodeEvents([event('generation-create', { id: 'g' })]);
    expect(spans.map(({ traceId }) => traceId)).toEqual(['g', 'g']);
  });
});

describe('the end of a trace', () => {
  it.each<[string, Json[], boolean]>([
    ['is assumed while an observation is open', [trace(), span()], true],
    ['is assumed if only the start is known', [trace()], true],
    ['is assumed if no end is known', [trace(), ended()], true],
    ['is known once its direct children have ended', [trace(), span(), ended()], false],
    ['is known once it has an output', [trace(), trace({ output: 'so' }, 4)], false],
    ['is assumed if it has an output and an observation is open', [trace({ output: 'so' }), span()], true],
  ])('%s', (_, events, isAssumed) => {
    const [root] = decodeEvents(events).spans;
    expect(root).toMatchObject({ parentSpanId: null, attributes: { [MISSTEP.isEndAssumed]: isAssumed } });
    expect(root!.endNs).not.toBeNull();
  });
});
