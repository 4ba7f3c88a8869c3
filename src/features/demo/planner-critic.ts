import type { DemoRun } from './demo-run.ts';
import { genAiSteps } from './gen-ai-steps.ts';

const TASK = 'Plan the move of the billing tables to the new cluster.';
const PLAN =
  'Copy the tables at night, switch the readers over, then the writers, and drop the old tables after a week.';
const CRITIQUE = 'The plan does not say who approves the switch. Please revise it and name an approver.';
const ROUNDS = 12;

/** LangGraph: planner and critic exchange the same plan until the framework stops the run. */
export const plannerCritic: DemoRun = {
  name: 'migration planner',
  service: 'release-bot',
  scope: 'langgraph',
  record(run) {
    const { llm } = genAiSteps(run);
    const node = (name: string, state: object, inside: () => void) =>
      run.span(
        {
          name,
          attributes: {
            'langgraph.node': name,
            'langgraph.thread_id': 'plan-17',
            'langgraph.state': JSON.stringify(state),
          },
        },
        inside,
      );
    const error = {
      type: 'GraphRecursionError',
      message: `Recursion limit of ${ROUNDS * 2} reached without hitting a stop condition.`,
    };
    run.span(
      {
        name: 'migration planner',
        attributes: { 'gen_ai.input.messages': input(TASK), 'langgraph.thread_id': 'plan-17' },
        error,
      },
      () => {
        for (let round = 1; round <= ROUNDS; round += 1) {
          node('planner', { task: TASK, plan: PLAN, approved: false, revision: round }, () =>
            llm('planner', {
              model: 'gpt-4o',
              input: [
                ['user', TASK],
                ['assistant', CRITIQUE],
              ],
              output: PLAN,
              tokens: [780, 96],
            }),
          );
          node('critic', { task: TASK, plan: PLAN, approved: false, revision: round }, () =>
            llm('critic', { model: 'gpt-4o', input: [['user', PLAN]], output: CRITIQUE, tokens: [640, 58] }),
          );
        }
      },
    );
  },
};

function input(task: string): string {
  return JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: task }] }]);
}
