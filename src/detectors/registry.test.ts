import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DETECTION_TYPES } from '../core/detection.ts';
import { missingHeadings } from './_kit/tester.ts';
import { DETECTORS } from './registry.ts';

const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== '_kit')
  .map((entry) => entry.name);
const types = DETECTORS.map(({ detector }) => detector.type as string);

/** The folder's part of a path in this directory. */
const path = (folder: string, file: string) => `${import.meta.dirname}/${folder}/${file}`;

function missingFrom(list: readonly string[], wanted: readonly string[]): string[] {
  return wanted.filter((name) => !list.includes(name));
}

describe('the list of detectors', () => {
  it('holds every folder once', () => {
    const finished = folders.filter((folder) => existsSync(path(folder, 'detector.ts')));
    expect(missingFrom(types, finished)).toEqual([]);
    expect(missingFrom(finished, types)).toEqual([]);
    expect(new Set(types).size).toBe(types.length);
    expect(types.filter((type) => !(DETECTION_TYPES as readonly string[]).includes(type))).toEqual([]);
  });

  it('would notice a folder that is not on it', () => {
    expect(missingFrom(types, [...types, 'forgotten'])).toEqual(['forgotten']);
  });

  it.each(types)('%s has its parts', (type) => {
    const parts = ['detector.ts', 'detector.test.ts', 'README.md'];
    expect(parts.filter((part) => !existsSync(path(type, part)))).toEqual([]);
    expect(missingHeadings(readFileSync(path(type, 'README.md'), 'utf8'))).toEqual([]);
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
