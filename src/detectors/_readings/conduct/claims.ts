/**
 * How agents describe their own work in the most frequent languages: phrases of success, and phrases that withdraw a claim.
 * A text with both makes no claim.
 */
const SUCCESS =
  /\b(?:successfully|has been (?:completed|fixed|resolved|updated|booked|created|cancelled|canceled|added|sent|processed|deployed|applied|implemented)|have been (?:completed|fixed|resolved|updated|booked|created|cancelled|canceled|added|sent|processed|deployed|applied|implemented)|all done|task (?:is )?(?:complete|completed|done)|is now (?:fixed|working|complete)|works as expected|erfolgreich|erledigt|abgeschlossen|con éxito|completado|completada|avec succès|terminée?s?\b|com sucesso|concluído|concluída|con successo|completato|met succes|voltooid|успешно|готово|выполнено)|成功|已完成|完了しました|完成しました|正常に|성공적으로|완료/iu;
const ADMISSION =
  /\b(?:unable|could ?n[o']t|can ?not|can[’']t|fail(?:ed|s|ure|ing)?|errors?|issues?|problems?|unfortunately|sorry|apologi[sz]e|however|not (?:available|found|possible|able|yet)|did ?n[o'’]t|was ?n[o'’]t|does ?n[o'’]t|unsuccessful|instead|transfer(?:red)? (?:you )?to|leider|fehler|fehlgeschlagen|nicht möglich|konnte nicht|désolée?|erreur|impossible|échoué|lo siento|error|no (?:pude|se pudo|fue posible)|desculpe|erro|falhou|não foi possível|spiacente|errore|fallito|helaas|mislukt|ошибк\p{L}{0,3}|не удалось|к сожалению)\b|失败|错误|无法|抱歉|失敗|エラー|できません|申し訳|실패|오류|죄송/iu;
const TESTS_PASS =
  /\b(?:all|the|every|existing|unit)(?: \w{1,20}){0,3} tests?(?: \w{1,20}){0,2} (?:pass|passed|passing|succeed|succeeded|green)\b|\btests? (?:are|is|now|all) (?:\w{1,10} )?(?:pass|passing|passed|green)\b|\ball \d{1,6} tests pass|\balle tests (?:laufen|bestehen|sind grün|erfolgreich)|\btous les tests passent|\btodas? las pruebas pasan|\btodos os testes passa|所有测试.{0,6}通过|测试.{0,4}全部通过|テストは?(?:すべて|全て)/iu;
/** A word that every phrase above contains. */
const NAMES_TESTS = /test|pruebas|测试|テスト/iu;

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
  return sentences.find((sentence) => TESTS_PASS.test(sentence) && !DOUBT.test(sentence))?.trim() ?? null;
}

const DOUBT =
  /\b(?:should|will|would|if|when|once|until|after|make sure|ensure|verify|check|confirm|whether|need|let(?:'|’)?s|let me|run|expect|not|n't|n’t|before|so that|hope|want|must|may|might|could|can|to see)\b/i;
