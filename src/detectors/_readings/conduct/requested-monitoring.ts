import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { splitSentences, words } from '../../_kit/text.ts';
import { conversation } from './conversation.ts';

/** In a longer message, a period of time is mostly part of the material. */
const MAX_MESSAGE_LENGTH = 2_000;

/** Seconds, minutes and hours, by language. */
const UNIT =
  /^(?:seconds?|secs?|minutes?|mins?|hours?|sekunden?|minuten?|stunden?|secondes?|minut[oi]s?|heures?|segundos?|horas?|second[io]|or[ae]|seconden?|minuut|uren|uur|sekund\p{L}{0,2}|minut\p{L}{0,2}|godzin\p{L}{0,2}|timmar|tunti\p{L}{0,2}|минут\p{L}{0,2}|секунд\p{L}{0,2}|час\p{L}{0,2}|dakika\p{L}{0,3}|saniye\p{L}{0,3}|saat\p{L}{0,3}|دقيقة|دقائق|ثانية|ساعة|मिनट|सेकंड|घंटे|घंटा|דקות|דקה)$/u;
/** Words before a unit, with at most two words in between, that make it an interval: `every five minutes`. */
const INTERVAL_WORDS: ReadonlySet<string> = new Set(
  'every each per alle jede jeder jedes pro toutes chaque par cada por ogni al elke iedere om co każdą każde varje var hver hvert joka каждую каждые каждый раз her كل हर כל'.split(
    ' ',
  ),
);
/** `one check a minute` */
const ARTICLES: ReadonlySet<string> = new Set(['a', 'an']);
const WORDS_BETWEEN = 2;
const EAST_ASIAN_INTERVAL =
  /(?:每隔?|毎)\s?[\d一二两三四五六七八九十]{0,4}\s?(?:秒|分|小时|時間)|(?:秒|分钟?|小时|時間|초|분|시간)\s?(?:ごと|おき|마다|に一)/u;
const EAST_ASIAN_PERIOD =
  /(?:每隔?|毎)\s?[\d一二两三四五六七八九十]{0,4}\s?(?:秒|分|小时|時間)|(?:秒|分钟?|小时|時間|초|분|시간)\s?(?:ごと|おき|마다|に一|钟?内|间|間|동안|까지)/u;
/** Verbs for looking at something again and again. */
const WATCH: readonly RegExp[] = [
  /\b(?:watch(?:es|ing)?|monitor(?:s|ing)?|observ(?:e|es|ing)|wait(?:s|ing)?|keep (?:an eye|checking|looking|trying|polling)|check(?:s|ing)?|poll(?:s|ing)?|sampl(?:e|es|ing)|measur(?:e|es|ing)|pings?|pinging)\b/i,
  /(?<!\p{L})(?:beobachten?|überwachen?|warten?|prüfen?|kontrollieren?|messen|bewaak|wacht|controleer|övervaka|vänta|overvåg|seuraa)(?!\p{L})/iu,
  /(?<!\p{L})(?:surveillez?|observez?|attend(?:s|ez|re)|vérifi(?:e|ez)|mesurez?|vigila|espera|comprueba|mide|monitorea|monitora|sorveglia|controlla|aspetta|misura|verifica|verifique)(?!\p{L})/iu,
  /(?<!\p{L})(?:obserwuj|czekaj|sprawdzaj|sprawdź|следи|следите|наблюдай|наблюдайте|жди|ждите|подожди|проверяй|проверяйте|izle|bekle|kontrol et|راقب|انتظر|निगरानी|जाँच|עקוב|המתן)(?!\p{L})/iu,
  /监控|監控|监视|観察|観測|監視|等待|等|待|检查|確認|確かめ|지켜|기다|확인|모니터/u,
];
/** A number of times that the user leaves open. */
const SOME_TIMES =
  /(?<!\p{L})(?:(?:a few|several|some|multiple|many) (?:times|checks|samples|readings|measurements)|repeatedly|again and again|regularly|periodically|continuously|ein paar ?mal|einige ?male|mehrmals|wiederholt|regelmäßig|laufend|plusieurs fois|quelques fois|régulièrement|varias veces|algunas veces|repetidamente|regularmente|più volte|alcune volte|qualche volta|regolarmente|várias vezes|algumas vezes|enkele keren|meerdere keren|een paar keer|regelmatig|kilka razy|kilkakrotnie|regularnie|flera gånger|flere gange|несколько раз|регулярно|birkaç kez|defalarca|düzenli|عدة مرات|कई बार|מספר פעמים)(?!\p{L})|几次|幾次|多次|数回|何度か|定期的|여러 번|몇 번|정기적/iu;
/** `until I stop you`, `until it is up`. */
const UNTIL =
  /(?<!\p{L})(?:until|till|bis|jusqu|hasta|fino|até|totdat|aż|dopóki|tills|indtil|kunnes|пока|kadar|حتى)(?!\p{L})|直到|まで|때까지/iu;
/** A period or an open number is no limit of its own. More equal calls than this are not what a user expects. */
const MAX_CALLS = 30;

/**
 * Whether a user of the run asked for something to be watched: at an interval, over a period, several times or until it
 * changes. Equal calls with equal results are then the work that was requested. Instructions must name the interval: they
 * also describe other waits and periods.
 */
const isMonitoringRequested = memoizeByRef((trace: Trace): boolean => {
  const texts = conversation(trace).flatMap(({ by, text }) => (by === 'user' ? [text] : []));
  return (
    [trace.task ?? '', ...texts].some((text) => isShort(text) && requestsMonitoring(text)) ||
    instructionsOf(trace).some((text) => isShort(text) && splitSentences(text).some(asksForInterval))
  );
});

export function isMonitoring(trace: Trace, times: number): boolean {
  return times <= MAX_CALLS && isMonitoringRequested(trace);
}

function isShort({ length }: string): boolean {
  return length <= MAX_MESSAGE_LENGTH;
}

/** System prompts of the run: messages of their own, and those sent with a model call. */
function instructionsOf(trace: Trace): string[] {
  const stated = conversation(trace).flatMap(({ by, text }) => (by === 'system' ? [text] : []));
  const sent = trace.steps.flatMap(({ inputMessages }) =>
    inputMessages.flatMap(({ role, content }) => (role === 'system' || role === 'developer' ? [content] : [])),
  );
  return [...new Set([...stated, ...sent])];
}

function asksForInterval(sentence: string): boolean {
  return isWatch(sentence) && (hasInterval(words(sentence)) || EAST_ASIAN_INTERVAL.test(sentence));
}

function requestsMonitoring(text: string): boolean {
  if (!isWatch(text)) return false;
  return splitSentences(text).some((sentence) => {
    const tokens = words(sentence);
    if (SOME_TIMES.test(sentence) || hasInterval(tokens)) return true;
    return isWatch(sentence) && (tokens.some(isUnit) || EAST_ASIAN_PERIOD.test(sentence) || UNTIL.test(sentence));
  });
}

function isWatch(text: string): boolean {
  return WATCH.some((form) => form.test(text));
}

function isUnit(token: string): boolean {
  return UNIT.test(token);
}

function hasInterval(tokens: readonly string[]): boolean {
  return tokens.some(
    (token, at) =>
      isUnit(token) &&
      (ARTICLES.has(tokens[at - 1] ?? '') ||
        tokens.slice(Math.max(0, at - 1 - WORDS_BETWEEN), at).some((word) => INTERVAL_WORDS.has(word))),
  );
}
