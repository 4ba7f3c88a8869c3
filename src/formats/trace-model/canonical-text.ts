import { canonicalJson, type Json } from '../../core/json.ts';

/** Canonical JSON text. Values nested deeper than the stack allows all have the same text and therefore count as equal. */
export function canonicalText(value: Json): string {
  try {
    return canonicalJson(value);
  } catch {
    return '"nested too deep"';
  }
}
