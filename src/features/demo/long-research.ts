import type { DemoRun } from './demo-run.ts';
import { genAiSteps } from './gen-ai-steps.ts';

const TASK = 'Summarise every incident report of the year.';
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June'];

/** The prompt grows with each month until it no longer fits the model. */
export const longResearch: DemoRun = {
  name: 'incident summary',
  service: 'report-writer',
  scope: 'openai-agents',
  record(run) {
    const { agent, llm, tool } = genAiSteps(run);
    agent('researcher', TASK, () => {
      MONTHS.forEach((month, index) => {
        tool('researcher', {
          tool: 'read_reports',
          arguments: { month },
          result: { month, reports: 31 + index, text: `The reports of ${month} tell of ${index + 2} outages.` },
        });
        llm('researcher', {
          model: 'gpt-4o',
          input: [
            ['user', TASK],
            ['tool', `The reports of ${month}`],
          ],
          output: `${month} is noted: ${index + 2} outages. Next month.`,
          tokens: [24_000 + index * 18_500, 180],
        });
      });
      llm('researcher', {
        model: 'gpt-4o',
        input: [['user', TASK]],
        output: '',
        tokens: [0, 0],
        error: {
          type: 'BadRequestError',
          message:
            "400: This model's maximum context length is 128000 tokens. However, your messages resulted in 134900 tokens.",
        },
      });
    });
  },
};
