import { zstdDecompressSync } from 'node:zlib';

/** Placeholder of the database reader for a packed event that cannot be decompressed. */
export const DAMAGED_EVENT = 'damaged';

/** OpenClaw's size limit for packed events. */
const MAX_EVENT_BYTES = 4_194_304;

/** The JSON of an event that a row stores compressed with Zstandard (`event_zstd`); null if the bytes are not such an event. */
export function unpackEvent(packed: Uint8Array): string | null {
  try {
    return zstdDecompressSync(packed, { maxOutputLength: MAX_EVENT_BYTES }).toString();
  } catch {
    return null;
  }
}

/** The same for hex-encoded bytes, as returned by `hex(event_zstd)` in SQL. */
export function unpackHexEvent(text: string): string | null {
  return /^(?:[0-9a-f]{2}){4,}$/i.test(text) ? unpackEvent(Buffer.from(text, 'hex')) : null;
}
