import { isJsonObject, type Json } from '../../../core/json.ts';
import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { splitSentences } from '../../_kit/text.ts';
import { type ToolUse, toolUses } from '../calls/calls.ts';
import { classifyFailure } from '../calls/failure-class.ts';
import { conversation } from './conversation.ts';
import { hasReservation } from './reservations.ts';
import { hasTextAfter } from './run-end.ts';

/** In a longer message, a negation and a name are mostly far apart. */
const MAX_MESSAGE_LENGTH = 1_500;

/** Verbs and conjunctions of a request to check something, by language. */
const CHECK =
  /\b(?:check\w{0,3}|verif\w{1,8}|confirm\w{0,3}|ensure|make sure|test\w{0,3}|prove|see (?:if|whether|that)|whether)\b|(?<!\p{L})(?:prüf\p{L}{0,3}|überprüf\p{L}{0,3}|kontrollier\p{L}{0,2}|bestätig\p{L}{0,2}|teste\p{L}?|stell\p{L}? sicher|vérifie\p{L}{0,2}|contrôle\p{L}{0,2}|confirme\p{L}{0,2}|assure\p{L}{0,3}|comprueb\p{L}{1,2}|comprob\p{L}{1,3}|verifi\p{L}{1,5}|asegúra\p{L}{0,3}|confirma\p{L}{0,2}|controlla\p{L}{0,3}|assicura\p{L}{0,3}|certifi\p{L}{1,5}|controleer|bevestig|sprawdź|upewnij|potwierdź|провер\p{L}{1,4}|убедит?е?сь|подтверд\p{L}{1,3}|kontrol|doğrula|emin ol|تحقق|تأكد|ודא)(?!\p{L})|確認|確かめ|检查|檢查|核实|验证|驗證|确认|확인/iu;
/** A condition says what to do if the call fails. `check if` and `vérifie si` introduce what is checked. */
const CONDITION =
  /(?<!\b(?:check|see|test|verify|confirm) )\bif\b|\b(?:unless|in case)\b|(?<!\p{L})(?:wenn|falls|sofern|jeśli|если|eğer)(?!\p{L})|(?:^|[,;:] )(?:si|se|als)(?!\p{L})|如果|もし|만약/iu;
/** An act that the user forbids: `do not book anything`. */
const FORBIDDEN = /(?:^|[,;:] |\b(?:and|but|please|then) )(?:do not|don['’]t|never)\b/i;
/** Predicates for what does not work any more or is not allowed, besides negations. */
const STOPPED =
  /\b(?:is|are|be|been|was|were|stays?|remains?|gets?) (?:\w{2,12} )?(?:closed|revoked|disabled|deleted|removed|off|gone|dead|shut|inaccessible)\b|(?<!\p{L})(?:abgelehnt|abgewiesen|gesperrt|blockiert|verweigert|abgeschaltet|ausgeschaltet|geschlossen|unerreichbar|ungültig|refusée?s?|rejetée?s?|bloquée?s?|fermée?s?|éteinte?s?|révoquée?s?|rechazad[oa]s?|bloquead[oa]s?|cerrad[oa]s?|apagad[oa]s?|revocad[oa]s?|rifiutat[oaie]|bloccat[oaie]|chius[oaie]|spent[oaie]|recusad[oa]s?|rejeitad[oa]s?|fechad[oa]s?|desligad[oa]s?|geweigerd|geblokkeerd|afgewezen|gesloten|odrzucan\p{L}|zablokowan\p{L}|wyłączon\p{L}|zamknięt\p{L}|отклон\p{L}{1,6}|заблокир\p{L}{1,6}|закрыт\p{L}?|отключ\p{L}{1,6}|недоступ\p{L}{1,3}|reddedil\p{L}{1,6}|engellen\p{L}{1,6}|kapalı|kapatıl\p{L}{1,5}|مرفوض\p{L}?|محظور\p{L}?|مغلق\p{L}?)(?!\p{L})|拒否|遮断|ブロック|停止|拒绝|拒絕|屏蔽|关闭|關閉|阻止|거부|차단/iu;
/** A test of permissions: all other calls than the named ones are to be refused. */
const ONLY_ALLOWED =
  /\bonly (?:\w{1,20} ){1,4}(?:may|should|can|is allowed|are allowed|is permitted|are permitted)\b|(?<!\p{L})(?:nur (?:\p{L}{1,20} ){1,4}(?:darf|dürfen|soll|erlaubt)|seule?s? (?:\p{L}{1,20} ){1,4}(?:doit|doivent|peut|peuvent)|s[oó]lo (?:\p{L}{1,20} ){0,4}(?:debe|deben|puede|pueden))(?!\p{L})/iu;
const PERMISSION_TEST = /\bmatrix\b|matriz|matrice|矩阵/iu;
/** An answer that reports the failure as its own. */
export const INABILITY =
  /\bI(?:['’]m| am| was)? ?(?:unable|cannot|can['’]t|couldn['’]t|could not|failed)\b|\b(?:sorry|unfortunately|apologi[sz]e|leider|ich konnte|désolée?|je n['’]ai pas pu|lo siento|no pude|desculpe|não consegui|spiacente|non sono riuscit[oa]|helaas|к сожалению|не удалось)\b|抱歉|申し訳|죄송/iu;
/**
 * Failed calls that show what the user expects: `check that old-1 does not answer any more`. A message asks to check that something
 * is not so and names what the call was about, and the last answer does not report the failure as its own.
 */
export const expectedFailures = memoizeByRef((trace: Trace): ReadonlySet<ToolUse> => {
  const failed = toolUses(trace).filter(({ failure }) => failure !== null);
  const last = failed.at(-1);
  if (last === undefined || !hasTextAfter(trace, last.step)) return new Set();
  const turns = conversation(trace);
  const answer = turns.findLast(({ by, text }) => by === 'agent' && text.trim() !== '')?.text ?? '';
  if (INABILITY.test(answer)) return new Set();
  const checks = turns.filter(({ by, text }) => by === 'user' && asksForFailure(text));
  const permissions = turns.filter(({ by, text }) => by === 'user' && testsPermissions(text));
  return new Set(
    failed.filter(
      (use) =>
        checks.some(({ step, text }) => step <= use.step && isNamedIn(text, use.arguments)) ||
        (classifyFailure(use.failure!) === 'auth' &&
          permissions.some(({ step, text }) => step <= use.step && isNamedIn(text, use.arguments))),
    ),
  );
});

function asksForFailure(message: string): boolean {
  if (message.length > MAX_MESSAGE_LENGTH || !CHECK.test(message)) return false;
  return splitSentences(message).some(
    (sentence) =>
      CHECK.test(sentence) &&
      !CONDITION.test(sentence) &&
      !FORBIDDEN.test(sentence) &&
      (hasReservation(sentence) || STOPPED.test(sentence)),
  );
}

function testsPermissions(message: string): boolean {
  if (message.length > MAX_MESSAGE_LENGTH || !(CHECK.test(message) || PERMISSION_TEST.test(message))) return false;
  return ONLY_ALLOWED.test(message) && !FORBIDDEN.test(message);
}

const NAME = /[\p{L}\p{N}]+(?:[_-][\p{L}\p{N}]+)*/gu;
const MIN_LETTERS = 4;

/** Whether a message contains a name or a number of the arguments. */
function isNamedIn(message: string, args: Json): boolean {
  const known = message.toLowerCase();
  const words = new Set(known.match(NAME) ?? []);
  return textsIn(args)
    .flatMap((text) => text.toLowerCase().match(NAME) ?? [])
    .filter((name) => /\d/.test(name) || (name.length >= MIN_LETTERS && !/^https?$/.test(name) && !CHECK.test(name)))
    .some((name) => words.has(name) || (name.length >= MIN_LETTERS && known.includes(name)));
}

function textsIn(value: Json): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
