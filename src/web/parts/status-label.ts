import type { Trace } from '../../client/misstep-client.generated.ts';

/** The status of a run in words. `completed`: it ended without a recorded error, which does not mean without a failure. */
export const STATUS_LABELS: Readonly<Record<Trace['status'], string>> = {
  running: 'running',
  ok: 'completed',
  error: 'failed',
};
