import { defineManifest } from '../_kit/manifest.ts';
import { fact, preview } from '../_kit/maturity.ts';

export const resourceMisallocationManifest = defineManifest({
  type: 'resource_misallocation',
  title: 'Resource misallocation',
  failureModes: ['F3'],
  needs: ['steps'],
  evaluation: { runsWith: ['calls'] },
  subtypes: {
    barren_agent: {
      title: 'Most tokens were used for work without new results',
      impact: 'warning',
      businessImpact: 'Most of the cost is for results that were already known.',
      maturity: preview,
      promptRule: () => 'Take a turn only when you have something to add; otherwise hand over at once.',
      runsWith: ['several_agents', 'repeatable_calls'],
    },
    model_fallback: {
      title: 'Another model answered than the requested one',
      impact: 'warning',
      businessImpact: 'Answers come from a model that may not be tested for this work, at its own price.',
      maturity: fact('The answer names another model than the requested one.'),
      promptRule: null,
      runsWith: ['named_models'],
    },
    spawn_chain: {
      title: 'Agents start agents that start agents',
      impact: 'warning',
      businessImpact:
        'Every agent in the chain reads its own context and costs its own tokens, and none of them does the work.',
      maturity: fact('The recorded agents started one another down to this level, or delegated the same task.'),
      promptRule: ({ what }) =>
        `Do the task that you were given yourself: use ${what} only for a part of it, never to pass all of it on.`,
      toolNote: 'Takes a part of your task, never all of it.',
    },
    spawn_fan_out: {
      title: 'One agent starts many agents',
      impact: 'warning',
      businessImpact: 'The cost of the run grows with every agent that is started.',
      maturity: fact('The trace records this number of agent starts: for one task, after rejections, or in one run.'),
      promptRule: ({ what }) =>
        `Start at most five agents with ${what}, wait for their results, and do not start one for a task that was already delegated.`,
      toolNote: 'Each agent costs a context of its own: start few, and none for a task that was already delegated.',
    },
  },
});
