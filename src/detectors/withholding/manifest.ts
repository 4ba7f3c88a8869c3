import { defineManifest } from '../_kit/manifest.ts';
import { preview } from '../_kit/maturity.ts';

export const withholdingManifest = defineManifest({
  type: 'withholding',
  title: 'Information withholding',
  failureModes: ['F8', 'FM-2.4'],
  needs: ['steps', 'tool_calls'],
  evaluation: { runsWith: ['several_agents', 'calls'], mast: ['FM-2.4'] },
  subtypes: {
    known_fact_asked_for: {
      title: 'What one agent had found another had to ask for',
      impact: 'warning',
      businessImpact: 'Users are asked for what the system knows, or the work goes on without it.',
      maturity: preview,
      promptRule: () => 'When a colleague lacks a fact that you know from this run, tell it with your answer.',
    },
  },
});
