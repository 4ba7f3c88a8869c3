import { defineManifest } from '../_kit/manifest.ts';
import { preview } from '../_kit/maturity.ts';

export const derailmentManifest = defineManifest({
  type: 'derailment',
  title: 'Task derailment',
  failureModes: ['F6', 'FM-2.3'],
  needs: ['text', 'settled', 'complete'],
  evaluation: { runsWith: ['answer'], mast: ['FM-2.3'], trail: ['Goal Deviation'] },
  subtypes: {
    unrelated_answer: {
      title: 'The answer is about something else',
      impact: 'warning',
      businessImpact: 'The answer does not address the request.',
      maturity: preview,
      promptRule: () => 'Before you answer, read the request again: the answer has to address it.',
    },
  },
});
