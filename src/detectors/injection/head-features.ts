import type { Family, FamilyHit } from './families.ts';
import type { Segment } from './segments.ts';
import { ACTION } from './vocabulary.ts';

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
export const HEAD_FEATURES: readonly string[] = [
  ...FAMILIES,
  'question',
  'exclamation',
  'address',
  'capitals',
  'deed',
  'deed_for_me',
  'about_answer',
  'for_me',
  'to_you',
];

/** Weight of the most certain rule of each family within the piece, and some marks. */
export function denseFeatures(piece: string, place: Segment, hits: readonly FamilyHit[]): Float64Array {
  const values = new Float64Array(HEAD_FEATURES.length);
  for (const { family, weight, start, end } of hits) {
    if (end <= place.start || start >= place.end) continue;
    const at = FAMILIES.indexOf(family);
    values[at] = Math.max(values[at]!, weight);
  }
  const rest = FAMILIES.length;
  values[rest] = endsInQuestion(piece) ? 1 : 0;
  values[rest + 1] = piece.includes('!') || piece.includes('！') ? 1 : 0;
  values[rest + 2] = /(?<=\w)@\w|https?:\/\/|www\./i.test(piece) ? 1 : 0;
  values[rest + 3] = Math.min(1, (piece.match(/\b[A-Z]{3,}\b/g) ?? []).length / 4);
  const isActionRequest = requestsAction(piece);
  values[rest + 4] = isActionRequest ? 1 : 0;
  values[rest + 5] = isActionRequest && /\b(?:my|me|our)\b/i.test(piece) ? 1 : 0;
  values[rest + 6] = ABOUT_ANSWER.test(piece) ? 1 : 0;
  values[rest + 7] = /\b(?:my|me)\b/i.test(piece) ? 1 : 0;
  values[rest + 8] = /\byour?\b/i.test(piece) ? 1 : 0;
  return values;
}

/** Output of a model: only its user writes "your response" to it. */
const ABOUT_ANSWER =
  /\b(?:your|the) (?:response|answer|reply|output|code|solution|implementation|algorithm|program)\b/i;
const LEADING_WORDS: ReadonlySet<string> = new Set(
  'please kindly can could would will you i we need want like to just now then first also must should and if is'.split(
    ' ',
  ),
);
const WORDS_READ = 8;

/** Whether an action verb is at the beginning, after polite words only. */
function requestsAction(piece: string): boolean {
  const words =
    piece
      .slice(0, 80)
      .toLowerCase()
      .match(/[a-z]+/g) ?? [];
  const first = words.slice(0, WORDS_READ).find((word) => !LEADING_WORDS.has(word));
  return first !== undefined && ACTION.has(first);
}

/** Whether a question mark follows the last word. Searched from the end, so that a row of marks costs no time. */
function endsInQuestion(piece: string): boolean {
  let end = piece.length;
  while (end > 0 && !/\w/.test(piece.charAt(end - 1))) end -= 1;
  return /[?？؟]/.test(piece.slice(end));
}
