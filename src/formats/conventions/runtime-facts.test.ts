import { expect, test } from 'vitest';
import { makeSpan } from '../../../test/support/make-span.ts';
import type { Attributes } from '../../core/span.ts';
import { readRuntimeFacts } from './runtime-facts.ts';

const read = (attributes: Attributes) => readRuntimeFacts(makeSpan({ attributes }));

test.each<[string, Attributes, object]>([
  ['the model that answered', { 'gen_ai.response.model': 'gpt-4o-mini' }, { answeredBy: 'gpt-4o-mini' }],
  ['what took over', { 'misstep.taken_over_by': 'fail_branch' }, { errorFallback: 'fail_branch' }],
  ['an unknown error fallback', { 'misstep.taken_over_by': 'constructor' }, { errorFallback: undefined }],
  [
    'settings for a failure',
    { 'misstep.failure_settings': '{"attempts":3,"waitMs":200,"onError":"error_item"}' },
    { failureSettings: { attempts: 3, waitMs: 200, onError: 'error_item' } },
  ],
  [
    'invalid settings for a failure',
    { 'misstep.failure_settings': '{"attempts":"many","onError":"constructor"}' },
    { failureSettings: {} },
  ],
  ['the retries of a model call', { 'ai.settings.maxRetries': 2 }, { failureSettings: { attempts: 3 } }],
  [
    'rounds',
    { 'misstep.rounds.kind': 'loop', 'misstep.rounds.planned': 3, 'misstep.rounds.left_early': false },
    { rounds: { kind: 'loop', planned: 3, run: null, returned: null, hasLeftEarly: false } },
  ],
  ['rounds without a kind', { 'misstep.rounds.planned': 3 }, { rounds: undefined }],
  [
    'missing fields',
    { 'misstep.missing_fields': '[{"path":"a","setting":"url","alike":null},{"path":""},7]' },
    { missingFields: [{ path: 'a', setting: 'url', alike: null }] },
  ],
  [
    'checkpoints',
    { 'graphruntime.checkpoints': '[{"id":"a","at_ms":5,"done":["plan"],"is_own":false},{"parent_id":"a"}]' },
    {
      checkpoints: [
        { id: 'a', parentId: null, superstep: null, source: null, atMs: 5, done: ['plan'], failed: [], isOwn: false },
      ],
    },
  ],
  ['invalid checkpoints', { 'langgraph.checkpoints': 'soon' }, { checkpoints: undefined }],
  ['an interrupt', { 'langgraph.interrupted': true }, { isInterrupted: true }],
])('%s', (_, attributes, expected) => {
  expect(read(attributes)).toMatchObject(expected);
});
