/** An act that an agent can only carry out with a tool. */
export interface ServiceAct {
  name: string;
  /** Whether a tool carries it out, by the words of its name and description. */
  tool: RegExp;
  /** A sentence in which the agent announces the act, or says that it carried it out; one form for each language. */
  stated: readonly RegExp[];
}

/**
 * Acts of service desks in English, German, Spanish, French, Portuguese, Polish, Russian, Chinese and Japanese. The forms are in
 * the first person, in the future, present or perfect.
 */
export const SERVICE_ACTS: readonly ServiceAct[] = [
  {
    name: 'transfer',
    tool: /hand.?(?:off|over)|escalat|(?:transfer|forward|connect|give|pass|hand|call)[^.]{0,30}(?:human|person|people|colleague|operator|agent|staff|specialist|representative|expert|desk|department|support|supervisor)/i,
    stated: [
      /\bI(?:['’]ll| will| am|['’]m| have|['’]ve)(?: now| just| also| already| then| going to){0,2} (?:transfer(?:red|ring)?|hand(?:ed|ing)?|pass(?:ed|ing)?|forward(?:ed|ing)?|connect(?:ed|ing)?|put(?:ting)?|escalat(?:e|ed|ing))\b[^.!?;\n]{0,40}\b(?:colleagues?|human|person|agents?|specialists?|representatives?|operators?|team|department|staff|desk|experts?|supervisor|manager)\b/iu,
      /(?<!\p{L})(?:ich (?:werde|habe|verbinde|leite|gebe|übergebe)|(?:werde|habe|verbinde|leite|gebe|übergebe) ich)(?!\p{L})[^.!?;\n]{0,40}(?:kolleg|mitarbeite|fachabteilung|fachkraft|ansprechpartner)/iu,
      /(?<!\p{L})(?:(?:le|lo|la|te) (?:paso|transfiero|comunico|pongo en contacto|he (?:pasado|transferido))|(?:voy a|he) (?:transferi|pasa|deriva)\p{L}{1,6}|(?:transferiré|derivaré|he derivado))(?!\p{L})[^.!?;\n]{0,30}(?:compañer|colega|persona|agente|especialista|operador)/iu,
      /(?<!\p{L})je (?:vais |vous |te |l['’]ai |vous ai |viens de |transmets |transfère ){1,3}[^.!?;\n]{0,30}(?:collègue|personne|conseill|spécialiste|agent|opérat)/iu,
      /(?<!\p{L})(?:vou (?:te |lhe |o |a )?(?:transferi|encaminha|passa)\p{L}{1,6}|transferi|encaminhei|passei)(?!\p{L})[^.!?;\n]{0,30}(?:colega|pessoa|atendente|especialista|agente|operador)/iu,
      /(?<!\p{L})(?:przekaż[ęe]|przekazuję|przekazał[ae]m|przełącz[ęe]|przełączam|połącz[ęe]|łączę|połączył[ae]m)(?!\p{L})[^.!?;\n]{0,30}(?:konsultant|koleg|koleżan|pracownik|osob|specjalist|doradc)/iu,
      /(?<!\p{L})(?:переведу|перевожу|перевела?|перев[её]л|передам|передаю|передала?|соединю|соединяю|соединила?)(?!\p{L})[^.!?;\n]{0,30}(?:коллег|сотрудник|оператор|специалист|человек)/iu,
      /我(?:将|会|已|已经|现在|这就|马上|来)?[^。！？\n]{0,12}(?:转接|转给|转交|转到|接通)[^。！？\n]{0,16}(?:同事|人工|客服|专员|专家|坐席)/u,
      /(?:担当者|オペレーター|係の者|専門(?:家|スタッフ)|スタッフ)[^。！？\n]{0,8}(?:に|へ)[^。！？\n]{0,20}(?:おつなぎ|転送|引き継|取り次)[^。！？\n]{0,12}(?:ます|ました)/u,
    ],
  },
  {
    name: 'ticket',
    tool: /ticket/i,
    stated: [
      /\bI(?:['’]ll| will| am|['’]m| have|['’]ve)\b[^.!?;\n]{0,30}\b(?:open|creat|fil|rais|log|submit)(?:e|ed|ing|ted|ting|ged|ging)? (?:you )?(?:an? |the )?(?:\w{2,12} ){0,2}tickets?\b/iu,
      /(?<!\p{L})(?:ich (?:werde|habe|eröffne|erstelle|öffne)|(?:werde|habe|eröffne|erstelle|öffne) ich)(?!\p{L})[^.!?;\n]{0,30}ticket/iu,
      /(?<!\p{L})(?:voy a|he|abriré|abro|abrí|crearé|creo|creé)(?!\p{L})[^.!?;\n]{0,40}(?:abri|abiert|crea|un |el )[^.!?;\n]{0,20}(?:ticket|tique)/iu,
      /(?<!\p{L})(?:je vais|j['’]ai|j['’]ouvre|je crée|je viens d)[^.!?;\n]{0,40}ticket/iu,
      /(?<!\p{L})(?:vou|abri|abrirei|criei|criarei)(?!\p{L})[^.!?;\n]{0,40}(?:ticket|chamado)/iu,
      /(?<!\p{L})(?:otworz[ęe]|otwieram|otworzył[ae]m|utworz[ęe]|utworzył[ae]m|założ[ęe]|założył[ae]m|zakładam)(?!\p{L})[^.!?;\n]{0,40}(?:zgłoszeni|ticket|bilet)/iu,
      /(?<!\p{L})(?:создам|создаю|создала?|открою|открываю|открыла?|заведу|завожу|завела?|зав[её]л|оформлю|оформила?)(?!\p{L})[^.!?;\n]{0,40}(?:тикет|заявк|обращени)/iu,
      /我(?:将|会|已|已经|现在|这就|马上|来|为您)?[^。！？\n]{0,12}(?:创建|提交|开|建立|新建)[^。！？\n]{0,8}工单/u,
      /(?:チケット|問い合わせ票)[^。！？\n]{0,6}を[^。！？\n]{0,12}(?:作成|発行|起票|登録)[^。！？\n]{0,10}(?:ます|ました)/u,
    ],
  },
  {
    name: 'refund',
    tool: /refund|reimburs/i,
    stated: [
      /\bI(?:['’]ll| will| am|['’]m| have|['’]ve)(?: now| just| also| already| then| going to){0,2} (?:refund(?:ed|ing)?\b|(?:process|issu|initiat|request|start|trigger)(?:e|ed|ing)?\b[^.!?;\n]{0,30}\brefund)/iu,
      /(?<!\p{L})(?:ich (?:werde|habe|erstatte|veranlasse)|(?:werde|habe|erstatte|veranlasse) ich)(?!\p{L})[^.!?;\n]{0,30}(?:erstatt|rückzahl|zurückgezahlt)/iu,
      /(?<!\p{L})(?:(?:voy a|he|acabo de)(?!\p{L})[^.!?;\n]{0,30}reembols|reembols(?:o|é|aré)(?!\p{L}))/iu,
      /(?<!\p{L})(?:je vais|j['’]ai|je viens de|je vous)(?!\p{L})[^.!?;\n]{0,30}rembours/iu,
      /(?<!\p{L})(?:vou|acabei de|solicitei|fiz|iniciei)(?!\p{L})[^.!?;\n]{0,30}(?:reembols|estorn)|(?<!\p{L})(?:reembolsei|estornei)(?!\p{L})/iu,
      /(?<!\p{L})(?:zleciłem|zleciłam|zlec[ęe]|zlecam|wykonał[ae]m|zrobi[ęe]|zrobił[ae]m|dokonał[ae]m|rozpoczął?[ae]m|zwróc[ęe]|zwróciłem|zwróciłam)(?!\p{L})[^.!?;\n]{0,30}(?:zwrot|pieniądz|kwot)/iu,
      /(?<!\p{L})(?:оформлю|оформляю|оформила?|сделаю|сделала?|верну|вернула?|возвращаю)(?!\p{L})[^.!?;\n]{0,30}(?:возврат|деньги|сумму|средства)/iu,
      /我(?:将|会|已|已经|现在|这就|马上|来|为您)?[^。！？\n]{0,20}退款/u,
      /(?:ご)?返金[^。！？\n]{0,16}(?:いたします|します|いたしました|しました|行います|行いました)/u,
    ],
  },
  {
    name: 'booking',
    tool: /book|reserv/i,
    stated: [
      /\bI(?:['’]ll| will| am|['’]m| have|['’]ve)(?: now| just| also| already| then| going to){0,2} (?:book(?:ed|ing)?|reserv(?:e|ed|ing))\b/iu,
      /(?<!\p{L})(?:(?:ich (?:werde|habe)|(?:werde|habe) ich)(?!\p{L})[^.!?;\n]{0,40}(?:buchen|gebucht|reservier)|(?:ich (?:buche|reserviere)|(?:buche|reserviere) ich)(?!\p{L}))/iu,
      /(?<!\p{L})(?:(?:voy a|he|acabo de) (?:\p{L}{2,4} )?reserva|reservé(?!\p{L})|reservaré(?!\p{L}))/iu,
      /(?<!\p{L})(?:je vais|j['’]ai|je viens de|je vous ai|je) (?:vous )?réserv/iu,
      /(?<!\p{L})(?:(?:vou|acabei de) (?:\p{L}{1,4} )?reserva|reservei(?!\p{L}))/iu,
      /(?<!\p{L})(?:rezerwuję|zarezerwuję|zarezerwował[ae]m)(?!\p{L})/iu,
      /(?<!\p{L})(?:забронирую|бронирую|забронировала?|зарезервирую|зарезервировала?)(?!\p{L})/iu,
      /我(?:将|会|已|已经|现在|这就|马上|来|为您|帮您)?[^。！？\n]{0,10}(?:预订|预定|订好|预约)/u,
      /予約[^。！？\n]{0,8}(?:いたします|します|いたしました|しました|お取りしました)/u,
    ],
  },
  {
    name: 'e-mail',
    tool: /mail/i,
    stated: [
      /\bI(?:['’]ll| will| am|['’]m| have|['’]ve)(?: now| just| also| already| then| going to){0,2} (?:e-?mail(?:ed|ing)?\b|sen(?:d|t|ding)\b[^.!?;\n]{0,40}\be-?mails?\b)/iu,
      /(?<!\p{L})(?:ich (?:werde|habe|sende|schicke)|(?:werde|habe|sende|schicke) ich)(?!\p{L})[^.!?;\n]{0,30}(?:e-?mail|(?<!\p{L})mail)/iu,
      /(?<!\p{L})(?:(?:voy a|he|acabo de) (?:\p{L}{2,4} )?(?:envi|mand)\p{L}{1,8}|envié|enviaré|envío)(?!\p{L})[^.!?;\n]{0,40}(?:correo|e-?mail)/iu,
      /(?<!\p{L})(?:je vais|j['’]ai|je viens|je vous|j['’]envoie)(?!\p{L})[^.!?;\n]{0,30}(?:envo|adress)[^.!?;\n]{0,40}(?:courriel|e-?mail|mail)/iu,
      /(?<!\p{L})(?:(?:vou|acabei de) (?:\p{L}{1,4} )?(?:envia|manda)\p{L}{0,3}|enviei|mandei|enviarei)(?!\p{L})[^.!?;\n]{0,40}(?:e-?mail|correio)/iu,
      /(?<!\p{L})(?:wyśl[ęe]|wysyłam|wysłał[ae]m)(?!\p{L})[^.!?;\n]{0,40}mail/iu,
      /(?<!\p{L})(?:отправлю|отправляю|отправила?|пришлю|послала?|вышлю|выслала?)(?!\p{L})[^.!?;\n]{0,40}(?:письмо|e-?mail|почт)/iu,
      /我(?:将|会|已|已经|现在|这就|马上|来|为您)?[^。！？\n]{0,12}(?:发|发送|寄)[^。！？\n]{0,12}(?:邮件|电邮)/u,
      /メール[^。！？\n]{0,10}(?:送信|お送り|送り)[^。！？\n]{0,8}(?:ます|ました)/u,
    ],
  },
  {
    name: 'cancellation',
    tool: /cancel/i,
    stated: [
      /\bI(?:['’]ll| will| am|['’]m| have|['’]ve)(?: now| just| also| already| then| going to| successfully){0,2} cancel(?:l?ed|l?ing)?\b/iu,
      /(?<!\p{L})(?:(?:ich (?:werde|habe)|(?:werde|habe) ich)(?!\p{L})[^.!?;\n]{0,40}(?:storniere?n?t?(?!\p{L})|gekündigt|kündigen|abgesagt|absagen)|(?:ich (?:storniere|kündige)|(?:storniere|kündige) ich)(?!\p{L}))/iu,
      /(?<!\p{L})(?:(?:voy a|he|acabo de) (?:\p{L}{2,4} )?(?:cancela|anula)|cancelé|anulé|cancelaré|anularé)/iu,
      /(?<!\p{L})(?:je vais|j['’]ai|je viens d['’]|je vous ai|j['’]) ?annul/iu,
      /(?<!\p{L})(?:(?:vou|acabei de) (?:\p{L}{1,4} )?cancela|cancelei(?!\p{L}))/iu,
      /(?<!\p{L})(?:anuluję|anulował[ae]m|odwołam|odwołuję|odwołał[ae]m)(?!\p{L})/iu,
      /(?<!\p{L})(?:отменю|отменяю|отменила?)(?!\p{L})/iu,
      /我(?:将|会|已|已经|现在|这就|马上|来|为您|帮您)?[^。！？\n]{0,10}取消/u,
      /(?:キャンセル|取り消し)[^。！？\n]{0,8}(?:いたします|します|いたしました|しました)/u,
    ],
  },
  {
    name: 'order',
    tool: /(?:place|create|submit|make|new|add)[ _-]?(?:\w{1,12}[ _-])?order|^order/i,
    stated: [
      /\bI(?:['’]ll| will| am|['’]m| have|['’]ve)(?: now| just| also| already| then| going to){0,2} (?:order(?:ed|ing)?\b(?! to)|plac(?:e|ed|ing)\b[^.!?;\n]{0,30}\border\b)/iu,
      /(?<!\p{L})(?:(?:ich (?:werde|habe)|(?:werde|habe) ich)(?!\p{L})[^.!?;\n]{0,40}(?<!\p{L})bestell(?:en|t)(?!\p{L})|(?:ich bestelle|bestelle ich)(?!\p{L}))/iu,
      /(?<!\p{L})(?:(?:voy a|he|acabo de) (?:\p{L}{2,4} )?(?:pedi(?!do por)|hacer el pedido|hecho el pedido)|encargué|encargaré)/iu,
      /(?<!\p{L})(?:je vais|j['’]ai|je viens de|je) (?:vous )?command/iu,
      /(?<!\p{L})(?:(?:vou|acabei de) (?:\p{L}{1,4} )?(?:encomenda|fazer o pedido)|encomendei|fiz o pedido)/iu,
      /(?<!\p{L})(?:zamawiam|zamówię|zamówił[ae]m)(?!\p{L})/iu,
      /(?<!\p{L})(?:закажу|заказываю|заказала?)(?!\p{L})/iu,
      /我(?:将|会|已|已经|现在|这就|马上|来|为您|帮您)?[^。！？\n]{0,10}(?:下单|订购)/u,
      /注文[^。！？\n]{0,8}(?:いたします|します|いたしました|しました)/u,
    ],
  },
];
