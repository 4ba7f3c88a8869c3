import { admitsFailure } from './claims.ts';

/** Negations and words for a failure, a lack or another attempt, by language. */
const NEGATIONS: readonly RegExp[] = [
  /\b(?:not|no|never|none|nothing|neither|nor|without|cannot|unable|unavailable|unreachable|unknown|offline|fail(?:s|ed|ure|ures|ing)?|errors?|\w{2,7}n['’]t)\b/i,
  /\b(?:timed out|time-?outs?|down|refused|denied|rejected|declined|busy|blocked|expired|broken|invalid|missing|outage|retry\w{0,3}|again|later)\b/i,
  /(?<!\p{L})(?:erneut|später|défectueux|en panne|réessay\p{L}{1,4}|plus tard|de nuevo|más tarde|novamente|mais tarde|di nuovo|più tardi|opnieuw|снова|позже|повтор\p{L}{1,6})(?!\p{L})|重试|稍后|再试|故障|超时|再試行|後ほど|もう一度|다시|나중에/iu,
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
 * Whether a text contains a negation, admits a trouble or speaks of another attempt, in about thirty languages. A text without either states that what
 * it says is so.
 */
export function hasReservation(text: string): boolean {
  return NEGATIONS.some((form) => form.test(text)) || admitsFailure(text);
}
