import { letterWords } from '../_kit/text.ts';

/** Pairs of quotation marks. */
const QUOTED = /"[^"]{1,1500}"|[“„][^“”„]{1,1500}[”“]|«[^«»]{1,1500}»|「[^「」]{1,1500}」|『[^『』]{1,1500}』/gu;
/** A quoted text with fewer words may be the value itself or the title of an order. */
const MIN_QUOTED_WORDS = 4;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const MIN_QUOTED_SIGNS = 10;
const QUOTED_LINE = /^[ \t]{0,8}>.*$/gm;
/** The head of a forwarded mail, up to its subject. What follows it is the mail. */
const FORWARDED =
  /^(?:[ \t]{0,8}-{2,20} ?(?:forwarded|original|weitergeleitete|ursprüngliche|message|mensaje|messaggio|mensagem)\b|(?:from|von|de|da|van|od|от|发件人|寄件者|差出人|보낸 사람)[:：][^\n]{1,200}\n(?:[^\n]{1,200}\n){0,4}(?:subject|betreff|objet|asunto|oggetto|assunto|onderwerp|temat|тема|主题|主旨|件名|제목)[:：])/imu;
/** The salutation of a letter after an introduction that ends with a colon: `Answer this mail:` and `Hello, …`. */
const LETTER =
  /[:：]\s{1,6}(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|hallo|guten (?:tag|morgen|abend)|sehr geehrte[rs]?|liebe[rs]?|bonjour|chère?s?|hola|estimad[oa]s?|ciao|buongiorno|gentile|olá|prezad[oa]s?|bom dia|geachte|beste|dzień dobry|szanown[aiy]|здравствуйте|добрый день|уважаем[а-я]{2,3}|merhaba|sayın|您好|你好|こんにちは|お世話|안녕하세요|مرحبا|नमस्ते)(?!\p{L})/iu;

/** A message without what the user quotes in it: quoted passages and lines, and a mail that the user passes on. */
export function withoutQuotations(text: string): string {
  const letter = [FORWARDED.exec(text), LETTER.exec(text)].flatMap((match) => (match === null ? [] : [match.index]));
  return text
    .slice(0, Math.min(text.length, ...letter))
    .replace(QUOTED_LINE, ' ')
    .replace(QUOTED, (passage) => (isPassage(passage) ? ' ' : passage));
}

function isPassage(quoted: string): boolean {
  return letterWords(quoted).length >= MIN_QUOTED_WORDS || (quoted.match(UNSPACED)?.length ?? 0) >= MIN_QUOTED_SIGNS;
}

/** Words before a value, in its clause, that exclude it, replace it or make it an example. */
const EXCLUDED_BEFORE =
  /(?:(?<!\p{L})(?:(?<!(?:I|we|you|they) )(?:do not|don['’]t)(?! forget)|never|must not|mustn['’]t|should not|shouldn['’]t|not (?:to|for|at|from|with|via|the|as)|not$|without|except(?:ing)?|excluding|excluded?|other than|apart from|besides|but not|instead of|rather than|no longer|such as|for example|for instance|looks? like|similar to|in the form(?:at)? of|nicht|keine[mnrs]?|kein|nie|niemals|keinesfalls|ohne|außer|ausser|statt|anstatt|anstelle|ausgenommen|bis auf|zum beispiel|beispielsweise|pas|jamais|sans|sauf|excepté|hormis|au lieu|plutôt que|par exemple|no|nunca|jamás|sin|excepto|salvo|en vez|en lugar|por ejemplo|non|mai|senza|tranne|eccetto|invece|ad esempio|não|sem|exceto|em vez|em lugar|por exemplo|niet|geen|nooit|zonder|behalve|in plaats|bijvoorbeeld|nie|nigdy|bez|oprócz|zamiast|na przykład|не|нет|никогда|без|кроме|вместо|например|nikdy|kromě|místo|inte|aldrig|utan|utom|istället|ikke|aldri|uten|uden|undtagen|unntatt|älä|paitsi|kivéve|fără|cu excepția|în loc|sakın|لا|ليس|إلا|بدون|باستثناء|بدلا|לא|אל|חוץ|ללא|मत|नहीं)(?!\p{L}|-\p{L})|(?<!\p{L})(?:e\.g\.|z\. ?b\.|p\. ?ex\.|np\.)|不要|不用|不能|不是|不得|切勿|请勿|請勿|别|別|勿|除了|例如|比如|例えば|たとえば|예를 들어)/iu;
/** Words after a value, in its clause, that exclude it or give it only for information. */
const EXCLUDED_AFTER =
  /^[^\p{L}]{0,3}(?:(?:is|are|was|has|should|must|may|can)(?:n['’]t| not| no longer| been)? (?:excluded|left out|skipped|omitted|replaced|wrong|outdated|obsolete|not (?:be|get|receive))|(?:must|should) ?(?:not|n['’]t)|no longer|excluded|not$|in case|for reference|for your information|just so|(?:\p{L}{1,20} ){0,3}nicht$|hariç|değil|yerine|(?:\p{L}{1,20} )?(?:gönder|yolla|ilet|kullan|aç|çağır|ekle|yaz|sor|ara)m[ea](?:y[ıi]n)?$|以外|ではな|じゃな|でな|を除|の代わり|(?:には|へは|に)?[^、。]{0,12}(?:ないで|しない|せずに|ません)|말고|제외|빼고|대신|(?:에게|에|로|으로)?[^,.]{0,12}(?:지 마|지 말)|को छोड़|के बजाय|(?:को|पर)? ?(?:\p{L}\p{M}{0,3}){0,8} ?(?:मत|नहीं))/iu;
const CLAUSE_CHARACTERS = 100;
const CLAUSE_END = /[.!?](?:\s|$)|[,;:\n()。、，；：！？]/gu;

/**
 * Whether the user only mentions a value: a word in its clause excludes it, replaces it by another value or gives it as an
 * example. In a list, the word before the first value applies to all.
 * @param others the other values of the message
 */
export function isOnlyMentioned(text: string, value: string, others: readonly string[]): boolean {
  const ends = positionsOf(text, value).map((at) => {
    const before = withoutValues(text.slice(Math.max(0, at - CLAUSE_CHARACTERS), at), others);
    const after = text.slice(at + value.length, at + value.length + CLAUSE_CHARACTERS);
    return EXCLUDED_BEFORE.test(lastClause(before)) || EXCLUDED_AFTER.test(firstClause(after));
  });
  return ends.includes(true);
}

/** A list without its values and what joins them: what precedes the list also precedes the value. */
function withoutValues(before: string, others: readonly string[]): string {
  return others.reduce((rest, other) => rest.replaceAll(other, '\0'), before).replace(LISTED, ' ');
}

const LISTED = /\0(?:[\s,;、，&+/]{0,4}(?:\p{L}{1,4}\s)?)/gu;

function lastClause(text: string): string {
  const end = [...text.matchAll(CLAUSE_END)].at(-1);
  return (end === undefined ? text : text.slice(end.index + end[0].length)).trim();
}

function firstClause(text: string): string {
  const [first] = text.split(CLAUSE_END, 1);
  return first!.trimEnd();
}

/** What joins the values of a list: a mark, a line, a short remark in parentheses, or a word for "and". */
const JOINT =
  /^(?:\s?\([^()]{1,80}\))?[\s,;:、，&+•*–—-]{0,8}(?:(?:and|und|et|y|e|i|и|та|en|och|og|ja|és|și|ve|和|与|與|及|以及|と|および|및|와|과|و|और|ו)(?:\s(?:also|then|to|an|auch|à|a|aan|do|til|till))?)?\s{0,2}(?:[-–—•*]|\d{1,2}[.)])?\s{0,2}$/u;

/** Whether two values of a message are members of one list, so that what the user wants of one is wanted of the other. */
export function areListed(text: string, one: string, other: string): boolean {
  return positionsOf(text, one).some((a) =>
    positionsOf(text, other).some((b) => {
      const between = a < b ? text.slice(a + one.length, b) : text.slice(b + other.length, a);
      return between.length <= CLAUSE_CHARACTERS && JOINT.test(between);
    }),
  );
}

function positionsOf(text: string, value: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length)) found.push(at);
  return found;
}
