import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DETECTOR_DOCS, detectorDocs } from '../scripts/generate-detector-docs.ts';
import { DETECTOR_SCORES } from '../src/detectors/detector-scores.ts';
import { DETECTORS } from '../src/detectors/registry.ts';

const ROOT = join(import.meta.dirname, '..');
const STALE = 'docs/detectors.md is stale: run node scripts/generate-detector-docs.ts';

function isFresh(written: string): boolean {
  return written === detectorDocs();
}

test('docs/detectors.md matches the detectors', () => {
  expect(isFresh(readFileSync(DETECTOR_DOCS, 'utf8')), STALE).toBe(true);
});

test('a changed figure or title makes the page stale', () => {
  const { title } = DETECTORS[0]!.detector;
  expect(isFresh(detectorDocs().replace(title, `${title}s`))).toBe(false);
  expect(isFresh(detectorDocs().replace('95 %', '90 %'))).toBe(false);
});

test('every detector and subtype has a row', () => {
  const docs = detectorDocs();
  for (const { detector } of DETECTORS) {
    expect(docs).toContain(`## ${detector.type}\n`);
    for (const subtype of Object.keys(detector.subtypes)) expect(docs).toContain(`| \`${subtype}\` |`);
  }
});

test.each(
  DETECTOR_SCORES.detectors.filter(({ measured }) => measured !== null).map((one) => [one.detector, one] as const),
)('the section of %s contains its measured figures', (type, { measured, tier }) => {
  const section = detectorDocs().split(`## ${type}\n`)[1]!.split('\n## ')[0]!;
  expect(section).toContain(`- Tier: ${tier}\n`);
  if (measured?.recall) expect(section).toContain(`recall ${measured.recall.value.toFixed(2)} [`);
});

test.each(DETECTORS.map(({ detector }) => detector.type))('the README of %s links to its figures', (type) => {
  const page = readFileSync(`${import.meta.dirname}/../src/detectors/${type}/README.md`, 'utf8');
  expect(page).toContain(`(../../../docs/detectors.md#${type})`);
});

test('docs/robustness.md names only tests that exist', () => {
  const page = readFileSync(join(ROOT, 'docs/robustness.md'), 'utf8');
  const named = page.match(/[\w./-]+\.test\.ts/g) ?? [];
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
