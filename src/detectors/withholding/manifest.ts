import { defineManifest } from '../_kit/manifest.ts';
import { preview } from '../_kit/maturity.ts';

export const withholdingManifest = defineManifest({
  type: 'withholding',
  title: 'Information withholding',
  failureModes: ['F8', 'FM-2.4'],
  needs: ['steps', 'tool_calls', 'complete'],
  evaluation: { runsWith: ['several_agents', 'calls'], mast: ['FM-2.4'] },
  subtypes: {
    known_fact_asked_for: {
      title: 'An agent asked for a fact that another agent had found',
      impact: 'warning',
      businessImpact: 'Users are asked for known facts, or the work continues without them.',
      maturity: preview,
      promptRule: () => 'When a colleague lacks a fact that you know from this run, include it in your answer.',
    },
  },
});
