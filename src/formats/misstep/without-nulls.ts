import type { Json } from '../../core/json.ts';
import type { Attributes } from '../../core/span.ts';

/** The attributes without those that are null. */
export function withoutNulls(attributes: Readonly<Record<string, Json>>): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null));
}
