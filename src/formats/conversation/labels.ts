import type { Json } from '../../core/json.ts';

const LONGEST = 128;

/** A short text that names something; null if absent. */
export function labelOf(value: Json | undefined, longest = LONGEST): string | null {
  return typeof value === 'string' && value !== '' && value.length <= longest ? value : null;
}
