import type { Trace } from '../../core/trace.ts';
import { memoizeByRef } from '../_kit/memoize.ts';
import { letterWords } from '../_kit/text.ts';
import { conversation } from '../_readings/conduct/conversation.ts';
import type { Family } from './families.ts';
import type { OutsideText } from './outside-texts.ts';
import type { Suspicion } from './scan.ts';
import { isRestriction } from './work-instructions.ts';

/** Limit for a score that is an observation at most. */
const MENTION_LIMIT = 0.3;

/**
 * The suspicions of a text from outside without ordinary texts: instructions for a human reader, limits of a change for
 * agents, and short questions that only the model finds. What quotes an attack, or is a sample that the user asks to review, is an observation at most.
 */
export function withoutOrdinaryTexts(
  trace: Trace,
  source: OutsideText,
  suspicions: readonly Suspicion[],
): readonly Suspicion[] {
  if (source.channel !== 'data' || suspicions.length === 0) return suspicions;
  const isSample = isAttackReview(trace);
  return suspicions
    .filter(
      (suspicion) =>
        !isForReader(source.text, suspicion) &&
        !isShortQuestion(source.text, suspicion) &&
        !isRestriction(source.text, suspicion),
    )
    .map((suspicion) =>
      isSample || isQuotation(source.text, suspicion)
        ? { ...suspicion, score: Math.min(suspicion.score, MENTION_LIMIT) }
        : suspicion,
    )
    .sort((a, b) => b.score - a.score);
}

const READER_FAMILIES: ReadonlySet<Family> = new Set(['override', 'out_of_place', 'attack_wording']);
const CONTEXT = 120;
/** What instructions can be printed on, or be about. */
const PLACE =
  /(?<!\p{L})(?:instructions?|directions|anweisungen|hinweise|consignes|instrucciones|indicaciones|istruzioni|instruções|aanwijzingen|instrukcje|инструкции) (?:(?:that|which|die) (?:are|is) )?(?:(?:printed|written|shown|given|gedruckt|imprimées?|impresas?|stampate) )?(?:(?:on|in|from|auf|sur|en|de|del|sulla|sul|na|no|op|na|на) (?:(?:the|a|an|your|its|this|dem|der|den|la|le|el|il|de|het) |l['’])?(?:box|boxes|sticker|label|packag(?:e|ing)|packet|pack|bottle|bag|tin|can|carton|jar|leaflet|wrapper|lid|poster|sign|back|grey|gray|red|blue|green|italics|bold|aufkleber|etikett|verpackung|packung|schachtel|karton|dose|flasche|beipackzettel|emballage|boîte|étiquette|notice|paquete|envase|caja|etiqueta|confezione|scatola|etichetta|embalagem|caixa|verpakking|doos|opakowaniu|etykiecie|упаковке|этикетке|коробке)|(?:about|regarding|concerning|for|on|zur|zum|über|pour|sobre|para|per|voor|o|по) (?:(?:the|my|our|your|die|den|la|le|el|los|il|de|het) )?(?:delivery|shipping|parcel|package|order|booking|pick-?up|lieferung|zustellung|bestellung|abholung|livraison|commande|entrega|envío|pedido|consegna|ordine|bezorging|levering|dostaw\p{L}|доставк\p{L}))(?!\p{L})/iu;
/** `the cooking instructions` */
const KIND =
  /(?<!\p{L})(?:cooking|baking|washing|laundry|cleaning|care|assembly|mounting|delivery|shipping|parking|heating|dosage|storage|packing|driving|boarding) (?:instructions?|directions)(?!\p{L})/iu;
/** The writer's own instructions: `meine vorherigen Anweisungen`. */
const OWN =
  /(?<!\p{L})(?:my|our|meine[nrm]?|unsere[nrm]?|mes|nos|mis|nuestras|minhas|nossas|(?:le )?mie|nostre|mijn|onze|moje|nasze|мои|наши) (?:\p{L}{2,20} ){0,2}(?:instructions?|anweisung(?:en)?|hinweise?|vorgaben|consignes|instrucciones|indicaciones|istruzioni|instruções|instructies|instrukcje|инструкци\p{L})(?!\p{L})/iu;

/** Whether the instructions to be ignored are printed on a thing, about a delivery, or the writer's own. */
function isForReader(text: string, { families, start, end }: Suspicion): boolean {
  if (!families.includes('override') || !families.every((family) => READER_FAMILIES.has(family))) return false;
  const own = text.slice(Math.max(0, start - CONTEXT), end + CONTEXT);
  return PLACE.test(own) || KIND.test(own) || OWN.test(own);
}

/** A shorter question is one that people ask each other: `Lunch?`, `Can you call me?` */
const MIN_WORDS = 6;

function isShortQuestion(text: string, { families, start, end }: Suspicion): boolean {
  if (!families.every((family) => family === 'out_of_place')) return false;
  const place = text.slice(start, end);
  return /[?？]\W{0,4}$/.test(place) && letterWords(place).length < MIN_WORDS;
}

const QUOTE_CHARACTERS = 300;
const QUOTE_MARKS: ReadonlySet<string> = new Set(['"', "'", '“', '„', '”', '«', '»', '`']);
/** A quotation opens after a word and a blank, a bracket or a colon. */
const LEAD = /[\p{L}\p{N}][,.:–-]?[ (:]$/u;
/** An apostrophe inside a word closes nothing. */
const CLOSING = /["“”»`]|'(?!\p{L})/u;
const IS_FORMAT = /^\s{0,20}[[{]/;

/** Whether the most certain match is quoted in a sentence, as in a report about an attack. */
function isQuotation(text: string, { hits }: Suspicion): boolean {
  const [at] = hits;
  if (at === undefined) return false;
  const before = text.slice(Math.max(0, at.start - QUOTE_CHARACTERS), at.start);
  const after = text.slice(at.end, at.end + QUOTE_CHARACTERS).split('\n', 1)[0]!;
  const mark = [...before].findLastIndex((sign) => QUOTE_MARKS.has(sign));
  if (mark === -1 || before.includes('\n', mark) || !CLOSING.test(after)) return false;
  const isEscaped = before[mark - 1] === '\\';
  // In JSON, a bare quotation mark begins or ends a value.
  if (IS_FORMAT.test(text) && before[mark] === '"' && !isEscaped) return false;
  return LEAD.test(before.slice(0, isEscaped ? mark - 1 : mark));
}

const MAX_REQUEST_LENGTH = 2_000;
/** Words of a request to work with attacks. */
const ATTACK_SAMPLES =
  /\b(?:(?:sample|example|test|known|attack|adversarial|malicious|injection|jailbreak) (?:attacks?|injections?|jailbreaks?|prompts?|strings?|samples?|payloads?|inputs?|cases)|prompt.?injections?|jailbreaks?|red.?team\w{0,4}|attack samples?)\b|(?<!\p{L})(?:angriffsbeispiele?n?|beispielangriffe?n?|attaques? d['’]exemple|exemples? d['’]attaques?|ataques de (?:ejemplo|prueba|exemplo|teste)|attacchi di (?:esempio|prova)|voorbeeldaanvallen|przykładow\p{L}{2} atak\p{L}{0,3}|пример\p{L}{1,2} атак|saldırı örnek\p{L}{0,6})(?!\p{L})|提示注入|攻击样本|攻撃サンプル|攻撃例|プロンプトインジェクション|프롬프트 인젝션|공격 예시/iu;

/** Whether a user asks for work on attacks: they are then the material. */
const isAttackReview = memoizeByRef((trace: Trace): boolean =>
  conversation(trace).some(
    ({ by, text }) => by === 'user' && text.length <= MAX_REQUEST_LENGTH && ATTACK_SAMPLES.test(text),
  ),
);
