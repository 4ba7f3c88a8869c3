import { expect, test } from 'vitest';
import { type DetectorRow, hasPreviewSwitch, isPreviewOnly, previewText, settingOfOn } from './detector-row.ts';

const subtypes = (...maturities: DetectorRow['subtypes'][number]['maturity'][]) =>
  maturities.map((maturity, index) => ({
    subtype: `subtype_${index}`,
    maturity,
    tier: 'experimental' as const,
    reported: maturity !== 'preview',
  }));

test.each<[string, Parameters<typeof isPreviewOnly>[0], boolean, string | null, boolean, true | null]>([
  [
    'previews only',
    { enabled: true, reportsPreviews: false, subtypes: subtypes('preview', 'preview') },
    true,
    'preview only: reports nothing',
    false,
    true,
  ],
  [
    'a fact and a preview, on by default',
    { enabled: true, reportsPreviews: false, subtypes: subtypes('fact', 'preview') },
    false,
    'without previews',
    true,
    null,
  ],
  [
    'a fact and a preview, switched on explicitly',
    { enabled: true, reportsPreviews: true, subtypes: subtypes('fact', 'preview') },
    false,
    'with previews',
    true,
    null,
  ],
  ['facts only', { enabled: true, reportsPreviews: true, subtypes: subtypes('fact') }, false, null, false, null],
  [
    'previews that are reported',
    { enabled: true, reportsPreviews: true, subtypes: subtypes('preview') },
    false,
    'with previews',
    false,
    true,
  ],
  [
    'a detector that is off',
    { enabled: false, reportsPreviews: false, subtypes: subtypes('preview') },
    false,
    null,
    false,
    true,
  ],
])('%s', (_case, row, isOnlyPreview, text, hasSwitch, setting) => {
  expect(isPreviewOnly(row)).toBe(isOnlyPreview);
  expect(previewText(row)).toBe(text);
  expect(hasPreviewSwitch(row)).toBe(hasSwitch);
  expect(settingOfOn(row)).toBe(setting);
});
