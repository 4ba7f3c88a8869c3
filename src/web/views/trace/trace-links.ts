import { addressOf, navigate } from '../../address/router.ts';
import { type TraceAddress, traceQuery } from './trace-address.ts';

/** The address of a trace page with the given state. */
export function traceLink(traceId: string, address: TraceAddress): string {
  return addressOf('trace', { id: traceId }, traceQuery(address));
}

export interface GoOptions {
  /** Adds no history entry: for keys that move from row to row, and for text input. */
  replace?: boolean;
}

/** Changes parts of the address of the trace page. */
export function changeTraceAddress(
  traceId: string,
  address: TraceAddress,
  change: Partial<TraceAddress>,
  options: GoOptions = {},
): void {
  navigate(traceLink(traceId, { ...address, ...change }), options);
}
