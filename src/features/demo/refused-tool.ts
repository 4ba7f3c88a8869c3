import type { DemoRun } from './demo-run.ts';
import { genAiSteps } from './gen-ai-steps.ts';

const TASK = 'Refund order 77120 and tell the customer.';
const ANSWER = 'Done! The refund of 54.90 EUR for order 77120 is on its way and will arrive within three days.';

/** The payment tool rejects the credential, and the agent still reports success. */
export const refusedTool: DemoRun = {
  name: 'refund desk',
  service: 'refund-desk',
  scope: 'openai-agents',
  record(run) {
    const { agent, llm, tool } = genAiSteps(run);
    const refund = { order: '77120', amount_eur: 54.9 };
    agent(
      'refund-agent',
      TASK,
      () => {
        llm('refund-agent', {
          model: 'gpt-4o-mini',
          input: [['user', TASK]],
          output: '',
          tokens: [350, 30],
          calls: { name: 'issue_refund', arguments: refund },
        });
        tool('refund-agent', {
          tool: 'issue_refund',
          arguments: refund,
          error: { type: 'PermissionError', message: '401 Unauthorized: the API token for payments has expired' },
        });
        llm('refund-agent', { model: 'gpt-4o-mini', input: [['user', TASK]], output: ANSWER, tokens: [420, 36] });
      },
      ANSWER,
    );
  },
};
