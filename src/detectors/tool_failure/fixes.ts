import type { Fix, FixChange, FixType } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import { addedRule } from '../_kit/prompt-rule.ts';
import { DURATION, waitedFor } from './actions.ts';
import type { Failure } from './failure.ts';
import type { FailureGroup } from './failures.ts';
import type { Outcome } from './outcome.ts';
import { retryChange } from './retry-code.ts';
import { schemaPatch } from './schema-patch.ts';

interface Remedy {
  fixType: FixType;
  title: string;
  description: string;
  rationale: string;
  change: FixChange;
}

const REMEDIES: Record<Failure['class'], (failure: Failure, trace: Trace) => Remedy> = {
  rate_limit: (failure, trace) => ({
    fixType: 'retry_policy',
    title: `Retry ${failure.name} with growing pauses`,
    description: `Wait as long as Retry-After says before calling ${failure.name} again, retry at most 4 times with exponential backoff, and limit concurrent calls.`,
    rationale: 'The service refused the call because of load; a pause resolves that.',
    change: retryChange(trace, failure, { attempts: 5, timeoutSeconds: 60, on: 'retry on 429' }),
  }),
  auth: (failure) => ({
    fixType: 'credential_change',
    title: `Renew the credential of ${failure.name}`,
    description: `Check the key or token that ${failure.name} uses: it must be set in this environment, not expired, and allowed to do this.`,
    rationale: 'Neither a retry nor a better prompt helps when the credential is refused.',
    change: textChange(
      failure,
      'Set a valid credential with the permission this call needs, and fail at start-up without it.',
    ),
  }),
  not_found: (failure, trace) =>
    failure.what === 'tool'
      ? {
          fixType: 'tool_change',
          title: `Let ${failure.name} suggest what exists`,
          description: `When nothing matches, return the nearest existing names or ids from ${failure.name}, so that the agent can correct itself instead of guessing.`,
          rationale: 'The agent requested something that does not exist, and the error did not say what does.',
          change: textChange(failure, '{"error": "not found", "nearest": ["…"], "hint": "look the id up first"}'),
        }
      : handlingRemedy(failure, trace, `Check that what ${failure.name} asks for exists`),
  timeout: (failure, trace) =>
    cancelled(failure, trace) ?? {
      fixType: 'retry_policy',
      title: `Give ${failure.name} a timeout and one retry`,
      description: `Set a timeout that fits the work of ${failure.name}, retry once, and then return a partial result or a clear "took too long".`,
      rationale: 'The call did not finish in time; a limited wait with a retry keeps the run going.',
      change: retryChange(trace, failure, { attempts: 2, timeoutSeconds: 30, on: 'retry on timeouts' }),
    },
  exhaustion: (failure) => ({
    fixType: 'budget_limit',
    title: `Keep ${failure.name} within its limit`,
    description: `Send less to ${failure.name} or raise the limit it ran into, and check what is left before the call.`,
    rationale: 'A resource was used up, so the same request will fail again.',
    change: textChange(
      failure,
      'Shorten the input to the limit before the call; stop with a clear message when the quota is used up.',
    ),
  }),
  service: (failure, trace) => ({
    fixType: 'retry_policy',
    title: `Retry ${failure.name} and add a fallback`,
    description: `Retry ${failure.name} up to 3 times on 5xx and connection errors, then use another source or stop with a clear message.`,
    rationale: 'The service behind the call was down or unreachable.',
    change: retryChange(trace, failure, { attempts: 4, timeoutSeconds: 30, on: 'retry on 5xx and connection errors' }),
  }),
  invalid_arguments: (failure, trace) =>
    failure.what === 'tool'
      ? {
          fixType: 'tool_change',
          title: `Tighten the schema of ${failure.name}`,
          description: `Declare every argument of ${failure.name} with its type, format and an example, check calls against the schema, and name the wrong field in the error.`,
          rationale: 'The call was rejected because of its arguments: the schema let the model send them.',
          change: schemaPatch(trace, failure),
        }
      : handlingRemedy(failure, trace, `Correct the request of ${failure.name}`),
  schema_mismatch: (failure, trace) => ({
    ...handlingRemedy(failure, trace, `Check the data that ${failure.name} is given`),
    description: `Before ${failure.name}, check that each record has the fields it asks for in the type it expects; convert what can be converted, and send the rest another way.`,
    rationale: 'The step was built for data of another shape than it received.',
    change: textChange(
      failure,
      `before ${failure.name}: convert numbers and dates, give missing fields a default (?? ''), and lead records without them to a branch of their own`,
    ),
  }),
  internal_error: (failure, trace) =>
    failure.what === 'model'
      ? handlingRemedy(failure, trace, `Handle the failure of ${failure.name}`)
      : {
          fixType: 'tool_change',
          title: `Correct the code of ${failure.name}`,
          description: `Reproduce the call with the same input, correct the line of ${failure.name} that raises the error, and add a test with this input.`,
          rationale: 'The error comes from inside the code, not from a check of the arguments or from a service.',
          change: textChange(
            failure,
            'A test that calls it with this input and expects a result or a clear error message.',
          ),
        },
  declined: (failure, trace) => reportRefusal(trace, failure),
  other: (failure, trace) =>
    failure.what === 'tool'
      ? {
          fixType: 'tool_change',
          title: `Return a usable error from ${failure.name}`,
          description: `Catch the failure inside ${failure.name} and return what went wrong and what the agent can do next.`,
          rationale: 'An agent can only react to an error that says what to do.',
          change: textChange(failure, '{"error": "<what went wrong>", "retry": false, "try": "<what else works>"}'),
        }
      : handlingRemedy(failure, trace, `Handle the failure of ${failure.name}`),
};

/** Remedy for a workflow that its own time limit ended: the step that it waited for, and the limit; null for other calls. */
function cancelled(failure: Failure, trace: Trace): Remedy | null {
  const waited = failure.what === 'step' ? waitedFor(trace, failure) : null;
  if (waited === null) return null;
  const limit = DURATION.exec(failure.text.message)?.[0];
  const named = limit === undefined ? `the time limit of ${failure.name}` : `the limit of ${limit} of ${failure.name}`;
  return {
    fixType: 'config_change',
    title: `Give ${waited.name} a time limit of its own, below that of ${failure.name}`,
    description: `${waited.text} had not finished when ${named} ended the run. Give ${waited.name} a shorter limit with a path for the case that it is reached, or raise ${named}.`,
    rationale: 'The limit of the whole run leaves no step that could handle the timeout.',
    change: textChange(
      { name: waited.name },
      `a time limit below ${limit ?? `that of ${failure.name}`}, and a path for the timeout`,
    ),
  };
}

function reportRefusal(trace: Trace, { agent, name }: Failure): Remedy {
  const who = agent ?? 'the agent';
  return {
    fixType: 'prompt_change',
    title: `Make ${who} report what ${name} refuses`,
    description: `Add a rule to the instructions of ${who}: when ${name} returns that it did not do something, tell the user what and why.`,
    rationale: 'The tool works; its result was a refusal that the user has to know about.',
    change: addedRule(
      trace,
      agent,
      `When ${name} returns that it did not do something, tell the user what was refused and why; do not say that it is done.`,
    ),
  };
}

/** A node or a model call has no agent that could react: the surrounding code must. */
function handlingRemedy(failure: Failure, trace: Trace, title: string): Remedy {
  const { name, what } = failure;
  const isNode = trace.framework === 'langgraph' && what === 'step';
  return {
    fixType: 'workflow_change',
    title,
    description: `Catch this error where ${name} is called, and continue with a fallback or end the run with a clear message.`,
    rationale: 'Nothing around the call handled the error.',
    change: textChange(
      failure,
      isNode
        ? `except Exception as error:  # in ${name}\n    return Command(goto="fallback", update={"error": str(error)})`
        : `when ${name} fails: continue with a fallback result, or stop and tell the user what could not be done`,
    ),
  };
}

function textChange({ name }: Pick<Failure, 'name'>, after: string): FixChange {
  return { target: name, format: 'text', before: null, after };
}

export function fixesFor(trace: Trace, { failures: [first] }: FailureGroup, outcome: Outcome): Fix[] {
  const { change, ...remedy } = REMEDIES[first.class](first, trace);
  const fix: Fix = {
    ...remedy,
    confidence: 0.6,
    risk: 'low',
    changes: [change],
    isBreaking: false,
    requiresTesting: true,
  };
  const isUnnoticed =
    first.what === 'tool' && first.class !== 'declined' && (outcome === 'ignored' || outcome === 'gave_up_repeating');
  return isUnnoticed ? [fix, reportFailure(trace, first)] : [fix];
}

function reportFailure(trace: Trace, { agent, name }: Failure): Fix {
  const rule = `When ${name} fails, try once with corrected arguments or another tool; if that fails too, tell the user what could not be done.`;
  return {
    fixType: 'prompt_change',
    title: `Make ${agent ?? 'the agent'} report failures of ${name}`,
    description: `Add a rule to the instructions of ${agent ?? 'the agent'}: a failed call of ${name} must be reported, and the answer must not pretend that it worked.`,
    rationale: `The answers after the failure of ${name} do not mention it.`,
    confidence: 0.4,
    risk: 'low',
    changes: [addedRule(trace, agent, rule)],
    isBreaking: false,
    requiresTesting: true,
  };
}
