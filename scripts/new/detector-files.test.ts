import { describe, expect, it } from 'vitest';
import { missingHeadings, readmeRows, rowProblems } from '../../src/detectors/_kit/tester.ts';
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

  it('have README examples that the detector answers as they say', async () => {
    const url = `data:text/javascript,${encodeURIComponent(runnable(`${files['manifest.ts']!}${files['detector.ts']!}`))}`;
    const { slowAnswer } = await import(/* @vite-ignore */ url);
    const rows = readmeRows(files['README.md']!);
    expect(rows).toHaveLength(2);
    for (const row of rows) expect(rowProblems(slowAnswer, row)).toEqual([]);
  });

  it.each(['SlowAnswer', 'slow-answer', 'slow__answer', '../slow'])('are refused for the name %s', (name) => {
    expect(() => detectorFiles(name)).toThrow('snake_case');
  });
});

/** The code without types, which a `data:` module cannot have. */
function runnable(code: string): string {
  return code
    .replace(/^import[^;]*;\n/gm, '')
    .replace(/define(?:Detector|Manifest)\(/g, '(')
    .replace('maturity: preview', "maturity: { level: 'preview' }")
    .replace(/\): (?:DetectionDraft<'example'>|Fix) \{/g, ') {')
    .replace(/: Step\b/g, '');
}
