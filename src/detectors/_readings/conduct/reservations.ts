import { admitsFailure } from './claims.ts';

/** Negations and words for a failure or a lack, by language. */
const NEGATIONS: readonly RegExp[] = [
  /\b(?:not|no|never|none|nothing|neither|nor|without|cannot|unable|unavailable|unreachable|unknown|offline|fail(?:s|ed|ure|ures|ing)?|errors?|\w{2,7}n['’]t)\b/i,
  /(?<!\p{L})(?:nicht|keine?[rsnm]?|ohne|niemals|leider|fehl\p{L}{0,12})(?!\p{L})/iu,
  /(?<!\p{L})(?:pas|aucune?|sans|jamais|rien|impossible|erreurs?|échou\p{L}{0,4})(?!\p{L})/iu,
  /(?<!\p{L})(?:sin|ningun[oa]?|ningún|nunca|tampoco|falló|não|sem|nenhuma?|falhou|non|senza|nessun[oa]?)(?!\p{L})/iu,
  /(?<!\p{L})(?:niet|geen|zonder|nooit|inte|ikke|ingen|inga|ingenting|utan|uden|uten)(?!\p{L})/iu,
  /(?<!\p{L})(?:nie|bez|brak|niestety|nelze|není|nebyl\p{L}{0,2}|bohužel|değil|yok|maalesef|başarısız)(?!\p{L})/iu,
  /(?<!\p{L})(?:nem|nincs|sajnos|fără|eroare|eivät|valitettavasti|tidak|gagal|tanpa|không|chưa)(?!\p{L})/iu,
  /(?<!\p{L})(?:не|нет|ни|без|нельзя|немає|δεν|δε|χωρίς|לא|אין|لا|لم|لن|ليس|غير|فشل)(?!\p{L})/iu,
  /不|没|未|无|無|ない|ません|なかった|なし|できず|않|못|없|실패|नहीं|विफल|ไม่/u,
];

/**
 * Whether a text contains a negation or admits a trouble, in about thirty languages. A text without either states that what
 * it says is so.
 */
export function hasReservation(text: string): boolean {
  return NEGATIONS.some((form) => form.test(text)) || admitsFailure(text);
}
