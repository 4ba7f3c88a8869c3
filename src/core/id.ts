import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';

/** Source of random bytes, passed as an argument. */
export type Random = (size: number) => Uint8Array;

export const systemRandom: Random = (size) => randomBytes(size);

/** Crockford's base 32 in lower case: no `i`, `l`, `o`, `u`. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const ID_DIGITS = 26;

/**
 * A TypeID (github.com/jetify-com/typeid, spec 0.3): `<prefix>_` and a UUIDv7 in 26 base-32 digits. Ids of one prefix
 * sort by their millisecond of creation.
 */
export function newId(prefix: string, clock: Clock, random: Random = systemRandom): string {
  return `${prefix}_${toBase32(uuidV7(clock.now(), random(10)))}`;
}

/** RFC 9562: 48 bits of Unix milliseconds, version 7, variant 10, the rest random. */
function uuidV7(ms: number, random: Uint8Array): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(ms, 0, 6);
  bytes.set(random.subarray(0, 10), 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes;
}

function toBase32(bytes: Buffer): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (let digit = 0; digit < ID_DIGITS; digit += 1) {
    text = DIGITS[Number(rest & 31n)] + text;
    rest >>= 5n;
  }
  return text;
}
