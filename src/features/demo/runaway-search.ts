import type { DemoRun } from './demo-run.ts';
import { genAiSteps } from './gen-ai-steps.ts';

const TASK = 'Find the opening hours of the harbour museum.';
const QUERY = { q: 'harbour museum opening hours' };
const ROUNDS = 14;

/** The same search with an expensive model, repeated although the results do not change. */
export const runawaySearch: DemoRun = {
  name: 'museum guide',
  service: 'city-guide',
  scope: 'openai-agents',
  record(run) {
    const { agent, llm, tool } = genAiSteps(run);
    agent('guide', TASK, () => {
      for (let round = 1; round <= ROUNDS; round += 1) {
        llm('guide', {
          model: 'gpt-4-turbo',
          input: [['user', TASK]],
          output: '',
          tokens: [6_000 + round * 900, 40],
          calls: { name: 'web_search', arguments: QUERY },
        });
        tool('guide', { tool: 'web_search', arguments: QUERY, result: { results: [] }, ms: 650 });
      }
    });
  },
};
