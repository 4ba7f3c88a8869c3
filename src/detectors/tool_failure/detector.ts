import type { Trace } from '../../core/trace.ts';
import { type DetectorOptions, defineDetector, type Finding } from '../_kit/define.ts';
import { counted, cut } from '../_kit/text.ts';
import { wasteOf } from '../_kit/waste.ts';
import type { FailureClass } from './classify.ts';
import { type FailureGroup, groupFailures } from './failures.ts';
import { fixesFor } from './fixes.ts';
import { type Outcome, outcomeOf } from './outcome.ts';

/** How sure it is that the failure hurt the run; with every class of failure, that alone makes the severity. */
const OUTCOME_SCORE: Record<Outcome, number> = {
  fatal: 0.92,
  gave_up_repeating: 0.72,
  ignored: 0.66,
  pending: 0.45,
  worked_around: 0.45,
  reported: 0.42,
  recovered: 0.28,
};

const OUTCOME_TEXT: Record<Outcome, string> = {
  fatal: 'The run ended with it.',
  gave_up_repeating: 'It never worked in this run, and the agent went on without a word about it.',
  ignored: 'Nothing afterwards shows that the failure was noticed, so what follows rests on a call that did not work.',
  pending: 'The run is still going; whether it recovers is open.',
  worked_around: 'The agent went on with other tools.',
  reported: 'The agent noticed it and said so.',
  recovered: 'A later call of it worked.',
};

const CLASS_TEXT: Record<FailureClass, string> = {
  rate_limit: 'was refused for too many requests',
  auth: 'was refused for its credential or permission',
  not_found: 'was asked for something that does not exist',
  timeout: 'did not answer in time',
  exhaustion: 'ran out of quota, context or memory',
  service: 'could not reach its service or the service failed',
  invalid_arguments: 'rejected its arguments',
  other: 'failed',
};

export const toolFailure = defineDetector({
  type: 'tool_failure',
  title: 'Tool failure',
  failureModes: ['F4'],
  needs: ['steps'],
  subtypes: {
    rate_limit: {
      title: 'Refused for too many requests',
      impact: 'critical',
      businessImpact: 'Work is delayed or dropped whenever traffic is high.',
    },
    auth: {
      title: 'Refused for its credential',
      impact: 'critical',
      businessImpact: 'Every run that needs this access fails until somebody renews it.',
    },
    not_found: {
      title: 'Asked for something that does not exist',
      impact: 'critical',
      businessImpact: 'The answer may rest on data that was never found.',
    },
    timeout: {
      title: 'No answer in time',
      impact: 'critical',
      businessImpact: 'Users wait, and the result of the call is missing from the answer.',
    },
    exhaustion: {
      title: 'Quota, context or memory used up',
      impact: 'critical',
      businessImpact: 'Runs of this size keep failing until the limit or the input changes.',
    },
    service: {
      title: 'Service down or unreachable',
      impact: 'critical',
      businessImpact: 'Everything that depends on the service is failing with it.',
    },
    invalid_arguments: {
      title: 'Called with arguments it does not take',
      impact: 'critical',
      businessImpact: 'The step the user asked for was not carried out.',
    },
    other: {
      title: 'Call failed',
      impact: 'critical',
      businessImpact: 'The step the user asked for was not carried out.',
    },
  },
  detect(trace, options, report) {
    for (const group of groupFailures(trace)) report(findingOf(trace, group, options));
  },
});

function findingOf(trace: Trace, group: FailureGroup, { models }: DetectorOptions): Finding<FailureClass> {
  const [first] = group.failures;
  const outcome = outcomeOf(trace, group);
  const steps = group.failures.map((failure) => failure.step);
  const times = group.failures.length === 1 ? '' : ` ${counted(group.failures.length, 'time')}`;
  const quote = cut(first.text.message.replace(/\s+/g, ' ').trim(), 160);
  const kind = { tool: 'tool', model: 'model', step: 'step' }[first.what];
  return {
    subtype: first.class,
    score: OUTCOME_SCORE[outcome],
    step: first.step,
    steps,
    agent: first.agent,
    explanation: `The ${kind} ${first.name}${first.agent === null || first.agent === first.name ? '' : `, called by ${first.agent},`} ${CLASS_TEXT[first.class]}${times}: ${quote}${/[.!?…]$/.test(quote) ? '' : '.'} ${OUTCOME_TEXT[outcome]}`,
    suggestedAction: ACTION[first.class](first.name),
    evidence: group.failures.slice(0, 4).map((failure) => ({
      kind: 'error',
      spanId: trace.steps[failure.step]!.spanId,
      path: failure.what === 'tool' ? 'tool.result' : 'error',
      quote: failure.text.message,
      value: failure.text.code === '' ? null : failure.text.code,
    })),
    ...wasteOf(trace, outcome === 'recovered' ? steps.slice(1) : steps, models),
    fixes: fixesFor(group, outcome === 'recovered' || outcome === 'reported'),
    key: first.name,
  };
}

const ACTION: Record<FailureClass, (name: string) => string> = {
  rate_limit: (name) => `Slow the calls of ${name} down and retry after the pause it asks for.`,
  auth: (name) => `Check the credential that ${name} uses and what it is allowed to do.`,
  not_found: (name) => `Make the agent look up what ${name} knows before it asks for it.`,
  timeout: (name) => `Find out why ${name} is slow and bound the wait for it.`,
  exhaustion: (name) => `Reduce what is sent to ${name} or raise the limit it ran into.`,
  service: (name) => `Check the service behind ${name} and retry or fall back when it is down.`,
  invalid_arguments: (name) => `Describe the arguments of ${name} so that the model cannot get them wrong.`,
  other: (name) => `Read the error of ${name} and handle it where it is thrown.`,
};
