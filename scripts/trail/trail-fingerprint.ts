import type { Trace } from '../../src/core/trace.ts';

/** The head was not fitted on longer runs, and its features compare turns with each other. */
const MAX_TURNS = 200;

/**
 * Whether the run has the structure of smolagents under OpenInference, on which the learned head was fitted: agents named
 * `….run`, steps named `Step n` inside, model calls named `….__call__`. The head does not apply to other frameworks.
 */
export function isSmolagentsRun({ steps }: Trace): boolean {
  const hasAgent = steps.some(({ kind, name }) => kind === 'agent' && /Agent\.run$/.test(name));
  const hasSteps = steps.some(({ kind, name }) => kind === 'chain' && /^Step \d{1,4}$/.test(name));
  const calls = steps.filter(({ kind }) => kind === 'llm');
  return (
    hasAgent &&
    hasSteps &&
    calls.length <= MAX_TURNS &&
    calls.every(({ name }) => /\.(?:__call__|generate)$/.test(name))
  );
}
