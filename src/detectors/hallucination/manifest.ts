import { defineManifest } from '../_kit/manifest.ts';
import { preview } from '../_kit/maturity.ts';
import { VERBATIM_RULE } from '../_remedies/rule-texts.ts';

export const hallucinationManifest = defineManifest({
  type: 'hallucination',
  title: 'Hallucination',
  failureModes: ['F15'],
  needs: ['llm_calls', 'text', 'settled', 'complete'],
  method: 'grounding-lr-1',
  evaluation: { runsWith: ['answer', 'calls'] },
  subtypes: {
    unsupported_answer: {
      title: 'Answer that its documents do not support',
      impact: 'warning',
      businessImpact: 'Users read a statement that is attributed to the documents but not in them.',
      maturity: preview,
      promptRule: () => `${VERBATIM_RULE}; otherwise say that the sources do not contain it.`,
      runsWith: ['answer', 'documents'],
    },
    unsupported_by_results: {
      title: 'Answer that the retrieved texts do not support',
      impact: 'info',
      businessImpact: 'Users may read a statement that no retrieved text supports.',
      maturity: preview,
      promptRule: () => `${VERBATIM_RULE}; otherwise say that the results do not contain it.`,
    },
  },
});
