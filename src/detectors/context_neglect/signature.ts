/** A line that closes a letter. The lines below it name the writer. */
const CLOSING =
  /^\s{0,8}(?:--|(?:(?:best|kind|warm|many|with (?:best|kind))\s)?(?:regards|wishes)|sincerely(?: yours)?|yours (?:sincerely|faithfully|truly)|cheers|thanks(?: a lot| in advance)?|thank you(?: in advance)?|many thanks|(?:mit )?(?:freundliche[nr]?|beste[nr]?|herzliche[nr]?|viele[nr]?|liebe[nr]?) gr(?:ü|ue)(?:ß|ss)en?|mfg|danke|cordialement|bien à vous|merci(?: d['’]avance)?|saludos(?: cordiales)?|atentamente|gracias|cordiali saluti|grazie|atenciosamente|obrigad[oa]|met vriendelijke groet(?:en)?|pozdrawiam|с уважением)[,.!]?\s{0,8}$/iu;
/** A signature is short; more lines below are text. */
const MAX_LINES = 8;

/** Sentences in which the writer says who writes, with a name and more than one detail after it. */
const INTRODUCTION =
  /(?:^|(?<=[.!?\n]))[^.!?\n]{0,30}(?<!\p{L})(?:I am|I['’]m|my name is|this is|here is|ich bin|ich heiße|mein name ist|je suis|je m['’]appelle|soy|me llamo|sono|mi chiamo)\s\p{Lu}\p{L}{1,30}(?:\s\p{Lu}\p{L}{1,30}){0,2}(?:,[^,.!?\n]{1,40}(?:\.[^\s,.!?][^\s,!?]{0,60}){0,4}){2,5}(?=[.!?\n])/gu;

/**
 * A message without the signature below it and without a first sentence that lists who writes: name, address and number of
 * the writer, not values to work with. A message that is nothing else stays as it is.
 */
export function withoutSignature(text: string): string {
  const lines = text.split('\n');
  const at = lines.findLastIndex((line) => CLOSING.test(line));
  const isSigned = at > 0 && lines.slice(at + 1).filter((line) => line.trim() !== '').length <= MAX_LINES;
  const body = isSigned ? lines.slice(0, at).join('\n') : text;
  const rest = body.replace(INTRODUCTION, ' ');
  return rest.trim() === '' ? text : rest;
}
