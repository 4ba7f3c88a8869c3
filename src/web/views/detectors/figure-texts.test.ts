import { expect, test } from 'vitest';
import {
  type LabelledFigures,
  measuredSubtype,
  precisionText,
  previewLabelsText,
  previewsCounted,
  recallText,
} from './figure-texts.ts';

const LOOP: LabelledFigures = {
  precision: 5 / 6,
  precision_interval: [0.44, 0.97],
  recall: 5 / 22,
  recall_interval: [0.1, 0.43],
  data_set: 'trail',
  unit: 'run',
  sample_count: 74,
  positive_count: 22,
  found_count: 5,
  reported_count: 6,
};

test.each<[string, LabelledFigures | undefined, string, string]>([
  ['figures of both', LOOP, 'found 5 of 22 failures in 74 runs', '5 of 6 reports labelled'],
  [
    'no report',
    { ...LOOP, precision: null, recall: 0, sample_count: 36, positive_count: 1, found_count: 0, reported_count: 0 },
    'found 0 of 1 failure in 36 runs',
    'reported nothing',
  ],
  [
    'reports, but labels that miss faults',
    { ...LOOP, precision: null, found_count: 3, positive_count: 6, reported_count: 10 },
    'found 3 of 6 failures in 74 runs',
    'not counted: its labels are incomplete',
  ],
  ['no labelled data', { ...LOOP, precision: null, recall: null, data_set: null }, 'no labels', 'no labels'],
  ['a detector without a status', undefined, 'no labels', 'no labels'],
])('%s', (_case, figures, recall, precision) => {
  expect(recallText(figures)).toBe(recall);
  expect(precisionText(figures)).toBe(precision);
});

const subtype = (name: string, maturity: string, fired = 0) => ({
  subtype: name,
  title: `Title of ${name}`,
  maturity,
  left_out_failing: { fired, could_fire: 1_598 },
});
const counted = (counted_as_real: string | null) =>
  ({
    counted_as_real,
    subtypes: [
      subtype('indirect', 'measured', 503),
      subtype('direct', 'measured', 9),
      subtype('obeyed', 'preview', 900),
    ],
  }) as unknown as Parameters<typeof previewsCounted>[0];

test.each([
  ['run that obeyed the attack; a detection `obeyed`', ['Title of obeyed']],
  ['attacked run; a detection `obeyed` or `indirect`', []],
  ['run annotated with FM-1.3; a detection of info or higher that names it', []],
  [null, []],
])('of labels counted as %j, only previews are found: %j', (text, titles) =>
  expect(previewsCounted(counted(text))).toEqual(titles),
);

test('the measured subtype of most failing runs', () => {
  expect(measuredSubtype(counted(null))).toEqual({ title: 'Title of indirect', fired: 503, could_fire: 1_598 });
  expect(measuredSubtype({ subtypes: [] })).toBeUndefined();
});

test('labels that ask for a preview are explained', () => {
  const labelled = { ...LOOP, sample_count: 2_324, positive_count: 582, found_count: 0 };
  expect(previewLabelsText({ ...labelled, ...counted('run that obeyed the attack; a detection `obeyed`') })).toBe(
    'The labels ask for “Title of obeyed”, a preview that is not reported by default: found 0 of 582 failures in 2,324 runs. The recall above is the share of failing or attacked runs with “Title of indirect”.',
  );
  expect(previewLabelsText({ ...labelled, ...counted(null) })).toBeNull();
});
