import { type FailedCall, nodeOf } from './failed-call.ts';
import { fixOf, nodeFixes, type Remedy } from './remedy.ts';

/** The workflow continued without the failed item: its error output leads nowhere. */
export function droppedItemRemedy(call: FailedCall): Remedy {
  const { name } = call.failure;
  return {
    action: `Connect the error output of ${name}, or let ${name} stop the workflow, so that no item is lost.`,
    fixes: [
      fixOf(name, {
        fixType: 'workflow_change',
        title: `Connect the error output of ${name}`,
        description: `Connect the error output of ${name} to a node that stores or reports the failed item, or let ${name} stop the workflow.`,
        rationale: 'The error output is not connected, so the failed item was dropped.',
        change: {
          target: `error output of the node ${nodeOf(call)}`,
          format: 'text',
          before: 'not connected',
          after: 'a node that stores or reports the failed item',
        },
        confidence: 0.65,
      }),
      ...nodeFixes(call, 'stop'),
    ],
  };
}

/** The workflow continued with the error in the place of a result. */
export function passedErrorRemedy(call: FailedCall): Remedy {
  const { name } = call.failure;
  return {
    action: `Have the step after ${name} separate items with an error from results.`,
    fixes: [
      fixOf(name, {
        fixType: 'workflow_change',
        title: `Separate the errors of ${name} from its results`,
        description: `Have the step after ${name} check each item for an error, and lead items with one to a path of their own.`,
        rationale: 'The error was passed on as if it were the result.',
        change: {
          target: `step after ${name}`,
          format: 'text',
          before: null,
          after: 'a condition on the member "error" of each item: items that have it go to a path of their own',
        },
        confidence: 0.65,
      }),
      ...nodeFixes(call, 'error_output').map((fix) => ({
        ...fix,
        rationale: 'An error output keeps failed items apart from results.',
      })),
    ],
  };
}
