import { readCalibration } from '../_kit/calibration.ts';
import { defineManifest } from '../_kit/manifest.ts';
import { preview } from '../_kit/maturity.ts';
import calibration from './calibration.generated.json' with { type: 'json' };

export const communicationManifest = defineManifest({
  type: 'communication',
  title: 'Communication breakdown',
  failureModes: ['F10'],
  needs: ['steps', 'settled', 'complete'],
  calibration: readCalibration(calibration),
  evaluation: { runsWith: ['several_agents'], mast: ['FM-2.2'], isCalibratedByOutcome: true },
  subtypes: {
    missing_recipient: {
      title: 'Addressed to an unknown recipient',
      impact: 'warning',
      businessImpact: 'The message was not received, and its request was not carried out.',
      maturity: preview,
      promptRule: () => 'Address messages only to agents that take part, and use their exact names.',
      runsWith: ['handoffs'],
    },
    unanswered_question: {
      title: 'A question to another agent was never answered',
      impact: 'warning',
      businessImpact: 'The answer lacks the requested information.',
      maturity: preview,
      promptRule: () =>
        'Answer each question that a colleague puts to you before you go on, also when the answer is no.',
    },
  },
});
