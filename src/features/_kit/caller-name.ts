import type { Caller } from './caller.ts';

/** The actor as stored in records: the id of the API key, `operator`, the session of a link, or null for a token without a key. */
export function callerName({ keyId, isOperator, sessionId }: Caller): string | null {
  return keyId ?? (isOperator ? 'operator' : (sessionId ?? null));
}
