import type { Step, Trace } from '../../core/trace.ts';

/** Tool calls that ran and failed, by the flag of their program first. A refused call did not run. */
export function failedCalls({ steps }: Trace): Step[] {
  return steps.filter((step) => step.kind === 'tool' && step.refusal === undefined && hasFailed(step));
}

/** Tool calls that a user or a policy did not allow. What the harness cancelled is nobody's decision. */
export function refusedCalls({ steps }: Trace): Step[] {
  return steps.filter(({ refusal }) => refusal !== undefined && refusal.by !== 'harness');
}

function hasFailed({ toolOutcome, status }: Step): boolean {
  if (toolOutcome === undefined) return status === 'error';
  return toolOutcome.isError ?? (toolOutcome.exitCode !== null && toolOutcome.exitCode !== 0);
}
