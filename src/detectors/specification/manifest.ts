import { readCalibration } from '../_kit/calibration.ts';
import { defineManifest } from '../_kit/manifest.ts';
import { fact, preview } from '../_kit/maturity.ts';
import calibration from './calibration.generated.json' with { type: 'json' };

export const specificationManifest = defineManifest({
  type: 'specification',
  title: 'Specification mismatch',
  failureModes: ['F1', 'FM-1.1'],
  needs: ['steps', 'text'],
  calibration: readCalibration(calibration),
  evaluation: {
    runsWith: ['answer'],
    mast: ['FM-1.1'],
    trail: ['Instruction Non-compliance'],
    isCalibratedByOutcome: true,
  },
  subtypes: {
    too_long: {
      title: 'Longer than asked for',
      impact: 'warning',
      businessImpact: 'The answer does not fit where it is to be used.',
      maturity: preview,
      promptRule: () => 'Keep to the length that was asked for, and count before you answer.',
    },
    wrong_language: {
      title: 'In another language than asked for',
      impact: 'warning',
      businessImpact: 'The reader may not understand the answer at all.',
      maturity: preview,
      promptRule: () => 'Answer in the language that was asked for, else in the language of the user.',
    },
    forbidden_word: {
      title: 'The answer contains an excluded word',
      impact: 'warning',
      businessImpact: 'The answer contains a word that the user excluded.',
      maturity: preview,
      promptRule: () => 'Read your answer against the words that were ruled out before you give it.',
    },
    forbidden_tool: {
      title: 'Uses a tool that was ruled out',
      impact: 'warning',
      businessImpact: 'Something was done that the user had ruled out.',
      maturity: preview,
      promptRule: ({ what }) => `Do not use ${what} where the task rules it out.`,
    },
    changed_quantity: {
      title: 'A quantity of the task was changed',
      impact: 'warning',
      businessImpact: 'The answer keeps the form of the request and not its numbers.',
      maturity: fact('The task and the answer give one name different numbers of the same unit.'),
      promptRule: () =>
        'Before you answer, compare each quantity with the task; where one cannot be kept, say so and ask.',
      runsWith: ['asked_quantities'],
    },
  },
});
