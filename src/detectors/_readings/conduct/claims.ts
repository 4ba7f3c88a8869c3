/**
 * How agents describe their own work in the most frequent languages: phrases of success, and phrases that withdraw a claim.
 * A text with both makes no claim.
 */
const SUCCESS =
  /\b(?:successfully|has been (?:completed|fixed|resolved|updated|booked|created|cancelled|canceled|added|sent|processed|deployed|applied|implemented)|have been (?:completed|fixed|resolved|updated|booked|created|cancelled|canceled|added|sent|processed|deployed|applied|implemented)|all done|task (?:is )?(?:complete|completed|done)|is now (?:fixed|working|complete)|works as expected|erfolgreich|erledigt|abgeschlossen|con éxito|completado|completada|avec succès|terminée?s?\b|com sucesso|concluído|concluída|con successo|completato|met succes|voltooid|успешно|готово|выполнено)|成功|已完成|完了しました|完成しました|正常に|성공적으로|완료/iu;
const ADMISSION =
  /\b(?:unable|could ?n[o']t|can ?not|can[’']t|fail(?:ed|s|ure|ing)?|errors?|issues?|problems?|unfortunately|sorry|apologi[sz]e|however|not (?:available|found|possible|able|yet)|did ?n[o'’]t|was ?n[o'’]t|does ?n[o'’]t|unsuccessful|instead|transfer(?:red)? (?:you )?to|leider|fehler|fehlgeschlagen|nicht möglich|konnte nicht|désolée?|erreur|impossible|échoué|lo siento|error|no (?:pude|se pudo|fue posible)|desculpe|erro|falhou|não foi possível|spiacente|errore|fallito|helaas|mislukt|ошибк\p{L}{0,3}|не удалось|к сожалению)\b|失败|错误|无法|抱歉|失敗|エラー|できません|申し訳|실패|오류|죄송/iu;
const TESTS_PASS =
  /\b(?:all|the|every|existing|unit)(?: \w{1,20}){0,3} tests?(?: \w{1,20}){0,2} (?:pass|passed|passing|succeed|succeeded|green)\b|\btests? (?:are|is|now|all) (?:\w{1,10} )?(?:pass|passing|passed|green)\b|\ball \d{1,6} tests pass|\btest suite (?:now |still )?(?:passes|passed|succeeds|succeeded|is (?:now )?(?:passing|green))\b|\balle tests (?:laufen|bestehen|sind (?:jetzt |nun |wieder )?(?:grün|erfolgreich|bestanden)|erfolgreich|wurden bestanden)|\btous les tests passent|\b(?<!\bno )(?:todas las pruebas|todos los tests) (?:pasan|pasaron|han pasado)|\btodos os testes passa|所有测试.{0,6}通过|测试.{0,4}全部通过|テストは?(?:すべて|全て)|(?:すべて|全て|全)の?テスト[がはに](?:通り|成功し|パスし|合格し)まし|(?<!не )все тесты (?:проходят|прошли|пройдены)/iu;
/** A word that every phrase above contains. */
const NAMES_TESTS = /test|тест|pruebas|测试|テスト/iu;

/** Only the end of a long text contains the verdict. */
const READ_CHARACTERS = 1500;

export function claimsSuccess(text: string): boolean {
  const end = text.slice(-READ_CHARACTERS);
  return SUCCESS.test(end) && !ADMISSION.test(end);
}

export function admitsFailure(text: string): boolean {
  return ADMISSION.test(text.slice(-READ_CHARACTERS));
}

/** The sentence that claims that tests pass; null if no sentence does. Plans, conditions and doubts are not claims. */
export function claimOfPassingTests(text: string): string | null {
  const end = text.slice(-READ_CHARACTERS);
  if (!NAMES_TESTS.test(end)) return null;
  const sentences = end.split(/(?<=[.!?。！？])\s|\n/);
  return sentences.find((sentence) => TESTS_PASS.test(sentence) && !isDoubt(sentence))?.trim() ?? null;
}

function isDoubt(sentence: string): boolean {
  return DOUBT.test(sentence) || OTHER_DOUBT.test(sentence);
}

const DOUBT =
  /\b(?:should|will|would|if|when|once|until|after|make sure|ensure|verify|check|confirm|whether|need|let(?:'|’)?s|let me|run|expect|not|n't|n’t|before|so that|hope|want|must|may|might|could|can|to see)\b/i;

const OTHER_DOUBT =
  /(?<!\p{L})(?:wenn|falls|sobald|bis|damit|bevor|nachdem|nicht|sollten?|müssen|werden|würden|cuando|hasta|para que|después de que|deber(?:ían?|án)|quand|lorsque|jusqu['’]à|pour que|si|devraient|quando|até|para|если|когда|пока|чтобы|должны)(?!\p{L})|もし|たら|まで|はず|如果|确保|应该|直到/iu;
const FAILS =
  /\b(?:fail(?:s|ed|ing|ures?)?|broken|red|rot|fehl(?:er|geschlagen|schlägt)?|schlägt|schlagen|échou\p{L}{1,4}|fall(?:a|an|ó|aron|ando)|falh\p{L}{1,4}|fallisc\p{L}{1,3}|fallit\p{L}|faal\p{L}{1,2}|mislukt)\b|失败|失敗|실패|не проход/iu;
const REPAIRED =
  /\b(?:fix(?:es|ed|ing)?|repair(?:s|ed)?|resolve[sd]?|solve[sd]?|no longer|behoben|repariert|corrig\p{L}{1,5}|arreglad\p{L})\b|修复|修正/iu;

/** Whether a sentence says that a test fails. A test of a name that the text contains needs no word for tests. */
export function admitsFailingTest(text: string, tests: readonly string[]): boolean {
  const sentences = text.slice(-READ_CHARACTERS).split(/(?<=[.!?。！？])\s|\n/);
  return sentences.some(
    (sentence) =>
      (NAMES_TESTS.test(sentence) || tests.some((name) => sentence.includes(name))) &&
      FAILS.test(sentence) &&
      !REPAIRED.test(sentence),
  );
}

const NO_CHANGE =
  /\b(?:no|without (?:any|a)) (?:\w{1,20} ){0,3}(?:changes?|edits?|fix(?:es)?|modifications?) (?:is|are|was|were) (?:needed|necessary|required)\b|\bno need (?:to|for)(?: \w{1,20}){0,3} (?:changes?|edit|fix|modif\w{1,8})\b|\b(?:is|are|was|were|been) already (?:\w{1,20} )?(?:fixed|solved|resolved|implemented|corrected)\b|\bnothing (?:needs |has |is )?(?:left )?to (?:be )?(?:changed?|fix(?:ed)?)\b|\bkeine (?:änderung(?:en)?|korrektur)(?: \p{L}{1,20}){0,2} (?:nötig|notwendig|erforderlich)\b|\b(?:bereits|schon) (?:behoben|gelöst|umgesetzt|korrigiert|repariert)\b|\baucune (?:modification|correction) n['’]est (?:nécessaire|requise)\b|\bdéjà (?:été )?(?:corrigé|résolu|implémenté)e?s?\b|\bno (?:es|son) (?:necesarios?|necesarias?) (?:\p{L}{1,12} )?(?:cambios?|modificaci\p{L}{1,6})\b|\bno hace falta (?:\p{L}{1,12} )?(?:cambi\p{L}{1,4}|modific\p{L}{1,6})|\bya (?:está|estaba|ha sido|fue) (?:corregid|resuelt|solucionad|implementad)[oa]\b|\bgià (?:stat[oa] )?(?:corrett|risolt|implementat)[oa]\b|\bjá (?:está|foi) (?:corrigid|resolvid|implementad)[oa]\b|уже исправлен|изменения не (?:нужны|требуются)|变更不要|変更(?:は|の)?(?:不要|必要(?:は)?(?:ありません|ない))|(?:すでに|既に)(?:修正|解決)(?:済み|されて)|(?:已|已经)(?:被)?(?:修复|解决)|(?:无需|不需要)(?:任何)?(?:修改|更改|改动)|이미 (?:수정|해결)|변경(?:이|은)? 필요(?:하지|가)? ?(?:없|않)/iu;
const CONDITION = /\b(?:if|whether|unless|not already|wenn|falls|ob|si|se)\b|если|もし|如果|만약/iu;

/** The sentence that says that nothing has to be changed; null if no sentence does. */
export function noChangeNeeded(text: string): string | null {
  const sentences = text.slice(-READ_CHARACTERS).split(/(?<=[.!?。！？])\s|\n|; /);
  return sentences.find((sentence) => NO_CHANGE.test(sentence) && !CONDITION.test(sentence))?.trim() ?? null;
}
