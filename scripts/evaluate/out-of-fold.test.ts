import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { basisOf, emptyAnswers, fitAnswers, MEASURE_ONLY, withFitted } from './out-of-fold.ts';
import { syntheticCase, syntheticDetection } from './synthetic-case.ts';

const folder = mkdtempSync(join(tmpdir(), 'misstep-fit-'));
afterAll(() => rmSync(folder, { recursive: true }));
test('reads the sets of a present model part and reports a missing one', async () => {
  const result: string[] = [];
  writeFileSync(
    join(folder, 'calibration.ts'),
    'export const outOfFold = (records) => new Map(records.map(({ id }) => [id, []]));',
  );
  const load = (set: string) => (set === 'tau_bench' ? [{ id: 'a' } as never] : []);
  const answers = await fitAnswers(load, 'data', (line) => result.push(line), { folder });
  expect([...answers.outOfFold.confidence]).toEqual([['a', []]]);
  expect(result).toContain('confidence: 1 out of fold, 0 with their set left out');
  expect(result).toContain('injection: no fit found, in-sample');
});

test('fitted answers replace the shipped ones, the rest is unchanged', () => {
  const { prediction } = syntheticCase('a', {
    prediction: { scores: { injection: 0.5, hallucination: null, failed: 0.9 } },
  });
  const { outOfFold } = emptyAnswers();
  outOfFold.injection = new Map([['a', 0]]);
  outOfFold.attribution = new Map([['a', { agent: 'clerk', step: 3, top: [3, 1] }]]);
  expect(withFitted(prediction, outOfFold)).toMatchObject({
    scores: { injection: 0, hallucination: null, failed: 0.9 },
    attribution: { agent: 'clerk', step: 3 },
  });
  expect(withFitted(prediction, emptyAnswers().outOfFold)).toEqual(prediction);
});

test('a text without a shipped score gets no score from a fit either', () => {
  const { outOfFold } = emptyAnswers();
  outOfFold.hallucination = new Map([['a', 0.9]]);
  const scored = (hallucination: number | null) =>
    withFitted(
      syntheticCase('a', { prediction: { scores: { injection: null, hallucination, failed: null } } }).prediction,
      outOfFold,
    ).scores.hallucination;
  expect([scored(null), scored(0.4)]).toEqual([null, 0.9]);
});

test('a fitted confidence replaces that of the same detection, but not of an observation', () => {
  const { prediction } = syntheticCase('a', {
    prediction: {
      detections: [
        syntheticDetection({ span_ids: ['s1', 's2'] }),
        syntheticDetection({ span_ids: ['s3'] }),
        syntheticDetection({ span_ids: ['s1'], severity: 'observation' }),
      ],
    },
  });
  const { outOfFold } = emptyAnswers();
  outOfFold.confidence = new Map([['a', [{ type: 'loop', subtype: 'call', span_id: 's1', confidence: 0.8 }]]]);
  const { detections } = withFitted(prediction, outOfFold);
  expect(detections.map(({ confidence }) => confidence)).toEqual([0.8, 0.5, 0.5]);
});

test.each([
  [['tau_bench a', 'tau_bench b'], ['a', 'b'], 'out-of-fold'],
  [['tau_bench a', 'tau_bench b'], ['a'], 'in-sample'],
  [['qags a'], [], 'never fitted'],
  [['qags a', 'tau_bench b'], ['b'], 'out-of-fold'],
])('%j with answers for %j is %s', (cases, answered, expected) => {
  const some = cases.map((one) => ({ set: one.split(' ')[0]!, id: one.split(' ')[1]! }));
  const answers = emptyAnswers();
  answers.outOfFold.injection = new Map(answered.map((id) => [id, 0]));
  expect(basisOf(some, answers, 'injection')).toBe(expected);
});

test('answers with the set left out are used for both and have that basis', async () => {
  writeFileSync(join(folder, 'grounding.ts'), 'export const outOfFold = (data) => [{ id: data, score: 0.5 }];');
  const answers = await fitAnswers(
    () => [],
    'wice-1',
    () => {},
    { folder },
  );
  expect(answers.outOfFold.hallucination.get('wice-1')).toBe(0.5);
  expect(basisOf([{ id: 'wice-1', set: 'wice' }], answers, 'hallucination')).toBe('set left out');
});

test('a failing fit does not affect the others', async () => {
  writeFileSync(join(folder, 'attribution.ts'), 'export const outOfFold = () => { throw new Error("no weights"); };');
  const results: string[] = [];
  await fitAnswers(
    () => [],
    '',
    (line) => results.push(line),
    { folder },
  );
  expect(results).toContain('attribution: could not be fitted, in-sample: no weights');
});

test('the sets whose terms forbid training are listed', () => {
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
