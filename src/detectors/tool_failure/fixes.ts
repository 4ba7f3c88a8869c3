import type { Fix, FixType } from '../../core/detection.ts';
import type { Failure, FailureGroup } from './failures.ts';

interface Remedy {
  fixType: FixType;
  title: string;
  description: string;
  after: string;
  rationale: string;
}

const REMEDIES: Record<Failure['class'], (name: string) => Remedy> = {
  rate_limit: (name) => ({
    fixType: 'retry_policy',
    title: `Retry ${name} with growing pauses`,
    description: `Honour Retry-After on ${name}, retry at most 4 times with exponential backoff and jitter, and cap concurrent calls.`,
    after: `${name}: retry on 429, at most 4 attempts, wait Retry-After or 1 s × 2^n with jitter, at most 2 calls at once`,
    rationale: 'The service refused for load, which a pause cures.',
  }),
  auth: (name) => ({
    fixType: 'credential_change',
    title: `Renew the credential of ${name}`,
    description: `Check the key or token ${name} uses: is it set in this environment, not expired, and allowed to do this?`,
    after: `${name}: valid credential with the scope this call needs; fail at start-up when it is missing`,
    rationale: 'No retry and no prompt gets past a refused credential.',
  }),
  not_found: (name) => ({
    fixType: 'tool_change',
    title: `Let ${name} say what does exist`,
    description: `Return the nearest existing names or ids from ${name} when nothing matches, and have the agent look ids up instead of guessing them.`,
    after: `{"error": "not found", "nearest": ["…"], "hint": "look the id up first"}`,
    rationale: 'The agent asked for something that is not there and had nothing to correct itself with.',
  }),
  timeout: (name) => ({
    fixType: 'retry_policy',
    title: `Bound ${name} and retry once`,
    description: `Give ${name} a timeout that fits its work, retry once, and return a partial result or a clear "took too long" to the agent.`,
    after: `${name}: timeout 30 s, 1 retry, then {"error": "timeout", "try": "a smaller request"}`,
    rationale: 'The call did not answer in time; the agent needs a bounded wait and a way on.',
  }),
  exhaustion: (name) => ({
    fixType: 'budget_limit',
    title: `Keep ${name} within its quota`,
    description: `Shorten what is sent to ${name} or raise the quota it ran out of; check the remaining room before the call.`,
    after: `${name}: trim the input to the limit before calling; stop with a clear message when the quota is spent`,
    rationale: 'A resource was used up; the same request will fail again.',
  }),
  service: (name) => ({
    fixType: 'retry_policy',
    title: `Retry ${name} and give it a fallback`,
    description: `Retry ${name} up to 3 times on 5xx and connection errors, then fall back to another source or end with a clear message.`,
    after: `${name}: retry on 5xx | connection errors, 3 attempts, exponential backoff; then the fallback`,
    rationale: 'The service behind the call was down or unreachable.',
  }),
  invalid_arguments: (name) => ({
    fixType: 'tool_change',
    title: `Tighten the schema of ${name}`,
    description: `Describe the arguments of ${name} with types, formats, an example and required fields, and check them before the call with an answer that names the wrong field.`,
    after: `${name}: "additionalProperties": false, every field with type, format and an example`,
    rationale: 'The call was refused for its arguments, so the model did not know what the tool takes.',
  }),
  other: (name) => ({
    fixType: 'tool_change',
    title: `Return a usable error from ${name}`,
    description: `Catch the failure inside ${name} and answer with what went wrong and what the agent can do next.`,
    after: `{"error": "<what went wrong>", "retry": false, "try": "<what else works>"}`,
    rationale: 'An agent can only react to an error that says what to do.',
  }),
};

export function fixesFor({ failures: [first] }: FailureGroup, isHandled: boolean): Fix[] {
  const remedy = REMEDIES[first.class](first.name);
  const fix: Fix = {
    fixType: remedy.fixType,
    title: remedy.title,
    description: remedy.description,
    rationale: remedy.rationale,
    confidence: 0.6,
    risk: 'low',
    changes: [{ target: first.name, format: 'text', before: null, after: remedy.after }],
    isBreaking: false,
    requiresTesting: true,
  };
  return isHandled ? [fix] : [fix, reportFailure(first)];
}

function reportFailure({ agent, name }: Failure): Fix {
  return {
    fixType: 'prompt_change',
    title: `Have ${agent ?? 'the agent'} say when ${name} failed`,
    description: `Add a rule to the instructions of ${agent ?? 'the agent'}: an answer that needed ${name} must not be given as if it had worked.`,
    rationale: `Nothing after the failure of ${name} shows that it was noticed.`,
    confidence: 0.4,
    risk: 'low',
    changes: [
      {
        target: `${agent ?? 'agent'} instructions`,
        format: 'text',
        before: null,
        after: `When ${name} fails, try once with corrected arguments or another tool; if that fails too, tell the user what could not be done.`,
      },
    ],
    isBreaking: false,
    requiresTesting: true,
  };
}
