import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Evaluation } from './evaluation.ts';
import { scoresFile } from './scores-file.ts';

const textOf = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
const report = JSON.parse(textOf('docs/evaluation.generated.json')) as Evaluation;
const built = textOf('src/detectors/detector-scores.generated.json');

test('what is built into the program is the committed report', () => {
  expect(built).toBe(scoresFile(report));
});

test('a figure changed by hand would be noticed', () => {
  const changed = structuredClone(report);
  changed.scores.detectors[0]!.tier = 'production';
  expect(scoresFile(changed)).not.toBe(built);
});
