import { zstdDecompressSync } from 'node:zlib';

/** What a reader of the database puts in the place of a packed event that it cannot unpack. */
export const DAMAGED_EVENT = 'damaged';

/** OpenClaw packs events of at most so many bytes. */
const MAX_EVENT_BYTES = 4_194_304;

/** The JSON of an event that a row holds packed with Zstandard (`event_zstd`); null if the bytes are no such event. */
export function unpackEvent(packed: Uint8Array): string | null {
  try {
    return zstdDecompressSync(packed, { maxOutputLength: MAX_EVENT_BYTES }).toString();
  } catch {
    return null;
  }
}

/** The same of bytes written in hex, as `hex(event_zstd)` gives them in SQL. */
export function unpackHexEvent(text: string): string | null {
  return /^(?:[0-9a-f]{2}){4,}$/i.test(text) ? unpackEvent(Buffer.from(text, 'hex')) : null;
}
