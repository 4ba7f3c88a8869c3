import { defineManifest } from '../_kit/manifest.ts';
import { fact } from '../_kit/maturity.ts';

export const contextOverflowManifest = defineManifest({
  type: 'context_overflow',
  title: 'Context overflow',
  failureModes: ['F7', 'FM-1.4'],
  needs: ['steps'],
  evaluation: { runsWith: ['known_windows'], isConstructedOnly: true },
  subtypes: {
    near_limit: {
      title: "The prompt is close to the model's context limit",
      impact: 'warning',
      businessImpact: 'Long prompts cost more on every call, and models miss information in the middle of them.',
      maturity: fact('The reported tokens are above your warning share of the known context window.'),
      promptRule: ({ what }) => `Request from ${what} only the fields and rows that the task needs.`,
    },
    at_limit: {
      title: "The prompt fills the model's context window",
      impact: 'critical',
      businessImpact: 'The next call may be rejected, and models miss information in prompts of this length.',
      maturity: fact('The reported tokens are above your critical share of the known context window.'),
      promptRule: ({ what }) => `Request from ${what} only the fields and rows that the task needs.`,
    },
    exceeded: {
      title: 'The context limit was exceeded',
      impact: 'critical',
      businessImpact: 'The call was rejected or truncated, so its answer is missing or incomplete.',
      maturity: fact('The provider rejected the request because it was too long.'),
      promptRule: ({ what }) => `Request from ${what} only the fields and rows that the task needs.`,
      runsWith: [],
    },
    truncated: {
      title: 'An answer was truncated at the token limit',
      impact: 'warning',
      businessImpact: 'The next step works with an incomplete answer.',
      maturity: fact('The provider reports that the answer was truncated at its length limit.'),
      promptRule: () => 'When an answer would be long, give it in parts and say that more follows.',
      runsWith: [],
    },
    compacted: {
      title: 'The conversation was compacted',
      impact: 'info',
      businessImpact: 'Earlier details are lost; the agent has to read again, and pay for, what it still needs.',
      maturity: fact('The runtime reports the compaction.'),
      promptRule: null,
      runsWith: [],
    },
    growth: {
      title: 'The prompt grows towards the context limit',
      impact: 'info',
      businessImpact: 'A slightly longer run will exceed the limit and fail.',
      maturity: fact('The reported tokens grow from request to request towards the known context window.'),
      promptRule: ({ what }) =>
        `Sum up in a few lines what ${what} returned before you go on, and refer to the summary.`,
    },
  },
});
