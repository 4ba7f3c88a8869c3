/** English function words: they are neither missing from a source nor found in it. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the this that these those there here it its itself he him his himself she her hers herself they them their theirs ' +
    'themselves we us our ours ourselves you your yours yourself yourselves i me my mine myself one ones who whom whose which what when where why how ' +
    'and or but nor so yet if then than as at by for from in into of off on onto out over to up with within without about ' +
    'above across after against along among around before behind below beneath beside between beyond down during except ' +
    'inside near through throughout toward towards under until upon via while because since though although whether ' +
    'am is are was were be been being do does did doing done have has had having can could may might must shall should ' +
    'will would ought get gets got getting let lets go goes ' +
    'no not none never neither nothing nobody n t s m re ve ll d don didn doesn isn aren wasn weren won wouldn couldn shouldn ' +
    'hasn haven hadn cannot ain mustn ' +
    'all any both each few more most much many other others some such own same too very just also only even still again ' +
    'ever quite rather really well yes yeah oh ok okay hey hi hello wow please thanks thank sure know think guess like ' +
    'mean lot lots etc however therefore thus hence moreover furthermore additionally overall'
  ).split(' '),
);

/** Words that negate a statement. */
export const NEGATIONS: ReadonlySet<string> = new Set(
  'no not none never neither nor nothing nobody nowhere without cannot unable fail failed fails hardly rarely'.split(
    ' ',
  ),
);
