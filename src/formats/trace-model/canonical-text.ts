import { canonicalJson, type Json } from '../../core/json.ts';

/** Canonical JSON text; values nested deeper than the stack holds all have the same text, and so count as equal. */
export function canonicalText(value: Json): string {
  try {
    return canonicalJson(value);
  } catch {
    return '"nested too deep"';
  }
}
