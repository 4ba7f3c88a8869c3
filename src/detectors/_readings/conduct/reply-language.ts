import { letterCount, letterWords } from '../../_kit/text.ts';
import { languageOf } from './language.ts';

/** Words of short reports of work, by language. No word is frequent in two of these languages. */
const WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  english: words(
    'the of for is was and to can are you your yours with have this that here there been from which what not will done we they has had now all its please yes it could would ordered sent created deleted saved booked placed updated completed successfully passed added removed moved refunded cancelled canceled closed opened scheduled confirmed processed published uploaded downloaded told wrote everything ready finished fixed paid shipped delivered issued assigned',
  ),
  german: words(
    'der die das ich habe haben hat wurde wurden ist sind und mit für auf nicht eine einen wir sie ihr ihre am bei zum zur bitte es wie erledigt fertig bestellt gebucht gesendet erstellt gelöscht stück',
  ),
  french: words(
    'le les des est une dans pour que vous avec sont au aux du j ai été votre nous elle chez commandé réservé envoyé créé pièces livraison la commande pas',
  ),
  spanish: words(
    'el los las es y del con se su sus está están al lo he ha sido hecho pedido reservado enviado creado había mesa para confirmada confirmado entrega la pude siento',
  ),
  italian: words(
    'il gli della di è che per con non sono nei alla questo ho stato stata ordinato inviato prenotato fatto pezzi consegna possibile',
  ),
  portuguese: words(
    'os uma é da do que para com não em um foi está você seu sua feito pedido enviado havia pelo unidades entrega encomendei marcada',
  ),
  dutch: words(
    'de het een van dat niet op te voor met aan deze wordt ook ik heb heeft uw bij gedaan besteld verzonden geboekt klaar stuks levering',
  ),
  polish: words('jest są został została zostało na do że się już pan pani w z zamówienie zamówiłem wysłano sztuk było'),
  turkish: words(
    've bir için ile bu sipariş siparişiniz verdim verildi edildi edilecek tamam oldu vardı adet tarihinde oluşturuldu',
  ),
};

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

const FEW_WORDS = 3;
/** English words that Scandinavian and other Latin texts contain as well. */
const SHARED = new Set('has had we all not of for is was and to can will'.split(' '));

const OTHER_SCRIPT = /[\u0370-\u1fff\u2e80-\ud7ff]/;
const KANA = /[\u3040-\u30ff]/;
const HANGUL = /[\uac00-\ud7af]/;
const HAN = /[\u4e00-\u9fff]/;
const CYRILLIC = /[\u0400-\u04ff]/g;
const CONTRACTION = /\b(?:[a-z]{2,6}n|I|it|that|there|you|we|they)['’](?:t|ve|m|ll|d|s|re)\b/i;
/** Letters that one of the languages has and the others lack. */
const LETTERS: Readonly<Record<string, RegExp>> = {
  german: /ß/,
  spanish: /[ñ¿¡]/,
  portuguese: /[ãõ]/,
  polish: /[łśżźćńąę]/,
  turkish: /[ğışİ]/,
};
/** Letters that English words do not contain, in a word without a capital letter. */
const OTHER_LETTER = /(?<!\p{L})\p{Ll}{0,30}[\u00df-\u024f]/u;

/**
 * The language of a text of any length, as a lower-case English name; null if its words do not show it.
 * @param context other texts of the run, which decide if the words of the text do not
 */
export function languageOfReply(text: string, context = ''): string | null {
  const language = languageOf(text);
  if (language !== null) return language;
  if (OTHER_SCRIPT.test(text)) return languageOfScript(text);
  if (CONTRACTION.test(text)) return 'english';
  const tokens = letterWords(text);
  const hits = Object.entries(WORDS).map(([name, list]) => ({ name, found: tokens.filter((word) => list.has(word)) }));
  hits.sort((a, b) => b.found.length - a.found.length);
  const [best, second] = [hits[0]!, hits[1]!];
  const isFirst = best.found.length > second.found.length;
  if (isFirst && isEnough(best.name, best.found, text)) return best.name;
  const around = letterWords(context).length >= FEW_WORDS ? languageOfReply(context) : null;
  // One word is enough if the rest of the run is in its language.
  if (isFirst && best.name === around) return around;
  if (OTHER_LETTER.test(text)) return null;
  if (around === 'english' && best.found.length <= (englishOf(hits)?.found.length ?? 0)) return 'english';
  return tokens.length < FEW_WORDS && (best.found.length === 0 || best.name === 'english') ? 'english' : null;
}

function englishOf<Hit extends { name: string }>(hits: readonly Hit[]): Hit | undefined {
  return hits.find(({ name }) => name === 'english');
}

/** One word shows English; other languages share more words with languages that are not listed. */
function isEnough(name: string, found: readonly string[], text: string): boolean {
  const count = new Set(found).size;
  const isShort = count === 1 && letterWords(text).length <= FEW_WORDS;
  if (name !== 'english') return count >= 2 || (count === 1 && LETTERS[name]?.test(text) === true);
  return !OTHER_LETTER.test(text) && (count >= 2 || isShort || found.some((word) => !SHARED.has(word)));
}

function languageOfScript(text: string): string | null {
  if (KANA.test(text)) return 'japanese';
  if (HANGUL.test(text)) return 'korean';
  if (HAN.test(text)) return 'chinese';
  return (text.match(CYRILLIC)?.length ?? 0) > letterCount(text) / 2 ? 'russian' : null;
}
