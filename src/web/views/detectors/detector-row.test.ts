import { expect, test } from 'vitest';
import { type DetectorRow, isPreviewOnly } from './detector-row.ts';

const subtypes = (...maturities: DetectorRow['subtypes'][number]['maturity'][]) =>
  maturities.map((maturity, index) => ({ subtype: `subtype_${index}`, maturity, reported: maturity !== 'preview' }));

test.each([
  ['previews only', { enabled: true, reportsPreviews: false, subtypes: subtypes('preview', 'preview') }, true],
  ['a fact', { enabled: true, reportsPreviews: false, subtypes: subtypes('fact', 'preview') }, false],
  ['previews that are reported', { enabled: true, reportsPreviews: true, subtypes: subtypes('preview') }, false],
  ['a detector that is off', { enabled: false, reportsPreviews: false, subtypes: subtypes('preview') }, false],
])('%s', (_case, row, expected) => expect(isPreviewOnly(row)).toBe(expected));
