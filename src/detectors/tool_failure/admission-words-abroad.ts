/** Words for failures besides negations, in the languages whose short texts are recognised. */
const TROUBLE: readonly RegExp[] = [
  /(?<!\p{L})(?:abgelehnt|abgewiesen|verweigert|gesperrt|blockiert|gescheitert|abgebrochen|ausgefallen|unerreichbar|ungültig|defekt|kaputt|probleme?n?|störung|außer|statt|stattdessen|anderen?|aber|noch (?:ein)?mal|nochmals?|wieder)(?!\p{L})/iu,
  /(?<!\p{L})(?:refusée?s?|rejetée?s?|bloquée?s?|indisponibles?|inaccessibles?|invalides?|problèmes?|panne|malheureusement|sauf|autres?|mais|plutôt|encore)(?!\p{L})/iu,
  /(?<!\p{L})(?:rechaz\p{L}{1,6}|bloquead[oa]s?|denegad[oa]s?|caíd[oa]s?|problemas?|fallos?|falla\p{L}{0,4}|excepto|salvo|otr[oa]s?|pero|lamentablemente)(?!\p{L})/iu,
  /(?<!\p{L})(?:rifiutat[oaie]|bloccat[oaie]|negat[oaie]|problem[ai]|guast[oaie]|purtroppo|tranne|altr[oaie]|ma|invece|ancora)(?!\p{L})/iu,
  /(?<!\p{L})(?:recusad[oa]s?|rejeitad[oa]s?|bloquead[oa]s?|negad[oa]s?|problemas?|infelizmente|exceto|outr[oa]s?|mas)(?!\p{L})/iu,
  /(?<!\p{L})(?:geweigerd|geblokkeerd|afgewezen|problemen|probleem|storing|fout(?:en)?|behalve|andere?|maar|nogmaals)(?!\p{L})/iu,
  /(?<!\p{L})(?:odrzucon\p{L}{1,2}|zablokowan\p{L}{1,2}|błęd\p{L}{0,3}|błąd|awari\p{L}{1,2}|problem\p{L}{0,2}|oprócz|inn[yae]\p{L}{0,2}|ale|jeszcze raz|ponown\p{L}{1,2})(?!\p{L})/iu,
  /(?<!\p{L})(?:отклон\p{L}{1,6}|отказ\p{L}{0,5}|заблокир\p{L}{1,6}|недоступ\p{L}{1,3}|неудач\p{L}{1,4}|сбо[йяе]\p{L}{0,2}|проблем\p{L}{0,3}|кроме|друг\p{L}{1,4}|но|ещё|еще)(?!\p{L})/iu,
  /(?<!\p{L})(?:\p{L}{1,20}(?:[ae]?m[ae]d[ıi]|m[ıiuü]yor|[ae]m[ae]z)\p{L}{0,4}|reddedil\p{L}{1,6}|engellen\p{L}{1,6}|hatas?\p{L}{0,4}|sorun\p{L}{0,4}|arıza\p{L}{0,3}|ancak|ama|fakat|başka|hariç|tekrar|yeniden)(?!\p{L})/iu,
  /拒|错|錯|异常|異常|问题|問題|停|但|除|另|其他|残念|障害|中断|タイムアウト|他の|別の|ただし/u,
  /거부|거절|문제|장애|중단|지만|다른|제외|대신/u,
];

/** Whether a text contains a word for a failure, an exception or another attempt. */
export function speaksOfTroubleAbroad(text: string): boolean {
  return TROUBLE.some((form) => form.test(text));
}
