import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DETECTION_TYPES } from '../core/detection.ts';
import type { CurvePoint } from './_kit/calibration.ts';
import { confirmMaturity, fact, measured, preview } from './_kit/maturity.ts';
import { missingHeadings } from './_testing/tester.ts';
import { MATURITY, maturityOf } from './maturity.ts';
import { DETECTORS, type RegisteredDetector } from './registry.ts';

const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== '_kit')
  .map((entry) => entry.name);
const types = DETECTORS.map(({ detector }) => detector.type as string);

/** The path of a file in the folder of a detector. */
const path = (folder: string, file: string) => `${import.meta.dirname}/${folder}/${file}`;

function missingFrom(list: readonly string[], expected: readonly string[]): string[] {
  return expected.filter((name) => !list.includes(name));
}

function curvesOf({ detector, calibration }: RegisteredDetector): [string, readonly CurvePoint[], number][] {
  const curves = Object.entries(calibration?.subtypes ?? {});
  return curves.map(([subtype, curve]) => [`${detector.type} ${subtype}`, curve, calibration!.threshold]);
}

describe('the list of detectors', () => {
  it('contains every folder once', () => {
    const finished = folders.filter((folder) => existsSync(path(folder, 'detector.ts')));
    expect(missingFrom(types, finished)).toEqual([]);
    expect(missingFrom(finished, types)).toEqual([]);
    expect(new Set(types).size).toBe(types.length);
    expect(types.filter((type) => !(DETECTION_TYPES as readonly string[]).includes(type))).toEqual([]);
  });

  it('a folder that is not listed is reported', () => {
    expect(missingFrom(types, [...types, 'forgotten'])).toEqual(['forgotten']);
  });

  it('each fact subtype has a reason of one sentence', () => {
    const reasons = Object.values(MATURITY).flatMap((own) =>
      Object.values(own).flatMap((maturity) => (maturity.level === 'fact' ? [maturity.why] : [])),
    );
    expect(reasons.filter((why) => !/^[A-Z].{20,120}\.$/.test(why))).toEqual([]);
  });

  it.each([
    ['figures that reach the bar', { shortfall: null }, 'measured'],
    ['figures that fall short', { shortfall: 'fired on 3 of the 10 runs that are needed' }, 'preview'],
    ['no figures', null, 'preview'],
  ])('a subtype that is declared measured, with %s, is reported as %s', (_, record, level) => {
    expect(confirmMaturity({ rephrasing: measured }, () => record)).toEqual({ rephrasing: { level } });
  });

  it('figures do not raise a subtype declared as preview and do not lower a fact', () => {
    const declared = { a: preview, b: fact('W.') };
    expect(confirmMaturity(declared, () => ({ shortfall: null }))).toEqual(declared);
    expect(confirmMaturity(declared, () => null)).toEqual(declared);
  });

  it('a subtype that is not listed is a preview', () => {
    expect(maturityOf('loop', 'brand_new')).toEqual({ level: 'preview' });
    expect(maturityOf('loop', 'constructor')).toEqual({ level: 'preview' });
    expect(maturityOf('retired', 'old')).toEqual({ level: 'preview' });
    expect(maturityOf('constructor', 'name')).toEqual({ level: 'preview' });
  });

  it.each(types)('%s has its parts', (type) => {
    const parts = ['manifest.ts', 'detector.ts', 'detector.test.ts', 'README.md'];
    expect(parts.filter((part) => !existsSync(path(type, part)))).toEqual([]);
    expect(missingHeadings(readFileSync(path(type, 'README.md'), 'utf8'))).toEqual([]);
  });

  it.each(DETECTORS.map((registered) => [registered.detector.type, registered] as const))(
    '%s has the calibration of its folder, if any',
    (type, { calibration }) => {
      const file = path(type, 'calibration.generated.json');
      expect(calibration).toEqual(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null);
    },
  );

  it.each(DETECTORS.flatMap((registered) => curvesOf(registered)))('%s: the curve rises', (_, curve, threshold) => {
    const rises = curve.every(([, value], at) => at === 0 || value >= curve[at - 1]![1]);
    expect(rises).toBe(true);
    expect(curve.every(([, value]) => value >= 0 && value <= 1)).toBe(true);
    expect(curve.at(-1)![1]).toBeGreaterThanOrEqual(threshold);
  });

  it.each(DETECTORS.map(({ detector }) => [detector.type, detector] as const))('%s describes itself', (_, detector) => {
    expect(detector.failureModes.every((mode) => /^(?:F\d{1,2}|FM-\d\.\d)$/.test(mode))).toBe(true);
    expect(detector.needs.length).toBeGreaterThan(0);
    const subtypes = Object.entries(detector.subtypes as Record<string, { title: string; businessImpact: string }>);
    expect(subtypes.length).toBeGreaterThan(0);
    for (const [name, { title, businessImpact }] of subtypes) {
      expect(name).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
      expect(title).toMatch(/^[A-Z]/);
      expect(businessImpact).toMatch(/^[A-Z].{20,}\.$/);
    }
  });
});
