import { admitsFailure, claimsSuccess } from './claims.ts';

const READ_CHARACTERS = 1_500;
const READ_SENTENCES = 3;
/** Words that also occur in a message about work that succeeded. */
const WEAK = /\b(?:however|instead|issues?|problems?|errors?)\b/giu;
/** Offers, conditions and questions say nothing about the outcome. */
const OFFER = /\?|\b(?:if|let me know|please|feel free|hope)\b/i;

/** The sentence near the end of a message that admits a failure; null if no sentence does. */
export function closingAdmission(text: string): string | null {
  return (
    closingSentences(text).findLast(
      (sentence) => !OFFER.test(sentence) && admitsFailure(sentence.replace(WEAK, ' ')),
    ) ?? null
  );
}

/** The sentence near the end of a message that admits a failure, else the one that claims success; null without either. */
export function outcomeSentence(text: string): string | null {
  return closingAdmission(text) ?? closingSentences(text).findLast(claimsSuccess) ?? null;
}

function closingSentences(text: string): string[] {
  const sentences = text
    .trim()
    .slice(-READ_CHARACTERS)
    .split(/(?<=[.!?。！？])\s{1,8}|\n/);
  return sentences
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
    .slice(-READ_SENTENCES);
}
