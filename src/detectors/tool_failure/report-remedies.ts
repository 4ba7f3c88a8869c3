import { addedRule } from '../_kit/prompt-rule.ts';
import { type FailedCall, quoteOf } from './failed-call.ts';
import { fixOf, type Remedy } from './remedy.ts';

/** The agent tells the user what the tool refused. */
export function refusalRemedy({ trace, failure }: FailedCall): Remedy {
  const { agent, name } = failure;
  const who = agent ?? 'the agent';
  return {
    action: `Have ${who} tell the user what ${name} returned (${quoteOf(failure)}), and check before the call what it asks for.`,
    fixes: [
      fixOf(name, {
        fixType: 'prompt_change',
        title: `Make ${who} report what ${name} refuses`,
        description: `Add a rule to the instructions of ${who}: when ${name} returns that it did not do something, tell the user what and why.`,
        rationale: 'The tool works; its result was a refusal that the user has to know about.',
        change: addedRule(
          trace,
          agent,
          `When ${name} returns that it did not do something, tell the user what was refused and why; do not say that it is done.`,
        ),
      }),
    ],
  };
}

/** The agent tells the user that the call failed: an answer after it does not mention it. */
export function unreportedRemedy({ trace, failure: { agent, name } }: FailedCall): Remedy {
  const who = agent ?? 'the agent';
  const rule = `When ${name} fails, try once in another way or with another tool; if that fails too, tell the user what could not be done.`;
  return {
    action: `Make ${who} tell the user that ${name} failed.`,
    fixes: [
      fixOf(name, {
        fixType: 'prompt_change',
        title: `Make ${who} report failures of ${name}`,
        description: `Add a rule to the instructions of ${who}: a failed call of ${name} must be reported, and the answer must not pretend that it worked.`,
        rationale: `The answers after the failure of ${name} do not mention it.`,
        change: addedRule(trace, agent, rule),
        confidence: 0.4,
      }),
    ],
  };
}

/** The error reaches the agent, which can then continue. */
export function returnedErrorRemedy({ failure: { agent, name } }: FailedCall): Remedy {
  return {
    action: `Return the error to ${agent} as the result of ${name}, so that it does not end the run.`,
    fixes: [
      fixOf(name, {
        fixType: 'tool_change',
        title: `Return the error of ${name} to ${agent}`,
        description: `Catch the error where ${name} is called, and return it to ${agent} as the result of the call, so that it does not end the run.`,
        rationale: 'The run ended with this error, before the agent could react to it.',
        change: '{"error": "<what went wrong>", "retry": false, "try": "<what else works>"}',
        confidence: 0.5,
      }),
    ],
  };
}
