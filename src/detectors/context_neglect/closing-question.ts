const SENTENCE_END = /(?<=[.!?。！？؟])\s{1,4}|(?<=[。！？])|\n/u;

/** The last sentence of a text if it is a question. */
export function closingQuestion(text: string): string | null {
  const sentence = lastSentence(text);
  return isQuestion(sentence) ? sentence : null;
}

function lastSentence(text: string): string {
  const sentences = text.trim().split(SENTENCE_END);
  return sentences.findLast((each) => each.trim() !== '')?.trim() ?? '';
}

/** Whether a text contains a sentence that ends with a question mark. */
export function hasQuestion(text: string): boolean {
  return text.split(SENTENCE_END).some(isQuestion);
}

function isQuestion(sentence: string): boolean {
  return /[?？؟]$/u.test(sentence.trim());
}

/** Words for another item, by language. */
const MORE: readonly RegExp[] = [
  /\b(?:else|more|another|other|others|next|further|additional|again|continue|also|that all|everything)\b/i,
  /(?<!\p{L})(?:noch|sonst|mehr|weiter\p{L}{0,3}|ander\p{L}{1,3}|nächst\p{L}{1,2}|alles|außerdem)(?!\p{L})/iu,
  /(?<!\p{L})(?:autres?|encore|plus|prochaine?|suivante?|tout|aussi|también|más|otr[oa]s?|siguiente|próxim[oa]|demás|todo)(?!\p{L})/iu,
  /(?<!\p{L})(?:altr[oaie]|ancora|prossim[oa]|successiv[oa]|tutto|anche|mais|outr[oa]s?|seguinte|tudo|também)(?!\p{L})/iu,
  /(?<!\p{L})(?:nog|anders|volgende|meer|alles|mer|annat|andre|næste|neste|nästa|muuta|lisää|jeszcze|inneg?o?|następn\p{L}{1,3}|kolejn\p{L}{1,3}|więcej|wszystko|ještě|další\p{L}{0,2})(?!\p{L})/iu,
  /(?<!\p{L})(?:ещ[её]|друг\p{L}{1,3}|следующ\p{L}{1,3}|больше|вс[её]|ще|başka|daha|sonraki|sıradaki|hepsi|آخر|أخرى|المزيد|التالي|עוד|אחר|הבא)(?!\p{L})/iu,
  /他に|ほかに|次の|もっと|さらに|以上で|其他|其它|别的|別的|还有|還有|还要|還要|还需要|下一|更多|另外|다른|다음|추가|더 /u,
];

/** Whether a question asks for another item: an order, a list or an exercise goes on with it after each message. */
export function asksForMore(question: string): boolean {
  return MORE.some((form) => form.test(question));
}

/** A sentence that asks the user for something, by language. */
const REQUESTS: readonly RegExp[] = [
  /^(?:\S{1,20}, )?please (?:give|provide|tell|send|enter|share|state|confirm|specify|name) /i,
  /^(?:\S{1,20}, )?bitte (?:geben|nennen|teilen|senden|schicken|bestätigen)(?!\p{L})|^(?:geben|nennen|teilen|senden|schicken|bestätigen) sie (?:\S{1,20} )?bitte/iu,
  /^(?:\S{1,20}, )?por favor,? (?:dame|deme|indica|indique|envía|envíe|proporcion|confirm|inform)/iu,
  /^(?:\S{1,20}, )?(?:veuillez|merci de) (?:me )?(?:donner|indiquer|envoyer|fournir|confirmer|préciser)/iu,
];

/** The last sentence of a text if it asks the user something, as a question or as a request. */
export function closingRequest(text: string): string | null {
  const sentence = lastSentence(text);
  return isQuestion(sentence) || REQUESTS.some((form) => form.test(sentence)) ? sentence : null;
}
