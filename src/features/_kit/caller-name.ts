import type { Caller } from './caller.ts';

/** Who did it, as records keep it: the id of the API key, `operator`, the session of a link, or null for a token without a key. */
export function callerName({ keyId, isOperator, sessionId }: Caller): string | null {
  return keyId ?? (isOperator ? 'operator' : (sessionId ?? null));
}
