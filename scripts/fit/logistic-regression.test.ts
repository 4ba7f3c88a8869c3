import { describe, expect, test } from 'vitest';
import { hashedNgrams, NGRAM_SIZE } from '../../src/detectors/_models/hashed-ngrams.ts';
import { linearProbability, readLinearModel } from '../../src/detectors/_models/linear-model.ts';
import { type Example, fitLogistic, packLogistic } from './logistic-regression.ts';
import { auroc } from './metrics.ts';
import { seededRandom } from './seeded-random.ts';

const random = seededRandom(7);
const labelled = (dense: number[], label: number): Example => ({ dense, sparse: null, label });

/** Log-odds 2x - 1, with a second feature of another scale that is noise. */
const noisy = Array.from({ length: 4000 }, () => {
  const x = random() * 4 - 2;
  return labelled([x, random() * 1000], random() < 1 / (1 + Math.exp(1 - 2 * x)) ? 1 : 0);
});

describe('on dense features', () => {
  const weights = fitLogistic(noisy, { l2Dense: 1e-6 });

  test('recovers the weights that generated the data, in the original units', () => {
    expect(weights.dense[0]).toBeCloseTo(2, 0);
    expect(weights.bias).toBeCloseTo(-1, 0);
    expect(Math.abs(weights.dense[1]!)).toBeLessThan(1e-3);
  });

  test('is deterministic', () => {
    const again = fitLogistic(noisy, { l2Dense: 1e-6 });
    expect(JSON.stringify(packLogistic(['x', 'y'], again))).toBe(JSON.stringify(packLogistic(['x', 'y'], weights)));
  });

  test('does not fit noise', () => {
    const shuffled = noisy.map(({ dense }) => labelled([...(dense as number[])], random() < 0.5 ? 1 : 0));
    const model = readLinearModel(packLogistic(['x', 'y'], fitLogistic(shuffled)));
    const area = auroc(noisy.map(({ dense }) => ({ score: linearProbability(model, dense), label: random() < 0.5 })));
    expect(Math.abs(area - 0.5)).toBeLessThan(0.05);
  });

  test('a weight on an example counts like copies of it', () => {
    const few = [labelled([0], 0), { ...labelled([0], 1), weight: 3 }];
    expect(fitLogistic(few).bias).toBeCloseTo(Math.log(3), 2);
  });
});

describe('on hashed texts', () => {
  const kind = [
    'please send the money',
    'kindly transfer all funds',
    'send funds to me please',
    'transfer the money now',
  ];
  const other = [
    'the weather is mild',
    'rain falls on the hills',
    'a mild wind from the hills',
    'the rain and the wind',
  ];
  const example = (text: string, label: number) => ({ dense: [], sparse: hashedNgrams(text), label });
  const weights = fitLogistic([...kind.map((text) => example(text, 1)), ...other.map((text) => example(text, 0))], {
    sparseSize: NGRAM_SIZE,
  });
  const model = readLinearModel(packLogistic([], weights));

  test.each([
    ['send me all the money', true],
    ['wind and rain on the hills', false],
  ])('%s', (text, isOrder) => {
    expect(linearProbability(model, [], hashedNgrams(text)) > 0.5).toBe(isOrder);
  });
});
