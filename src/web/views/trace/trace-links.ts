import { addressOf, navigate } from '../../address/router.ts';
import { type TraceAddress, traceQuery } from './trace-address.ts';

/** The address of a place on a trace page. */
export function traceLink(traceId: string, address: TraceAddress): string {
  return addressOf('trace', { id: traceId }, traceQuery(address));
}

export interface GoOptions {
  /** Adds no history entry: for keys that move from row to row, and for text input. */
  replace?: boolean;
}

/** Goes to another place on the same page: parts that are not named stay as they are. */
export function goOnTrace(
  traceId: string,
  address: TraceAddress,
  change: Partial<TraceAddress>,
  options: GoOptions = {},
): void {
  navigate(traceLink(traceId, { ...address, ...change }), options);
}
