import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { missingHeadings, readmeRows, rowProblems } from '../../src/detectors/_testing/tester.ts';
import { detectorFiles } from './detector-files.ts';

describe('the files of a new detector', () => {
  const { variable, files } = detectorFiles('slow_answer');

  it('define, test and describe it under its name', () => {
    expect(Object.keys(files)).toEqual(['manifest.ts', 'detector.ts', 'detector.test.ts', 'README.md']);
    expect(files['manifest.ts']).toContain("type: 'slow_answer',\n  title: 'Slow answer'");
    expect(files['detector.ts']).toContain('export const slowAnswer = defineDetector({\n  ...slowAnswerManifest,');
    expect(files['detector.test.ts']).toContain('testDetector(slowAnswer, rows');
    expect(missingHeadings(files['README.md']!)).toEqual([]);
    expect(variable).toBe('slowAnswer');
  });

  it('have README examples with the documented result', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'misstep-detector-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const name of ['manifest.ts', 'detector.ts'])
      writeFileSync(join(folder, name), withAbsoluteImports(files[name]!));
    const { slowAnswer } = await import(join(folder, 'detector.ts'));
    const rows = readmeRows(files['README.md']!);
    expect(rows).toHaveLength(2);
    for (const row of rows) expect(rowProblems(slowAnswer, row)).toEqual([]);
  });

  it.each(['SlowAnswer', 'slow-answer', 'slow__answer', '../slow'])('are rejected for the name %s', (name) => {
    expect(() => detectorFiles(name)).toThrow('snake_case');
  });
});

/** The code as it runs in a folder outside `src/detectors`. */
function withAbsoluteImports(code: string): string {
  const detectors = resolve(import.meta.dirname, '../../src/detectors');
  return code.replace(/ from '(\.\.\/[^']*)'/g, (_, path: string) => ` from '${join(detectors, 'slow_answer', path)}'`);
}
