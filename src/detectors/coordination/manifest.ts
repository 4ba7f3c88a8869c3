import { defineManifest } from '../_kit/manifest.ts';
import { fact, preview } from '../_kit/maturity.ts';

export const coordinationManifest = defineManifest({
  type: 'coordination',
  title: 'Coordination failure',
  failureModes: ['F11'],
  needs: ['steps'],
  evaluation: { runsWith: ['several_agents'], mast: ['FM-2.5'] },
  subtypes: {
    handoff_unanswered: {
      title: 'A handoff without an answer',
      impact: 'warning',
      businessImpact: 'The work was handed off and not continued.',
      maturity: preview,
      promptRule: () => 'When work is handed to you, do it or say that you will not do it.',
      runsWith: ['handoffs'],
    },
    handoff_ping_pong: {
      title: 'Work handed back and forth',
      impact: 'warning',
      businessImpact: 'Two agents pass the work to each other, and neither does it.',
      maturity: fact('Two agents handed over to each other at least four times in a row without other work.'),
      promptRule: () =>
        'Do not hand work back that was just handed to you: do your part, or name the one thing that you need.',
      runsWith: ['handoffs', 'several_agents'],
    },
    duplicate_action: {
      title: 'Two agents did the same thing',
      impact: 'warning',
      businessImpact: 'An action with effects, such as a booking, may have been carried out twice.',
      maturity: preview,
      promptRule: ({ what }) =>
        `Before you call ${what}, check whether you or a colleague already did this for the same request.`,
      toolNote: 'Has lasting effects: call it once for each request.',
      runsWith: ['several_agents', 'calls'],
    },
    subagent_work_repeated: {
      title: 'The work of a subagent was repeated',
      impact: 'info',
      businessImpact: 'The work of the subagent was paid for twice.',
      maturity: preview,
      promptRule: null,
      runsWith: ['several_agents', 'calls'],
    },
    duplicate_lookup: {
      title: 'Two agents made the same call',
      impact: 'info',
      businessImpact: 'The same result was paid for twice.',
      maturity: preview,
      promptRule: ({ what }) =>
        `Before you call ${what}, check whether a colleague's result already contains the answer.`,
      toolNote: 'Check first whether this run already contains the result.',
      runsWith: ['several_agents', 'calls'],
    },
  },
});
