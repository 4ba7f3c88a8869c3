import { admitsFailure } from './claims.ts';

/** Negations and words for a failure or a lack, of languages that separate words. */
const NEGATIONS = [
  "not no never none nothing neither nor without cannot unable unavailable unreachable unknown offline fail(?:s|ed|ure|ures|ing)? errors? \\p{L}{2,7}n[’']t",
  'nicht kein\\p{L}{0,2} ohne nie niemals leider fehl\\p{L}{0,12}',
  'pas aucune? sans jamais rien impossible erreurs? échou\\p{L}{0,4}',
  'sin ningun[oa]? ningún nunca tampoco falló',
  'não sem nenhuma? falhou',
  'non senza nessun[oa]? mai',
  'niet geen zonder nooit',
  'inte ikke ingen inga ingenting utan uden uten',
  'nie bez brak niestety nelze není nebyl\\p{L}{0,2} bohužel',
  'değil yok maalesef başarısız',
  'nem nincs sajnos fără eroare eivät valitettavasti tidak gagal tanpa không chưa',
  'не нет ни без нельзя немає',
  'لا لم لن ليس غير فشل δεν δε μη χωρίς לא אין',
].join(' ');
const NEGATION = new RegExp(`(?<![\\p{L}\\p{M}])(?:${NEGATIONS.split(' ').join('|')})(?![\\p{L}\\p{M}])`, 'iu');
/** The same in languages that do not separate words, or add them to a verb. */
const INNER_NEGATION = /不|没|未|无|無|ない|ません|なかった|なし|できず|않|못|없|실패|नहीं|विफल|ไม่/u;

/**
 * Whether a text contains a negation or admits a trouble, in about thirty languages. A text without either states that what
 * it says is so.
 */
export function hasReservation(text: string): boolean {
  return NEGATION.test(text) || INNER_NEGATION.test(text) || admitsFailure(text);
}
