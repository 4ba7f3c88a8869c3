import { expect, it } from 'vitest';
import { newlySetThresholds } from './newly-set-thresholds.ts';

it.each<[string, string | null, string | null, string[]]>([
  ['detector_overrides', '{}\n', '{"loop":0.6}\n', ['loop']],
  ['detector_overrides', '{"loop":0.5}\n', '{"loop":0.6,"injection":0.9}\n', ['injection']],
  ['detector_overrides', '{"loop":0.5}\n', '{}\n', []],
  ['detector_overrides', null, null, []],
  ['thresholds', '{}\n', '{"token_budget":9}\n', []],
])('%s from %j to %j sets the threshold of %j for the first time', (setting, before, after, expected) => {
  expect(newlySetThresholds({ target: { setting }, before, after })).toEqual(expected);
});
