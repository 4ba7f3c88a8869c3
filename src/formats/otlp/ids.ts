/**
 * An id from text: hex in lower case, other text unchanged. Undefined if it is empty, all zeros (OTLP's "no id"), longer
 * than `limit`, or not storable.
 */
export function readTextId(raw: unknown, limit: number): string | undefined {
  if (typeof raw !== 'string' || isAbsentId(raw) || raw.length > limit) return undefined;
  if (!/[^0-9a-f]/.test(raw)) return raw;
  if (!/[^0-9a-fA-F]/.test(raw)) return raw.toLowerCase();
  return raw.includes('\0') || !raw.isWellFormed() ? undefined : raw;
}

/** Whether a sender set no id: no value, no text, or OTLP's all zeros. */
export function isAbsentId(raw: unknown): boolean {
  if (raw === undefined || raw === null) return true;
  return typeof raw === 'string' && !/[^0\s]/.test(raw);
}
