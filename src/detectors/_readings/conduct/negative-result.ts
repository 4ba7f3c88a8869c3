import { isJsonObject, type Json, parseJson } from '../../../core/json.ts';

/** Fields that say whether something works. */
const WORKING_FIELD =
  /^(?:is_?|has_?)?(?:ok|okay|up|online|reachable|connected|connection|healthy|alive|running|working|available|ready|success|successful|passed|valid|responding|signal|erreichbar|verbunden|funktioniert|en_?linea|conectado|connecté|joignable|połączono|dostępny)$/iu;

/** A share of nothing: `0 of 4`, `0/4`, `0 packets received`, `100 % packet loss`. */
const NOTHING_OF =
  /(?<![\d.,])0\s?(?:\/|of|out of|von|de|sur|z|из)\s?[1-9]|(?<![\d.,])0 (?:\p{L}{1,20} )?(?:received|answered|connected|reachable|online|empfangen|recibidos|reçus|recebidos|odebrane|получено)|(?<![\d.,])0 個?受信|100 ?% (?:packet )?(?:loss|lost|verlust|paketverlust|perdus|perdidos|strat|потерь|丢失|损失)|100 ?%の?(?:損失|ロス)/iu;

/** Words for something that does not work, in nine languages. */
const DOWN: readonly RegExp[] = [
  /\b(?:offline|unreachable|unavailable|unhealthy|disconnected|timed out|timeout|refused|failed|failing|down|(?:no|without) (?:signal|connection|answer|response|reply|service|internet|network|power|contact|route|access|heat|light|sound|picture|water)|(?:not|never|n['’]t) (?:\w{2,12} )?(?:connected|reachable|responding|respond|answering|answer|running|working|work|available|ready|active|online|started|start|up))\b/i,
  /(?<!\p{L})(?:nicht (?:erreichbar|verbunden|verfügbar|bereit|gestartet|aktiv|in betrieb)|(?:antwortet|läuft|funktioniert|startet) nicht|kein(?:e|en)? (?:signal|verbindung|antwort|strom|netz|empfang|kontakt|wasser|licht)|ausgefallen|fehlgeschlagen|gescheitert|zeitüberschreitung)(?!\p{L})/iu,
  /(?<!\p{L})(?:sin (?:señal|conexión|respuesta|corriente|red|servicio|agua|luz)|no (?:responde|funciona|disponible|conectad[oa]|arranca|hay (?:señal|conexión|respuesta))|fuera de (?:línea|servicio)|inaccesible|falló|fallid[oa]|desconectad[oa])(?!\p{L})/iu,
  /(?<!\p{L})(?:hors (?:ligne|service)|injoignable|indisponible|pas de (?:signal|connexion|réponse|courant|réseau)|aucune? (?:signal|connexion|réponse|réseau)|ne (?:répond|fonctionne|démarre) pas|déconnectée?|échoué|échec|en panne)(?!\p{L})/iu,
  /(?<!\p{L})(?:sem (?:sinal|conexão|resposta|energia|rede|serviço|água|luz)|não (?:responde|funciona|disponível|conectad[oa]|inicia)|fora d[eo] (?:linha|ar|serviço)|inacessível|indisponível|falhou|desconectad[oa])(?!\p{L})/iu,
  /(?<!\p{L})(?:brak (?:sygnału|połączenia|odpowiedzi|prądu|sieci|zasilania|wody)|nie (?:odpowiada|działa|uruchamia się|połączono)|nieosiągaln[yae]|niedostępn[yae]|rozłączon[yae]|nie powiodło się|awaria)(?!\p{L})/iu,
  /(?<!\p{L})(?:нет (?:сигнала|связи|соединения|ответа|питания|сети|воды)|не (?:отвечает|работает|запускается|подключен[оа]?|доступ\p{L}{1,3})|недоступ\p{L}{1,3}|отключен[оа]?|сбой)(?!\p{L})/iu,
  /离线|断开|无法(?:访问|连接)|不可达|不可用|无(?:信号|响应|连接|应答)|没有(?:信号|响应|连接|应答)|未(?:连接|响应|启动|运行)|超时|失败|故障/u,
  /オフライン|応答なし|応答がありません|応答しません|接続できません|接続されていません|信号なし|到達不能|切断|停止中|失敗|動作していません|利用できません|タイムアウト/u,
];

/** Whether a result says that what it is about does not work. */
export function isNegativeResult(text: string): boolean {
  return hasFalseField(parseJson(text)) || NOTHING_OF.test(text) || saysDown(text);
}

/** Whether a text has words for something that does not work. */
export function saysDown(text: string): boolean {
  return DOWN.some((form) => form.test(text));
}

function hasFalseField(result: Json | undefined): boolean {
  if (result === undefined || !isJsonObject(result)) return false;
  return Object.entries(result).some(([name, value]) => value === false && WORKING_FIELD.test(name));
}
