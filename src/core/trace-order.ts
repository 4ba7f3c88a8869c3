/**
 * Orders of a list of traces. `started_at`: newest first. `failure_rank`, `cost`, `duration`, `tokens`: the highest first,
 * traces without that figure last, the newest first among equals.
 */
export const TRACE_ORDERS = ['started_at', 'failure_rank', 'cost', 'duration', 'tokens'] as const;
export type TraceOrder = (typeof TRACE_ORDERS)[number];
