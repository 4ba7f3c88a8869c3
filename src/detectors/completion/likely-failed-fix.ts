import type { Fix, FixType } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import type { FailureSign, SignName } from '../_attribution/failure-signs.ts';
import type { Attribution } from '../_attribution/ranking.ts';
import { checkFix } from '../_conduct/remedy.ts';

interface Remedy {
  type: FixType;
  title: string;
  description(name: string): string;
  after: string;
}

/** For the strongest sign; the last one where no single sign stands out. */
const REMEDIES: Readonly<Record<SignName | 'pattern', Remedy>> = {
  corrected_change: {
    type: 'tool_change',
    title: 'Check a change before it is made',
    description: (name) =>
      `Let ${name} check its arguments against what was looked up, and answer a wrong call with what is allowed, so that the agent does not guess a second time.`,
    after: 'validate: ids, prices and payment methods come from an earlier result; otherwise return the allowed values',
  },
  failed_change: {
    type: 'tool_change',
    title: 'Say what would have worked',
    description: (name) =>
      `Let ${name} answer a refused change with the reason and the values it would accept, and have the agent tell the user before it goes on.`,
    after: 'on refusal: return the reason and the accepted values; the agent reports it before any other change',
  },
  many_changes: {
    type: 'workflow_change',
    title: 'Agree on all changes before the first',
    description: (name) =>
      `Before ${name} is first called, list every change with its cost and have the user confirm the whole list; compare the list with what was done at the end.`,
    after: 'before the first change: confirm the full list; before the end: every item done once, nothing else changed',
  },
  many_user_turns: {
    type: 'workflow_change',
    title: 'Ask for everything at once',
    description: (name) =>
      `Have the agent collect all it needs in one question before ${name}, and sum up the request as it understood it, so that the user corrects it once.`,
    after: 'after the first request: ask for all missing details together and repeat the request back',
  },
  handed_over_late: {
    type: 'workflow_change',
    title: 'Decide on handing over before changing anything',
    description: (name) =>
      `Check whether the request is within the rules before ${name} changes anything; a run that is handed over half done leaves work for a person.`,
    after: 'before the first change: is every part of the request allowed? otherwise hand over now',
  },
  untested_edits: {
    type: 'workflow_change',
    title: 'Run the test suite before the end',
    description: (name) =>
      `Do not let ${name} end a run with edited files until the existing tests ran after the last edit.`,
    after: 'on stop: run the test suite; send the agent back with the failures',
  },
  unprinted_number: {
    type: 'workflow_change',
    title: 'Compute the answer that is given',
    description: (name) =>
      `Let ${name} print the final number with a tool, and compare it with the answer before it is given.`,
    after: 'before the answer: the number stands in the output of an executed call',
  },
  last_call_failed: {
    type: 'workflow_change',
    title: 'Do not end on a failed call',
    description: (name) =>
      `Send the agent back when ${name} failed last: it tries another way or says what is missing.`,
    after: 'on stop: if the last call failed, continue with its error',
  },
  pattern: {
    type: 'workflow_change',
    title: 'Check the result against the request',
    description: (name) =>
      `Before the run ends, have a separate check list what was asked for and find for each part the call that did it, beginning with ${name}.`,
    after: 'on stop: each part of the request has a call or a sentence that settles it; otherwise continue',
  },
};

export function likelyFailedFix(trace: Trace, ranked: Attribution, sign: FailureSign | null): Fix {
  const { type, title, description, after } = REMEDIES[sign?.name ?? 'pattern'];
  const step = trace.steps[sign?.steps[0] ?? ranked.step]!;
  const name = step.tool?.name ?? step.agent ?? step.name;
  const why = sign === null ? 'runs that went like this one mostly missed their goal' : sign.words;
  return {
    ...checkFix(type, { title, target: name, description: description(name), after, why: `In this run ${why}.` }),
    confidence: 0.4,
  };
}
