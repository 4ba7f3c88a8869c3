import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Evaluation } from './evaluation.ts';
import { scoresFile } from './scores-file.ts';

const textOf = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
const report = JSON.parse(textOf('docs/evaluation.generated.json')) as Evaluation;
const built = textOf('src/detectors/detector-scores.generated.json');

test('the figures built into the program are those of the committed report', () => {
  expect(built).toBe(scoresFile(report));
});

test('a figure changed by hand is detected', () => {
  const changed = structuredClone(report);
  changed.scores.detectors[0]!.tier = 'production';
  expect(scoresFile(changed)).not.toBe(built);
});
