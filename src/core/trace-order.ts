/**
 * Orders of a list of traces. `started_at`: newest first. `failure_rank`: highest rank first, traces without a rank last,
 * the newest first among equals.
 */
export const TRACE_ORDERS = ['started_at', 'failure_rank'] as const;
export type TraceOrder = (typeof TRACE_ORDERS)[number];
