/** A request for a figure: how many, how much, the sum, the average. */
const ASKS_FIGURE =
  /\b(?:how (?:many|much)|number of|count|total|sum|average|wie ?viele?|anzahl|summe|gesamt\p{L}{0,12}|insgesamt|durchschnitt\p{L}{0,6}|combien|nombre|somme|moyenne|suma|promedio|quant[ioae]s?|somma|media|soma|média|hoeveel|aantal|totaal|gemiddeld\p{L}{0,2})\b|cuánt[oa]s?|сколько|количеств|сумм|всего|итого|средн|多少|几个|幾|总|總|合计|合計|平均|いくつ|何[件個人枚本冊回]|몇|얼마|총|합계|평균|كم|कितन|πόσ|כמה|กี่/iu;
/** The text speaks of all items. */
const WHOLE =
  /(?<!\p{L})(?:all|whole|entire|total|totals|altogether|overall|every|together|alle[rsnm]?|gesamt\p{L}{0,12}|insgesamt|zusammen|ganzen?|sämtliche[rsn]?|tou[st]|toutes?|ensemble|entière?|todos?|todas?|totale?s?|enter[oa]|tutt[oiae]|inter[oa]|complessiv\p{L}{1,5}|tudo|inteir[oa]|geheel|hele|totaal|samen|все|всех|всего|весь|вся|итого|вместе)(?!\p{L})|全|所有|总|總|共|すべて|合計|모두|전체|총|كل|सभी|όλ[αοε]|כל|ทั้งหมด/iu;
const SUPERLATIVE =
  /\b(?!(?:test|request|interest|forest|guest|harvest|suggest|latest|protest|contest|invest|honest|modest|arrest|digest|manifest|earnest|conquest|southwest|northwest|nearest|midwest)\b)[a-z]{3,12}est\b|\b(?:most|least|best|worst|maximum|minimum|max|min|record)\b|(?<!\p{L})(?:größ|höch|stärk|meist|klein|niedrig|schwäch|läng|kürz|schnell|langsam|billig|günstig|teuer|ält|jüng|wenig|schwer|leicht|früh|spät|tief|be)\p{L}{0,3}ste[nrms]?(?!\p{L})|(?<!\p{L})(?:le|la|les) (?:\p{L}{2,20} )?(?:le |la |les )?(?:plus|moins)(?!\p{L})|(?<!\p{L})(?:el|la|los|las|o|a|os|as|il|lo|i|gli|le) (?:\p{L}{2,20} )?(?:más|menos|mais|più|meno)(?!\p{L})|(?<!\p{L})(?:meilleure?|pire|mayor|menor|mejor|peor|maior|melhor|pior|maggiore|minore|migliore|peggiore|m[áa]xim[oa]|m[íi]nim[oa]|massim[oa]|grootste|kleinste|hoogste|laagste|sterkste|meeste|minste|langste|beste|сам(?:ый|ая|ое|ые|ого|ой|ым|ую)|наи\p{L}{3,12}|максимальн\p{L}{2,4}|минимальн\p{L}{2,4})(?!\p{L})|最|一番|もっとも|가장|최대|최소|최고|최저|제일|الأ\p{L}{2,6}|सबसे|הכי|ที่สุด/iu;
/** The text says that it is about a part. */
const PART =
  /(?<!\p{L})(?:pages?|first|so far|at least|more (?:pages|results|items|records|entries|rows)|there (?:are|is) more|further|remaining|rest|partial(?:ly)?|only|sample|shown|displayed|listed|loaded|recent|latest|up to now|seiten?|ersten?|bisher|mindestens|weitere[rsn]?|übrigen?|nur|teilweise|auszug|bislang|premi(?:er|ère)s?|au moins|d['’]autres|suivante?s?|seulement|jusqu|partiel\p{L}{0,4}|páginas?|primer[oa]?s?|al menos|hay más|solo|sólo|parcial\p{L}{0,5}|hasta ahora|primeir[oa]s?|pelo menos|há mais|apenas|até agora|pagin[ae]|prim[oaie]|almeno|altr[ie]|soltanto|finora|parzial\p{L}{1,5}|pagina['’]s|eerste|minstens|verdere|alleen|tot nu toe|gedeeltelijk|страниц\p{L}{0,2}|перв\p{L}{1,3}|как минимум|ещё|еще|пока|только|остальн\p{L}{1,3}|част\p{L}{1,4})(?!\p{L})|页|頁|首|至少|更多|其余|目前|前\d|仅|部分|ページ|最初|少なくとも|さらに|残り|現時点|以上|だけ|一部|페이지|처음|최소한|나머지|지금까지|일부|만\s/iu;

/** The request is for the first, last or best items of a list. */
const SELECTS =
  /\b(?:top|newest|latest|recent|first|next|last (?!month|week|year|quarter|night|day|season)|sample|page)\b|(?<!\p{L})(?:erste[nrs]?|letzte[nrs]?|neueste[nrs]?|jüngste[nrs]?|seite|premi(?:er|ère)s?|derni(?:er|ère)s?|récente?s?|primer[oa]?s?|últim[oa]s?|recientes?|página|primeir[oa]s?|recentes?|prim[oaie]|ultim[oaie]|recenti|pagina|eerste|laatste|nieuwste|recente|перв\p{L}{1,3}|последн\p{L}{1,3}|недавн\p{L}{1,3})(?!\p{L})|前\s?[\d一二三四五六七八九十几]|最近|最新|最后|最後|首页|最初|直近|上位|최근|최신|마지막|처음|상위/iu;

/** Whether a text asks for some items of a list only, such as the last five. */
export function selectsPart(text: string): boolean {
  return SELECTS.test(text);
}

/** Whether a text asks for a number, a sum or an average. */
export function asksForFigure(text: string): boolean {
  return ASKS_FIGURE.test(text);
}

/** Whether a text speaks of all items. */
export function namesWhole(text: string): boolean {
  return WHOLE.test(text);
}

/** Whether a text names the item that exceeds all others. */
export function hasSuperlative(text: string): boolean {
  return SUPERLATIVE.test(text);
}

/** Whether a text says that it is about a part, or that more exists. */
export function namesPart(text: string): boolean {
  return PART.test(text);
}
