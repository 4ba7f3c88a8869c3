import { expect, test } from 'vitest';
import { createModelCatalog } from '../../formats/model-catalog/catalog.ts';
import { withFailureRanks } from './own-traffic.ts';
import { predictRecord } from './predict-record.ts';
import { SCORERS } from './scorers.ts';

const options = { models: createModelCatalog(), scorers: SCORERS, now: () => 0 };
const find = (output: string) => ({ kind: 'tool', agent: 'clerk', name: 'find_order', input: '{"id":"W1"}', output });
const run = (id: string, dataset: string, results: string[]) =>
  predictRecord({ id, dataset, kind: 'trace', framework: 'shop', steps: results.map(find), text: null }, options);
const calm = (dataset: string, count: number) =>
  Array.from({ length: count }, (_, nth) => run(`${dataset}/${nth}`, dataset, ['found']));
const failedOf = (items: ReturnType<typeof run>[]) =>
  withFailureRanks(items).map(({ prediction }) => prediction.scores.failed);

test('a run is ranked among the records of its own data set', () => {
  const troubled = run('shop/t', 'shop', ['Error: timeout', 'Error: timeout', 'Error: timeout']);
  const ranks = failedOf([troubled, ...calm('shop', 39), ...calm('other', 5)]);
  expect(ranks[0]).toBeGreaterThan(0.9);
  expect(ranks[1]).toBeLessThan(0.6);
  expect(ranks.slice(-5)).toEqual([null, null, null, null, null]);
});

test('tools of any name are ranked alike', () => {
  const named = (name: string) =>
    Array.from({ length: 40 }, (_, nth) => {
      const steps = [{ ...find(nth % 4 === 0 ? 'Error: timeout' : 'found'), name }];
      return predictRecord(
        { id: `${nth}`, dataset: 'shop', kind: 'trace', framework: 'shop', steps, text: null },
        options,
      );
    });
  expect(failedOf(named('read_file'))).toEqual(failedOf(named('get_thing_v2')));
});

test('a text has no rank', () => {
  const text = predictRecord({ id: 't', dataset: 'shop', kind: 'text', text: 'Hello.' }, options);
  expect(failedOf([text, ...calm('shop', 40)])[0]).toBeNull();
});
