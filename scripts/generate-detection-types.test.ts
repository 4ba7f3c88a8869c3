import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DETECTION_TYPES_FILE, detectionTypesText, orderedTypes } from './generate-detection-types.ts';

it('the generated names are those of the listed detectors; run node scripts/generate-detection-types.ts', () => {
  expect(readFileSync(DETECTION_TYPES_FILE, 'utf8')).toBe(detectionTypesText());
});

it.each([
  ['a new name is the last one', ['new', 'b', 'a'], ['a', 'b', 'new']],
  ['a removed name is deleted', ['b'], ['b']],
  ['the order of the list does not matter', ['b', 'a'], ['a', 'b']],
])('%s', (_name, listed, types) => {
  expect(orderedTypes(listed, ['a', 'b'])).toEqual(types);
});
