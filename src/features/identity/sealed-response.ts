import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { Random } from '../../core/id.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a response that holds a secret with the request's credential, of which the database has only a hash:
 * AES-256-GCM with a key from HKDF-SHA256 (RFC 5869).
 */
export function sealResponse(text: string, credential: string, random: Random): string {
  const nonce = Buffer.from(random(NONCE_BYTES));
  const cipher = createCipheriv(CIPHER, keyOf(credential), nonce);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
}

/** Null if another credential encrypted it. */
export function openResponse(sealed: string, credential: string): string | null {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv(CIPHER, keyOf(credential), bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}

function keyOf(credential: string): Buffer {
  return Buffer.from(hkdfSync('sha256', credential, '', 'misstep idempotent answer', 32));
}
