import type { Caller } from './caller.ts';

/**
 * The actor as stored in records: the id of the API key, `operator`, or null for a token without a key. A session acts for the
 * credential that opened it; without a key, this is a sign-in link that the operator made.
 */
export function callerName({ keyId, isOperator, sessionId }: Caller): string | null {
  return keyId ?? (isOperator || sessionId !== undefined ? 'operator' : null);
}
