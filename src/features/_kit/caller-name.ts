import type { Caller } from './operation.ts';

/** Who did it, as records keep it: the id of the API key, `operator`, or null where a token names no key. */
export function callerName({ keyId, isOperator }: Caller): string | null {
  return keyId ?? (isOperator ? 'operator' : null);
}
