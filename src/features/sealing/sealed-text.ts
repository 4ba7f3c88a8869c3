import { AppError } from '../../core/app-error.ts';
import type { Cipher } from '../integrations/cipher.ts';

/** Distinguishes encrypted text from the plain text that versions before 0019 stored. */
const PREFIX = 'sealed:1:';

export function isSealed(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** Encrypted text is unchanged. @param owner row and field that the secret belongs to */
export function sealText(cipher: Cipher, text: string, owner: string): string {
  return isSealed(text) ? text : PREFIX + cipher.seal(text, owner);
}

/** The secret, also if it is stored as plain text; null if it was encrypted with another key. */
export function openText(cipher: Cipher, stored: string, owner: string): string | null {
  if (!isSealed(stored)) return stored;
  try {
    return cipher.open(stored.slice(PREFIX.length), owner);
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return null;
    throw error;
  }
}
