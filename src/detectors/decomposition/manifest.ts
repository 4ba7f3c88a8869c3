import { defineManifest } from '../_kit/manifest.ts';
import { preview } from '../_kit/maturity.ts';

export const decompositionManifest = defineManifest({
  type: 'decomposition',
  title: 'Poor task decomposition',
  failureModes: ['F2'],
  needs: ['steps', 'settled', 'text', 'complete'],
  evaluation: { runsWith: ['repeatable_turns'] },
  subtypes: {
    plan_not_followed: {
      title: 'Most of the plan was never carried out',
      impact: 'warning',
      businessImpact: 'Planned parts of the task are missing from the result.',
      maturity: preview,
      promptRule: () => 'Work through your plan step by step, and say which steps you drop and why before you answer.',
    },
  },
});
