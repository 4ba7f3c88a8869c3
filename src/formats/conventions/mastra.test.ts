import { expect, test } from 'vitest';
import { makeSpan } from '../../../test/support/make-span.ts';
import { readMastra } from './mastra.ts';

const branchesOf = (attributes: object) =>
  readMastra(makeSpan({ attributes: { 'mastra.span.type': 'workflow_conditional', ...attributes } }))?.branches;
const COUNT = 'mastra.workflow_conditional.condition_count';
const SELECTED = 'mastra.workflow_conditional.selected_steps';

test.each<[string, object, object | undefined]>([
  ['a branch', { [COUNT]: 3, [SELECTED]: '["passports"]' }, { conditions: 3, taken: ['passports'] }],
  ['no branch, as a text', { [COUNT]: 3, [SELECTED]: '[]' }, { conditions: 3, taken: [] }],
  ['no branch, as a list', { [COUNT]: 3, [SELECTED]: [] }, { conditions: 3, taken: [] }],
  ['branches that are not recorded', { [COUNT]: 3 }, undefined],
])('reads the branches of a conditional: %s', (_, attributes, expected) => {
  expect(branchesOf(attributes)).toEqual(expected);
});
