import type { DemoRun } from './demo-run.ts';
import { genAiSteps } from './gen-ai-steps.ts';

const TASK = 'Customer 5120 asks why parcel NL-88213 is late and when it arrives.';
const ANSWER =
  'Parcel NL-88213 waits at the Rotterdam depot since Tuesday because of the storm. It is due on Friday, 14 March.';

/** A healthy run: a supervisor asks two specialists and answers. */
export const supportTriage: DemoRun = {
  name: 'support triage',
  service: 'support-desk',
  scope: 'openai-agents',
  record(run) {
    const { agent, llm, tool } = genAiSteps(run);
    agent(
      'supervisor',
      TASK,
      () => {
        llm('supervisor', {
          model: 'gpt-4o-mini',
          input: [
            ['system', 'Route each question to the right specialist, then answer the customer.'],
            ['user', TASK],
          ],
          output: 'The tracking agent should look the parcel up.',
          tokens: [412, 24],
        });
        agent(
          'tracking',
          'Look up parcel NL-88213.',
          () => {
            tool('tracking', {
              tool: 'find_parcel',
              arguments: { parcel: 'NL-88213' },
              result: { parcel: 'NL-88213', status: 'held', depot: 'Rotterdam', reason: 'storm', due: '2026-03-14' },
            });
            llm('tracking', {
              model: 'gpt-4o-mini',
              input: [
                ['user', 'Look up parcel NL-88213.'],
                ['tool', 'held at Rotterdam, reason storm, due 2026-03-14'],
              ],
              output: 'Held at the Rotterdam depot since Tuesday because of the storm; due on Friday, 14 March.',
              tokens: [388, 31],
            });
          },
          'Held at the Rotterdam depot since Tuesday because of the storm; due on Friday, 14 March.',
        );
        llm('supervisor', {
          model: 'gpt-4o-mini',
          input: [
            ['user', TASK],
            ['assistant', 'tracking: held at Rotterdam because of the storm, due on Friday, 14 March'],
          ],
          output: ANSWER,
          tokens: [501, 42],
        });
      },
      ANSWER,
    );
  },
};
