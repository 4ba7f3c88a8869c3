import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../core/app-error.ts';

/** The headers `X-SVC-Signature`, `X-SVC-Timestamp`, `X-SVC-Nonce`; null if one is missing. */
export interface SignatureHeaders {
  signature: string | null;
  timestamp: string | null;
  nonce: string | null;
}

const TOLERANCE_SECONDS = 300;
const SIGNATURE = /^sha256=([0-9a-fA-F]{64})$/;
const TIMESTAMP = /^\d{1,12}$/;
const NONCE = /^[\x21-\x7e]{16,64}$/;

export function isSigned({ signature, timestamp, nonce }: SignatureHeaders): boolean {
  return signature !== null || timestamp !== null || nonce !== null;
}

/**
 * HMAC-SHA256 over `timestamp.nonce.body`, the raw body bytes. Every secret is tried, in constant
 * time.
 *
 * @param now Unix milliseconds
 * @returns index of the matching secret. The store checks whether the nonce is new.
 * @throws AppError `unauthenticated`
 */
export function verifySignature(
  { signature, timestamp, nonce }: SignatureHeaders,
  body: Uint8Array,
  secrets: readonly string[],
  now: number,
): { secretAt: number; nonce: string } {
  if (signature === null) rejectDelivery('The header X-SVC-Signature is missing.');
  if (timestamp === null) rejectDelivery('The header X-SVC-Timestamp is missing.');
  if (nonce === null) rejectDelivery('The header X-SVC-Nonce is missing.');
  const given = SIGNATURE.exec(signature)?.[1];
  if (given === undefined) rejectDelivery('X-SVC-Signature must be sha256= and 64 hexadecimal digits.');
  if (!TIMESTAMP.test(timestamp)) rejectDelivery('X-SVC-Timestamp must be Unix seconds.');
  if (Math.abs(Number(timestamp) - now / 1000) > TOLERANCE_SECONDS)
    rejectDelivery(`X-SVC-Timestamp is more than ${TOLERANCE_SECONDS} seconds from the time here.`);
  if (!NONCE.test(nonce)) rejectDelivery('X-SVC-Nonce must be 16 to 64 printable characters.');
  const bytes = Buffer.from(given, 'hex');
  let secretAt = -1;
  for (const [at, secret] of secrets.entries()) {
    const isFitting = timingSafeEqual(bytes, signatureOf(secret, timestamp, nonce, body));
    if (isFitting && secretAt === -1) secretAt = at;
  }
  if (secretAt === -1) rejectDelivery('X-SVC-Signature does not match the body with any active secret.');
  return { secretAt, nonce };
}

export function signatureOf(secret: string, timestamp: string, nonce: string, body: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.${nonce}.`).update(body).digest();
}

function rejectDelivery(message: string): never {
  throw new AppError('unauthenticated', message);
}
