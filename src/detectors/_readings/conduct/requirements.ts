import { isJsonObject, type Json, parseJson } from '../../../core/json.ts';
import { splitSentences } from '../../_kit/text.ts';

/** A bound that a text sets for a measure: `accuracy must be at least 0.62`. */
export interface Requirement {
  bound: number;
  isMinimum: boolean;
  /** Whether the bound itself is not enough. */
  isStrict: boolean;
  isPercent: boolean;
  /** Lower case, such as `ms`; empty without a unit. */
  unit: string;
  /** Words in lower case of the clause before the number, and after it. */
  before: ReadonlySet<string>;
  after: ReadonlySet<string>;
  quote: string;
}

/** A number that a result gives for a name: `{"accuracy": 0.6}`, `coverage: 71 %`. */
export interface Measurement {
  /** As the result writes it. */
  name: string;
  /** Words of the name in lower case, without its unit. */
  words: readonly string[];
  value: number;
  isPercent: boolean;
  unit: string;
}

const MINIMUM =
  /(?:\b(?:at least|no less than|not less than|not below|minimum(?: of)?|min\.?)|>=|≥|(?<!\p{L})(?:mindestens|wenigstens|nicht unter|minimal|al menos|por lo menos|como mínimo|mínimo(?: de)?|au moins|minimum(?: de)?|pelo menos|no mínimo|co najmniej|przynajmniej|minimum|не менее|не меньше|не ниже|минимум|как минимум)|至少|不低于|不少于|不小于|最低|少なくとも|最低)\s{0,2}$/iu;
const ABOVE =
  /(?:\b(?:above|over|more than|greater than|higher than|exceeds?)|>|(?<!\p{L})(?:über|mehr als|größer als|höher als|más de|mayor (?:que|de|a)|superior a|plus de|supérieure? à|mais de|maior (?:que|do que)|acima de|powyżej|więcej niż|более|больше|выше)|高于|大于|超过)\s{0,2}$/iu;
const MAXIMUM =
  /(?:\b(?:at most|no more than|not more than|not above|maximum(?: of)?|max\.?|up to)|<=|≤|(?<!\p{L})(?:höchstens|maximal|nicht über|como máximo|a lo sumo|máximo(?: de)?|au plus|au maximum|maximum(?: de)?|no máximo|co najwyżej|maksymalnie|не более|не больше|не выше|максимум)|最多|不超过|不高于|不大于|最高|最大)\s{0,2}$/iu;
const BELOW =
  /(?:\b(?:below|under|less than|lower than|smaller than)|<|(?<!\p{L})(?:unter|weniger als|kleiner als|menos de|menor (?:que|de|a)|inferior a|moins de|inférieure? à|menor do que|abaixo de|poniżej|mniej niż|менее|меньше|ниже)|低于|小于|少于)\s{0,2}$/iu;
const MINIMUM_AFTER =
  /^\s{0,2}(?:%|％|\p{L}{1,4}\b)?\s{0,2}(?:or (?:higher|more|better|above|greater)|oder (?:mehr|höher|besser)|o (?:más|superior)|ou (?:plus|mais|superior)|lub więcej|или (?:выше|больше|более)|或(?:以上|更高)|以上)/iu;
const MAXIMUM_AFTER =
  /^\s{0,2}(?:%|％|\p{L}{1,4}\b)?\s{0,2}(?:or (?:lower|less|below|fewer)|oder (?:weniger|niedriger)|o (?:menos|inferior)|ou (?:moins|menos|inferior)|lub mniej|или (?:ниже|меньше|менее)|或(?:以下|更低)|以下)/iu;

/** A sentence with one of these sets no bound for the work: it names a condition, a filter or a question. */
const CONDITIONAL =
  /[?？]|\b(?:if|when|whenever|whether|unless|until|while|once|in case|alert|notify|warn|check|find|search|list|show|which|filter|only those|suppose|assume|example|e\.g\.)\b|(?<!\p{L})(?:wenn|falls|sobald|ob|solange|prüfe|prüfen|finde|suche|liste|zeige|welche\p{L}?|beispiel\p{L}{0,2}|si|cuando|busca|encuentra|muestra|comprueba|avisa|quand|lorsque|cherche|trouve|vérifie|affiche|se|quando|procure|encontre|mostre|verifique|jeśli|gdy|kiedy|znajdź|pokaż|sprawdź|если|когда|найди|покажи|проверь)(?!\p{L})|如果|当|查找|检查|显示|もし|場合|ときは|探し|確認して|検索/iu;

const MAX_SENTENCE_LENGTH = 400;
const MAX_TEXT_LENGTH = 20_000;
const UNITS =
  /^(?:ns|µs|us|ms|s|sec|secs|seconds?|min|mins|minutes?|h|hours?|days?|b|kb|mb|gb|tb|kib|mib|gib|bytes?|m|cm|mm|km|kg|g|mg|l|ml|v|mv|a|ma|w|kw|kwh|hz|khz|mhz|ghz|fps|rpm|db|usd|eur|gbp|px|dpi|bps|kbps|mbps|gbps|qps|rps|c|f|k)$/i;
const WORD = /\p{L}[\p{L}\p{N}]*/gu;

/** The bounds that a text sets. Sentences with a condition, a filter or a question set none. */
export function requirementsIn(text: string): Requirement[] {
  return splitSentences(text.slice(0, MAX_TEXT_LENGTH))
    .flatMap((sentence) => sentence.split(/[\n;；。]/))
    .filter((each) => each.length <= MAX_SENTENCE_LENGTH && /\d/.test(each))
    .flatMap((each) => {
      const bounds = boundsIn(each);
      return bounds.length === 0 || CONDITIONAL.test(each) ? [] : bounds;
    });
}

const NUMBER = /(?<![\p{Script=Latin}\p{Script=Cyrillic}\d_.,-])-?\d{1,12}(?:[.,]\d{1,9})*(?![\d_])/gu;

function boundsIn(sentence: string): Requirement[] {
  const numbers = [...sentence.matchAll(NUMBER)];
  return numbers.flatMap((found, nth): Requirement[] => {
    const from = nth === 0 ? 0 : numbers[nth - 1]!.index + numbers[nth - 1]![0].length;
    const end = found.index + found[0].length;
    const before = sentence.slice(from, found.index);
    const after = sentence.slice(end, numbers[nth + 1]?.index ?? sentence.length);
    const kind = kindOf(before, after);
    const bound = numberOf(found[0]);
    if (kind === null || bound === null) return [];
    const unit = /^\s{0,2}(\p{L}{1,8})/u.exec(after)?.[1] ?? '';
    return [
      {
        ...kind,
        bound,
        isPercent: /^\s{0,2}[%％]/.test(after),
        unit: UNITS.test(unit) ? unit.toLowerCase() : '',
        before: wordsOf(before),
        after: wordsOf(after),
        quote: sentence.trim(),
      },
    ];
  });
}

/** Longer than every wording of a bound before its number, with the character before it. */
const BOUND_CHARACTERS = 20;

function kindOf(clause: string, after: string): { isMinimum: boolean; isStrict: boolean } | null {
  const before = clause.slice(-BOUND_CHARACTERS);
  if (MINIMUM.test(before) || MINIMUM_AFTER.test(after)) return { isMinimum: true, isStrict: false };
  if (MAXIMUM.test(before) || MAXIMUM_AFTER.test(after)) return { isMinimum: false, isStrict: false };
  if (ABOVE.test(before)) return { isMinimum: true, isStrict: true };
  return BELOW.test(before) ? { isMinimum: false, isStrict: true } : null;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(WORD) ?? []);
}

/** A number with a decimal point or comma; null if a comma may separate thousands. */
function numberOf(text: string): number | null {
  if (/[.,].*[.,]|^-?\d{1,3},\d{3}$/.test(text)) return null;
  return Number(text.replace(',', '.'));
}

const STATED = /(?:[:=：]|は|→)\s{0,3}(-?\d{1,12}(?:[.,]\d{1,9})?)(?![.,]?\d)\s?([%％]?)(\p{L}{0,8})/gu;
const NAME_AT_END = /\p{L}[\p{L}\p{N}_ -]{1,40}$/u;
const MAX_NAME_LENGTH = 42;
const MAX_RESULT_LENGTH = 20_000;

/** The numbers that a result gives for a name: in fields outside lists, or as `name: 0.6` in a text. */
export function measurementsIn(result: string): Measurement[] {
  const json = parseJson(result);
  if (json !== undefined && (isJsonObject(json) || Array.isArray(json))) return fieldsOf(json);
  const text = result.slice(-MAX_RESULT_LENGTH);
  return [...text.matchAll(STATED)].flatMap(({ index, 1: value, 2: percent, 3: unit }) => {
    const name = NAME_AT_END.exec(text.slice(Math.max(0, index - MAX_NAME_LENGTH), index).trimEnd())?.[0] ?? '';
    return measurement(name, numberOf(value!), percent !== '', UNITS.test(unit!) ? unit!.toLowerCase() : '');
  });
}

function fieldsOf(json: Json): Measurement[] {
  if (!isJsonObject(json)) return [];
  return Object.entries(json).flatMap(([name, value]): Measurement[] => {
    if (typeof value === 'number') return measurement(name, value, false, '');
    if (typeof value === 'string') {
      const found = /^(-?\d{1,12}(?:[.,]\d{1,9})?)\s?([%％]?)(\p{L}{0,8})$/u.exec(value.trim());
      return found === null ? [] : measurement(name, numberOf(found[1]!), found[2] !== '', found[3]!.toLowerCase());
    }
    return value !== null && typeof value === 'object' ? fieldsOf(value) : [];
  });
}

function measurement(name: string, value: number | null, isPercent: boolean, unit: string): Measurement[] {
  if (value === null) return [];
  const all = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const named = all.at(-1) ?? '';
  const isUnit = all.length > 1 && UNITS.test(named);
  const hasPercent = isPercent || /^(?:percent|pct|percentage|prozent)$/.test(named);
  const words = isUnit || (hasPercent && !isPercent) ? all.slice(0, -1) : all;
  return words.length === 0
    ? []
    : [{ name, words, value, isPercent: hasPercent, unit: unit !== '' ? unit : isUnit ? named : '' }];
}

/**
 * Whether a measurement is one of the required measure and does not meet the bound; null if it is another measure, or if the units
 * cannot be compared.
 */
export function isUnmet(requirement: Requirement, measurement: Measurement): boolean | null {
  if (!isOfMeasure(requirement, measurement) || requirement.unit !== measurement.unit) return null;
  const { bound, isMinimum, isStrict } = requirement;
  const value = inScaleOf(requirement, measurement);
  if (value === null) return null;
  if (value === bound) return isStrict;
  return isMinimum ? value < bound : value > bound;
}

/** Whether the clause of the bound has every word of the name. Words of a script without spaces are searched as a part. */
function isOfMeasure({ before, after }: Requirement, { words }: Measurement): boolean {
  if (words.every((word) => word.length < 3 && /^[\p{Script=Latin}\p{Script=Cyrillic}\d]*$/u.test(word))) return false;
  const isIn = (clause: ReadonlySet<string>) =>
    words.every((word) => clause.has(word) || (HAN.test(word) && [...clause].some((each) => each.includes(word))));
  return isIn(before) || isIn(after);
}

const HAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** The value as a percentage if the bound is one, and as a share if the bound is one. */
function inScaleOf(requirement: Requirement, { value, isPercent }: Measurement): number | null {
  const isShare = (each: number) => each >= 0 && each <= 1;
  if (requirement.isPercent === isPercent) return value;
  if (requirement.isPercent) return isShare(value) ? value * 100 : value;
  if (isShare(requirement.bound)) return value / 100;
  return requirement.bound <= 100 ? value : null;
}
