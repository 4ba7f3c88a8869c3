import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { AppError } from '../../core/app-error.ts';
import type { Random } from '../../core/id.ts';

/** Encrypts credentials of other platforms in the database. */
export interface Cipher {
  /** @param owner binds the text to its owner: it cannot be decrypted under another name */
  seal(text: string, owner: string): string;
  /** @throws AppError `conflict` if it was encrypted with another key */
  open(sealed: string, owner: string): string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/**
 * AES-256-GCM with a key that HKDF-SHA256 (RFC 5869) derives from the secret.
 * @param readOrCreate called at first use only
 * @param readExisting called if only an existing secret helps, which is for decryption; null: there is none
 */
export function createCipher(
  readOrCreate: () => string,
  random: Random,
  readExisting: () => string | null = readOrCreate,
): Cipher {
  let key: Buffer | null = null;
  const keyOf = (secret: () => string) => {
    key ??= Buffer.from(hkdfSync('sha256', secret(), '', 'misstep integration credentials', KEY_BYTES));
    return key;
  };
  const existing = () => {
    const secret = readExisting();
    if (secret === null) throw new AppError('conflict', LOST_KEY);
    return secret;
  };
  return {
    seal(text, owner) {
      const nonce = Buffer.from(random(NONCE_BYTES));
      const cipher = createCipheriv(CIPHER, keyOf(readOrCreate), nonce).setAAD(Buffer.from(owner));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
    },
    open(sealed, owner) {
      const bytes = Buffer.from(sealed, 'base64');
      try {
        const decipher = createDecipheriv(CIPHER, keyOf(existing), bytes.subarray(0, NONCE_BYTES), {
          authTagLength: TAG_BYTES,
        });
        decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
      } catch (error) {
        if (error instanceof AppError) throw error;
        throw new AppError('conflict', LOST_KEY, { cause: error });
      }
    },
  };
}

const LOST_KEY =
  'The stored credentials were sealed with another key (MISSTEP_SECRET_KEY, or the file secret-key in the data folder). Enter them again.';
