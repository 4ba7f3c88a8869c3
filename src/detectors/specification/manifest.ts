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
      title: 'Longer than requested',
      impact: 'warning',
      businessImpact: 'The answer is too long for its purpose.',
      maturity: preview,
      promptRule: () => 'Keep to the requested length, and count before you answer.',
    },
    wrong_language: {
      title: 'In another language than requested',
      impact: 'warning',
      businessImpact: 'The reader may not understand the answer at all.',
      maturity: preview,
      promptRule: () => 'Answer in the requested language, otherwise in the language of the user.',
    },
    forbidden_word: {
      title: 'The answer contains an excluded word',
      impact: 'warning',
      businessImpact: 'The answer contains a word that the user excluded.',
      maturity: preview,
      promptRule: () => 'Check your answer for excluded words before you give it.',
    },
    forbidden_tool: {
      title: 'Uses a tool that the user excluded',
      impact: 'warning',
      businessImpact: 'The agent did something that the user had excluded.',
      maturity: preview,
      promptRule: ({ what }) => `Do not use ${what} if the task excludes it.`,
    },
    changed_quantity: {
      title: 'A quantity of the task was changed',
      impact: 'warning',
      businessImpact: 'The answer does not meet the numbers of the request.',
      maturity: fact('The task and the answer give one name different numbers of the same unit.'),
      promptRule: () =>
        'Before you answer, compare each quantity with the task; if one cannot be kept, say so and ask.',
      runsWith: ['asked_quantities'],
    },
  },
});
