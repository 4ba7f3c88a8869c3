import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { madeCase } from './made-case.ts';
import { basisOf, fitAnswers, MEASURE_ONLY, noAnswers, withFitted } from './out-of-fold.ts';

const folder = mkdtempSync(join(tmpdir(), 'misstep-fit-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(
  join(folder, 'trail-categories.ts'),
  'export const outOfFold = (records) => new Map(records.map(({ id }) => [id, [{ span_id: "s", category: "X" }]]));',
);

test('a piece that is there is asked about its sets; one that is not is told', async () => {
  const told: string[] = [];
  const load = (set: string) => (set === 'trail' ? [{ id: 't' } as never] : []);
  const answers = await fitAnswers(load, 'data', (line) => told.push(line), folder);
  expect(answers.outOfFold.trail.get('t')).toEqual([{ span_id: 's', category: 'X' }]);
  expect(told).toContain('trail: 1 out of fold, 0 with their set left out');
  expect(told).toContain('injection: no fit found, in-sample');
});

test('fitted answers take the place of the shipped ones, the rest stays', () => {
  const { prediction } = madeCase('a', {
    prediction: { scores: { injection: 0.5, hallucination: null, failed: 0.9 } },
  });
  const { outOfFold } = noAnswers();
  outOfFold.failed = new Map([['a', 0]]);
  outOfFold.attribution = new Map([['a', { agent: 'clerk', step: 3, top: [3, 1] }]]);
  expect(withFitted(prediction, outOfFold)).toMatchObject({
    scores: { injection: 0.5, hallucination: null, failed: 0 },
    attribution: { agent: 'clerk', step: 3 },
  });
  expect(withFitted(prediction, noAnswers().outOfFold)).toEqual(prediction);
});

test.each([
  [['tau_bench a', 'tau_bench b'], ['a', 'b'], 'out-of-fold'],
  [['tau_bench a', 'tau_bench b'], ['a'], 'in-sample'],
  [['qags a'], [], 'never fitted'],
  [['qags a', 'tau_bench b'], ['b'], 'out-of-fold'],
])('%j with answers for %j is %s', (cases, answered, expected) => {
  const some = cases.map((one) => ({ set: one.split(' ')[0]!, id: one.split(' ')[1]! }));
  expect(basisOf(some, new Map(answered.map((id) => [id, 0])))).toBe(expected);
});

test('the sets whose terms forbid training are known', () => {
  expect([...MEASURE_ONLY].sort()).toEqual([
    'asb',
    'cdconv',
    'diahalu',
    'faithbench',
    'qags',
    'qualifire_jailbreak',
    'tensor_trust',
  ]);
});
