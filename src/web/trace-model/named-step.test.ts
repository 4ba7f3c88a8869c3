import { expect, test } from 'vitest';
import type { Evidence } from '../../client/misstep-client.generated.ts';
import { repeatedStep } from './named-step.ts';

const STEP_OF = new Map(Array.from({ length: 10 }, (_, step) => [`span ${step}`, step]));
const at = (step: number, quote: string | null, value: unknown = null): Evidence =>
  ({ kind: 'node_cycle', span_id: `span ${step}`, path: null, quote, value }) as Evidence;

test.each<[string, number | null, Evidence[], ReturnType<typeof repeatedStep>]>([
  ['a stated repeat', 4, [at(2, 'search(1)'), at(4, null, 'equal to step 2')], { step: 4, repeats: 2 }],
  ['a round that begins again', 5, [at(1, 'planner'), at(3, 'critic'), at(5, 'planner')], { step: 5, repeats: 1 }],
  ['a later repeat than the first', 7, [at(1, 'planner'), at(5, 'planner'), at(7, 'planner')], null],
  ['no repeat', 3, [at(1, 'planner'), at(3, 'critic')], null],
  ['the whole run', null, [at(1, 'planner'), at(5, 'planner')], null],
  ['a span that is not in the run', 4, [{ ...at(4, 'equal to step 2'), span_id: 'other' }], null],
])('%s', (_case, step, evidence, expected) => {
  expect(repeatedStep({ step, evidence }, STEP_OF)).toEqual(expected);
});
