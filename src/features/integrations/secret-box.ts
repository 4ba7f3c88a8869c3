import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { AppError } from '../../core/app-error.ts';
import type { Random } from '../../core/id.ts';

/** Keeps credentials of other platforms unreadable in the database. */
export interface SecretBox {
  /** @param owner what the text belongs to: under another name it does not open */
  seal(text: string, owner: string): string;
  /** @throws AppError `conflict` where another key sealed it */
  open(sealed: string, owner: string): string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/**
 * AES-256-GCM under a key that HKDF-SHA256 (RFC 5869) makes of the secret.
 * @param readOrCreate asked at the first use only
 * @param readExisting asked where only an existing secret helps, which is when something is opened; null: there is none
 */
export function createSecretBox(
  readOrCreate: () => string,
  random: Random,
  readExisting: () => string | null = readOrCreate,
): SecretBox {
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
