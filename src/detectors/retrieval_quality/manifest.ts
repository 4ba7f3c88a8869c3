import { defineManifest } from '../_kit/manifest.ts';
import { fact, preview } from '../_kit/maturity.ts';

export const retrievalQualityManifest = defineManifest({
  type: 'retrieval_quality',
  title: 'Retrieval quality',
  failureModes: ['F16'],
  needs: ['steps', 'settled'],
  evaluation: { runsWith: ['documents'] },
  subtypes: {
    empty: {
      title: 'Answered although nothing was retrieved',
      impact: 'warning',
      businessImpact: 'The answer comes from the model alone, although it looks as if it came from the documents.',
      maturity: preview,
      promptRule: ({ what }) =>
        `When ${what} finds nothing, try once with other words, then say that nothing was found.`,
      toolNote: 'When nothing is found, try once with fewer and more common words.',
    },
    irrelevant: {
      title: 'Retrieved documents are about something else',
      impact: 'warning',
      businessImpact: 'The answer is based on documents that do not contain it.',
      maturity: preview,
      promptRule: ({ what }) =>
        `Use what ${what} finds only if it answers the question; otherwise say that nothing fitting was found.`,
    },
    duplicate: {
      title: 'The same document retrieved repeatedly',
      impact: 'info',
      businessImpact: 'The same text fills the prompt twice and displaces other documents.',
      maturity: fact('The recorded search returned the same document several times.'),
      promptRule: ({ what }) => `Treat passages of ${what} that say the same as one source.`,
    },
    low_scores: {
      title: 'Only poor matches retrieved',
      impact: 'info',
      businessImpact: 'The answer may be based on documents that do not contain it.',
      maturity: preview,
      promptRule: ({ what }) => `When ${what} finds only weak matches, say how sure the answer is.`,
    },
  },
});
