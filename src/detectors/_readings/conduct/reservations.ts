import { admitsFailure } from './claims.ts';

/** Negations and words for a failure or a lack, of languages that separate words. */
const NEGATIONS = [
  /(?<![\p{L}\p{M}])(?:not|no|never|none|nothing|neither|nor|without|cannot|unable|unavailable|unreachable|unknown|offline|fail(?:s|ed|ure|ures|ing)?|errors?|\p{L}{2,7}n[’']t)(?![\p{L}\p{M}])/iu,
  /(?<![\p{L}\p{M}])(?:nicht|kein\p{L}{0,2}|ohne|nie|niemals|leider|fehl\p{L}{0,12})(?![\p{L}\p{M}])/iu,
  /(?<![\p{L}\p{M}])(?:pas|aucune?|sans|jamais|rien|impossible|erreurs?|échou\p{L}{0,4})(?![\p{L}\p{M}])/iu,
  /(?<![\p{L}\p{M}])(?:sin|ningun[oa]?|ningún|nunca|tampoco|falló)(?![\p{L}\p{M}])/iu,
  /(?<![\p{L}\p{M}])(?:não|sem|nenhuma?|falhou)(?![\p{L}\p{M}])/iu,
  /(?<![\p{L}\p{M}])(?:non|senza|nessun[oa]?|mai)(?![\p{L}\p{M}])/iu,
  /(?<![\p{L}\p{M}])(?:niet|geen|zonder|nooit)(?![\p{L}\p{M}])/iu,
  /(?<![\p{L}\p{M}])(?:inte|ikke|ingen|inga|ingenting|utan|uden|uten)(?![\p{L}\p{M}])/iu,
  /(?<![\p{L}\p{M}])(?:nie|bez|brak|niestety|nelze|není|nebyl\p{L}{0,2}|bohužel)(?![\p{L}\p{M}])/iu,
  /(?<![\p{L}\p{M}])(?:değil|yok|maalesef|başarısız)(?![\p{L}\p{M}])/iu,
  /(?<![\p{L}\p{M}])(?:nem|nincs|sajnos|fără|eroare|eivät|valitettavasti|tidak|gagal|tanpa|không|chưa)(?![\p{L}\p{M}])/iu,
  /(?<![\p{L}\p{M}])(?:не|нет|ни|без|нельзя|немає)(?![\p{L}\p{M}])/iu,
  /(?<![\p{L}\p{M}])(?:لا|لم|لن|ليس|غير|فشل|δεν|δε|μη|χωρίς|לא|אין)(?![\p{L}\p{M}])/iu,
];
/** The same in languages that do not separate words, or add them to a verb. */
const INNER_NEGATION = /不|没|未|无|無|ない|ません|なかった|なし|できず|않|못|없|실패|नहीं|विफल|ไม่/u;

/**
 * Whether a text contains a negation or admits a trouble, in about thirty languages. A text without either states that what
 * it says is so.
 */
export function hasReservation(text: string): boolean {
  return NEGATIONS.some((form) => form.test(text)) || INNER_NEGATION.test(text) || admitsFailure(text);
}
