import { hash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Random } from '../../core/id.ts';

/** The parts of an API key. `keyId` is `key_…`, `secret` 43 base-62 digits of 256 random bits. */
export interface ApiKeyParts {
  keyId: string;
  secret: string;
}

export const API_KEY_PREFIX = 'mst_';

const PATTERN = /^mst_([0-9a-z]{26})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_DIGITS = 43;
const CHECKSUM_DIGITS = 6;

/** `mst_<key id>_<secret><checksum>`; the checksum lets scanners and the server recognize a key without the database. */
export function formatApiKey({ keyId, secret }: ApiKeyParts): string {
  const stem = `${API_KEY_PREFIX}${keyId.slice('key_'.length)}_${secret}`;
  return stem + checksumOf(stem);
}

/** Null for anything but an API key: wrong shape or wrong checksum. */
export function parseApiKey(text: string): ApiKeyParts | null {
  const match = PATTERN.exec(text);
  if (!match) return null;
  const [, id, secret, checksum] = match as unknown as [string, string, string, string];
  if (checksumOf(text.slice(0, -CHECKSUM_DIGITS)) !== checksum) return null;
  return { keyId: `key_${id}`, secret };
}

export function newSecret(random: Random): string {
  return toBase62(BigInt(`0x${Buffer.from(random(32)).toString('hex')}`), SECRET_DIGITS);
}

/** SHA-256, hex: sufficient for 256 random bits; a slow hash would add nothing. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** In constant time. */
export function isSecret(secret: string, secretHash: string): boolean {
  const expected = Buffer.from(secretHash, 'hex');
  const actual = hash('sha256', secret, 'buffer');
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

function checksumOf(stem: string): string {
  return toBase62(BigInt(crc32(stem)), CHECKSUM_DIGITS);
}

function toBase62(value: bigint, digits: number): string {
  let rest = value;
  let text = '';
  for (let digit = 0; digit < digits; digit += 1) {
    text = DIGITS[Number(rest % 62n)] + text;
    rest /= 62n;
  }
  return text;
}
