import { leafTexts } from '../../../core/json.ts';
import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { words } from '../../_kit/text.ts';
import { writtenNumber } from '../../_kit/written-numbers.ts';
import { type ToolUse, toolUses } from '../calls/calls.ts';
import { baseName } from '../shell/file-path.ts';
import { conversation } from './conversation.ts';
import { INABILITY } from './expected-failures.ts';
import { hasReservation } from './reservations.ts';
import { hasTextAfter } from './run-end.ts';

/** In a longer message, a word for a rejection is mostly part of the material. */
const MAX_MESSAGE_LENGTH = 1_500;
/** Requests to find out what is rejected, is dead or does not work: link checks, permission matrices, limits, bad inputs. */
const PROBE =
  /\b(?:(?:permission|access|role|rights?|authori[sz]ation) matrix|fuzz\w{0,3}|(?:bad|invalid|malformed|illegal|wrong) (?:inputs?|values?|requests?|arguments?|dates?|payloads?|strings?|tokens?|cases)|(?:dead|broken|stale) (?:links?|urls?|pages?)|(?:links?|urls?|pages?|hosts?|ports?|endpoints?|servers?|sites?|addresses|ones) (?:\w{1,8} )?(?:is|are) (?:dead|broken|down|closed|unreachable|gone|offline)|(?:which|what|do(?:es)? (?:any|all)|are (?:all|any)) of (?:these|those|the)\b|rate.?limit\w{0,3}|limits? (?:us|me|you|clients?|users?|requests?|calls?)|only \w{1,20} (?:may|can|should)|(?:should|must|may|can) (?:fail|be (?:rejected|refused|denied|blocked)|not (?:work|pass|be))|negative tests?|penetration test|does\b.{1,60}\b(?:accept|allow|reject|refuse|limit|exist|respond)|is there an?|are there any|uptime)\b|(?<!\p{L})(?:gibt es|y a-t-il|existe-t-il|hay algún|hay un[oa]?|existe|c['’]è un[oa]?|esiste|bestaat|is er een|czy (?:jest|istnieje)|есть ли|существует ли|var mı|(?:berechtigungs|rechte|rollen)matrix|(?:tote|defekte|kaputte)n? links?|ungültige[nrs]?|welche (?:dieser|von diesen|der)|matrice des (?:droits|permissions)|liens (?:morts|cassés|brisés)|(?:entrées|valeurs|dates) invalides|(?:lesquel|quel)le?s de ces|matriz de permis\p{L}{2,4}|enlaces (?:rotos|caídos|muertos)|(?:entradas|valores|fechas|datas) (?:inválid|no válid)[ao]s|cuáles de est[oa]s|matrice dei permessi|link (?:rotti|morti|interrotti)|(?:valori|date|input) non valid[ie]|quali di quest[ie]|links (?:quebrados|mortos)|quais dest[ea]s|rechtenmatrix|(?:dode|kapotte) links|ongeldige|welke van deze|macierz uprawnień|(?:martwe|uszkodzone|niedziałające) (?:linki|odnośniki)|nieprawidłow\p{L}{1,3}|матриц\p{L}{1,2} (?:прав|доступа)|(?:битые|м[её]ртвые|нерабочие) ссылки|(?:невалидн|недопустим|некорректн)\p{L}{2,3}|как(?:ие|ая) из (?:этих|них)|yetki matrisi|(?:ölü|kırık) (?:bağlantı|link)\p{L}{0,4}|geçersiz|مصفوفة الصلاحيات|الروابط المعطلة|مدخلات غير صالحة)(?!\p{L})|死链|有没有|是否存在|ありますか|存在しますか|있나요|있습니까|失效链接|权限矩阵|无效输入|非法输入|リンク切れ|権限マトリ|不正な入力|無効な入力|깨진 링크|죽은 링크|권한 매트릭스|잘못된 입력/iu;
/** Predicates for a target that did not answer or refused, besides negations. */
const REFUSED =
  /\b(?:dead|gone|refuses?|rejects?|raises?|throws?|limited|closed|answer(?:s|ed)? with|returns? [45]\d\d)\b|(?<!\p{L})(?:tot|defekt|abgelehnt|abgewiesen|gesperrt|verweigert|ungültig|morts?|mortes?|refusée?s?|rejetée?s?|rot[oa]s?|caíd[oa]s?|rechazad[oa]s?|rott[ie]|mort[ie]|rifiutat[oaie]|quebrad[oa]s?|recusad[oa]s?|rejeitad[oa]s?|dood|kapot|geweigerd|martw[ey]|odrzucon\p{L}|отклон\p{L}{1,6}|битая|битые|ölü|kırık|reddedil\p{L}{1,6}|معطل\p{L}?|مرفوض\p{L}?)(?!\p{L})|拒绝|拒否|失效|切れ|거부|깨졌|깨져/iu;
/** The call did not reach what it probes. */
const WRONG_CALL = /unexpected keyword argument|required (?:positional )?argument|takes \d+ positional/i;

/**
 * Failed calls that answer a probe: a user asked what is rejected or does not work, and the last answer says so
 * about each of them, by its status, by a value of its arguments or by the number of the failed calls.
 */
export const probedFailures = memoizeByRef((trace: Trace): ReadonlySet<ToolUse> => {
  const failed = toolUses(trace).filter(({ failure }) => failure !== null && !WRONG_CALL.test(failure.message));
  const last = failed.at(-1);
  if (last === undefined || !hasTextAfter(trace, last.step)) return new Set();
  const turns = conversation(trace);
  const answer = turns.findLast(({ by, text }) => by === 'agent' && text.trim() !== '')?.text ?? '';
  if (INABILITY.test(answer) || !(hasReservation(answer) || REFUSED.test(answer))) return new Set();
  const probes = turns.filter(({ by, text }) => by === 'user' && text.length <= MAX_MESSAGE_LENGTH && PROBE.test(text));
  const isCounted = failed.length > 1 && words(answer).some((word) => numberOf(word) === failed.length);
  return new Set(
    failed.filter((use) => probes.some(({ step }) => step <= use.step) && (isCounted || answersProbe(answer, use))),
  );
});

function numberOf(word: string): number | null {
  return /^\d{1,3}$/.test(word) ? Number(word) : (writtenNumber(word) ?? null);
}

const STATUSES = /(?<!\d)[45]\d\d(?!\d)/g;
const MIN_VALUE_LENGTH = 3;

/** Whether the answer names the status of the failure or a value that the call passed. */
function answersProbe(answer: string, { failure, arguments: args }: ToolUse): boolean {
  const status = `${failure!.code} ${failure!.message.slice(0, 200)}`.match(STATUSES)?.[0];
  const shown: readonly string[] = answer.match(STATUSES) ?? [];
  if (status !== undefined && shown.includes(status)) return true;
  const values = leafTexts(args).flatMap((value) => [value.trim(), baseName(value.trim())]);
  return values.some((value) => value.length >= MIN_VALUE_LENGTH && answer.includes(value));
}
