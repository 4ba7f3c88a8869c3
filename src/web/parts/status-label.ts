import type { Trace } from '../../client/misstep-client.generated.ts';

/** The status of a run in words. */
export const STATUS_LABELS: Readonly<Record<Trace['status'], string>> = {
  running: 'running',
  ok: 'ended',
  error: 'failed',
};

/** What the status says, and what it does not say. */
export const STATUS_EXPLANATIONS: Readonly<Record<Trace['status'], string>> = {
  running: 'The end of the run has not been recorded yet.',
  ok: 'The run ended without a recorded error. It can still have failed at its task: see its detections.',
  error: 'The run ended with a recorded error.',
};
