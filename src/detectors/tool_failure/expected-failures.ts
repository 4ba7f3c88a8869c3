import { isJsonObject, type Json } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { splitSentences } from '../_kit/text.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { conversation } from '../_readings/conduct/conversation.ts';
import { hasReservation } from '../_readings/conduct/reservations.ts';
import { hasTextAfter } from '../_readings/conduct/run-end.ts';
import { classifyFailure, type FailureClass } from './classify.ts';

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
/** An answer that reports the failure as its own. */
const INABILITY =
  /\bI(?:['’]m| am| was)? ?(?:unable|cannot|can['’]t|couldn['’]t|could not|failed)\b|\b(?:sorry|unfortunately|apologi[sz]e|leider|ich konnte|désolée?|je n['’]ai pas pu|lo siento|no pude|desculpe|não consegui|spiacente|non sono riuscit[oa]|helaas|к сожалению|не удалось)\b|抱歉|申し訳|죄송/iu;
/** Classes of failures that say nothing about what was called, unless the called service answered with a status. */
const CALLER_CLASSES: ReadonlySet<FailureClass> = new Set([
  'invalid_arguments',
  'schema_mismatch',
  'internal_error',
  'rate_limit',
  'exhaustion',
]);
const REJECTED = /^4(?!29)\d\d$/;

/**
 * Failed calls that show what the user expects: `check that old-1 does not answer any more`. A message asks to check that something
 * is not so and names what the call was about, and the last answer does not report the failure as its own.
 */
export function expectedFailures(trace: Trace): ReadonlySet<ToolUse> {
  const failed = toolUses(trace).filter(({ failure }) => failure !== null);
  const last = failed.at(-1);
  if (last === undefined || !hasTextAfter(trace, last.step)) return new Set();
  const turns = conversation(trace);
  const answer = turns.findLast(({ by, text }) => by === 'agent' && text.trim() !== '')?.text ?? '';
  if (INABILITY.test(answer)) return new Set();
  const checks = turns.filter(({ by, text }) => by === 'user' && asksForFailure(text));
  return new Set(
    failed.filter(
      (use) =>
        isAboutTarget(use) && checks.some(({ step, text }) => step <= use.step && isNamedIn(text, use.arguments)),
    ),
  );
}

function isAboutTarget({ failure }: ToolUse): boolean {
  return REJECTED.test(failure!.code) || !CALLER_CLASSES.has(classifyFailure(failure!));
}

function asksForFailure(message: string): boolean {
  if (message.length > MAX_MESSAGE_LENGTH || !CHECK.test(message)) return false;
  return splitSentences(message).some(
    (sentence) =>
      CHECK.test(sentence) && !CONDITION.test(sentence) && !FORBIDDEN.test(sentence) && hasReservation(sentence),
  );
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
