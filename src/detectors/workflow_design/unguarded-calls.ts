import { isPlaceholderError } from '../../core/decoder-error.ts';
import type { Trace, WorkflowNode } from '../../core/trace.ts';
import { hasKnownEnd } from '../_kit/completeness.ts';
import { quotedError } from '../_kit/quoted-error.ts';
import type { Flaw } from './flaw.ts';

const NAMES_SHOWN = 5;

/**
 * Service calls without a retry, an error output, or an error workflow. Reported for a workflow that has not run yet, and
 * for a run that such a call ended.
 */
export function findUnguardedCalls(trace: Trace): Flaw[] {
  if (trace.graph === null || trace.graph.hasErrorHandler !== false) return [];
  const unguarded = trace.graph.nodes.filter(({ callsOut, isGuarded }) => callsOut === true && isGuarded === false);
  if (unguarded.length === 0) return [];
  if (trace.steps.length === 1 && trace.status !== 'error') return [flawOfDefinition(trace, unguarded)];
  return trace.status === 'error' && hasKnownEnd(trace) ? flawOfRun(trace, unguarded) : [];
}

function flawOfDefinition(trace: Trace, unguarded: readonly WorkflowNode[]): Flaw {
  const names = unguarded.map(({ name }) => name);
  const [first] = unguarded as [WorkflowNode];
  const rest = names.length - NAMES_SHOWN;
  const listed = names
    .slice(0, NAMES_SHOWN)
    .map((name) => `\`${name}\``)
    .join(', ');
  return {
    ...remedyFor(first.name),
    // Many sound workflows are built like this: info.
    score: 0.45,
    step: null,
    steps: [0],
    agent: null,
    explanation: `In the workflow of ${trace.steps[0]!.name}, ${listed}${rest > 0 ? ` and ${rest} more` : ''} ${names.length === 1 ? 'calls a service' : 'call services'} without a retry or an error output, and no error workflow is set.`,
    evidence: [{ kind: 'graph', spanId: trace.steps[0]!.spanId, path: null, quote: null, value: { unguarded: names } }],
    key: `unguarded ${[...names].sort().join(' ')}`,
  };
}

function flawOfRun(trace: Trace, unguarded: readonly WorkflowNode[]): Flaw[] {
  const names = new Set(unguarded.map(({ name }) => name));
  const failed = trace.steps.findLast((step) => step.error !== null && names.has(step.node ?? step.name));
  if (failed === undefined) return [];
  const name = failed.node ?? failed.name;
  const { message } = failed.error!;
  return [
    {
      ...remedyFor(name),
      score: 0.6,
      step: failed.index,
      steps: [failed.index],
      agent: failed.agent,
      explanation: `${name} failed at step ${failed.index} and ended the run: it has no retry and no error output, and the workflow has no error workflow. ${isPlaceholderError(message) ? 'No error message was recorded.' : `The error was ${quotedError(message, 120)}.`}`,
      evidence: [
        {
          kind: 'graph',
          spanId: failed.spanId,
          path: null,
          quote: null,
          value: { node: name, hasRetryOrErrorOutput: false, hasErrorWorkflow: false },
        },
      ],
      key: `unguarded ${name}`,
    },
  ];
}

function remedyFor(name: string) {
  return {
    subtype: 'no_error_handling' as const,
    suggestedAction: `Turn on Retry On Fail with a wait and an error output in the settings of the node ${name}, and set an error workflow that sends a message to a person.`,
    target: `settings of ${name}`,
    change:
      '"retryOnFail": true, "maxTries": 3, "waitBetweenTries": 2000, "onError": "continueErrorOutput"; and "errorWorkflow" in the settings of the workflow',
    rationale:
      'Services reject calls or are unavailable at times: a retry handles most cases, and an error workflow reports the rest.',
  };
}
