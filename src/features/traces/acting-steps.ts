import type { Step, Trace } from '../../core/trace.ts';

/** Steps of the framework itself (`__start__`) decide nothing. */
const INTERNAL_NODE = /^__\w+__$/;

/**
 * Whether a step can be responsible: not texts of the user or of a system prompt, and, in runs with models or tools, no step
 * that only holds others or sets something up.
 */
export function actorsOf({ steps }: Trace): (step: number) => boolean {
  const hasActs = steps.some(({ kind, name }) => isAct(kind) && !INTERNAL_NODE.test(name));
  return (index) => {
    const step = steps[index];
    if (step === undefined || INTERNAL_NODE.test(step.name)) return false;
    const role = step.outputMessages[0]?.role;
    if (step.kind === 'message') return role !== 'user' && role !== 'system';
    return isAct(step.kind) || step.status === 'error' || !hasActs;
  };
}

function isAct(kind: Step['kind']): boolean {
  return kind === 'llm' || kind === 'tool' || kind === 'retrieval' || kind === 'guardrail';
}
