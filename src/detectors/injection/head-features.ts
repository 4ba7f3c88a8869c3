import type { Family, FamilyHit } from './families.ts';
import type { Segment } from './segments.ts';

const FAMILIES: readonly Family[] = [
  'override',
  'new_orders',
  'addressed_to_model',
  'fake_role',
  'reveal_prompt',
  'concealment',
  'hijack',
  'exfiltration',
  'jailbreak',
  'hidden_text',
  'encoded_text',
];

/** Names of the dense features of a piece, in order. */
export const HEAD_FEATURES: readonly string[] = [...FAMILIES, 'question', 'exclamation', 'address', 'capitals'];

/** Weight of the surest rule of each family within the piece, and a few marks. */
export function denseFeatures(piece: string, place: Segment, hits: readonly FamilyHit[]): Float64Array {
  const values = new Float64Array(HEAD_FEATURES.length);
  for (const { family, weight, start, end } of hits) {
    if (end <= place.start || start >= place.end) continue;
    const at = FAMILIES.indexOf(family);
    values[at] = Math.max(values[at]!, weight);
  }
  const rest = FAMILIES.length;
  values[rest] = /[?？؟]\W*$/.test(piece) ? 1 : 0;
  values[rest + 1] = piece.includes('!') || piece.includes('！') ? 1 : 0;
  values[rest + 2] = /\w@\w|https?:\/\/|www\./i.test(piece) ? 1 : 0;
  values[rest + 3] = Math.min(1, (piece.match(/\b[A-Z]{3,}\b/g) ?? []).length / 4);
  return values;
}
