import type { Trace } from '../../core/trace.ts';
import { memoizeByRef } from './memoize.ts';

/** Indexes of the steps by span id. Computed once per trace. */
export const stepsBySpan = memoizeByRef(
  (trace: Trace): ReadonlyMap<string, number> => new Map(trace.steps.map(({ spanId, index }) => [spanId, index])),
);
