import { isJsonObject, type Json, type JsonObject, leafTexts, parseJson } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd, isComplete } from '../_kit/completeness.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { cut } from '../_kit/text.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { longestList } from '../_readings/calls/list-pages.ts';
import { agentTurns, conversation } from '../_readings/conduct/conversation.ts';
import { checkFix, ruleFix } from '../_readings/conduct/remedy.ts';

/** A superlative of one measure, in English, German, Spanish, French, Portuguese, Polish, Russian, Chinese and Japanese. */
interface Extreme {
  word: 'cheapest' | 'most expensive' | 'earliest' | 'latest';
  form: RegExp;
  isLowest: boolean;
  isTime: boolean;
}

const EXTREMES: readonly Extreme[] = [
  {
    word: 'cheapest',
    isLowest: true,
    isTime: false,
    form: /\b(?:cheapest|least expensive|lowest[- ](?:price|fare|cost|rate)\w{0,2})\b|(?<!\p{L})(?:billigste|günstigste|preiswerteste|preisgünstigste)[nrsm]?(?!\p{L})|(?<!\p{L})(?:más (?:barat|económic)[oa]s?|menor precio|mais barat[oa]s?|menor preço|moins ch(?:ère?|er)s?)(?!\p{L})|(?<!\p{L})najtańsz\p{L}{1,4}|(?<!\p{L})сам\p{L}{2,3} (?:деш[её]в|недорог)\p{L}{2,3}|最便宜|价格最低|最安|(?:一番|最も)安/iu,
  },
  {
    word: 'most expensive',
    isLowest: false,
    isTime: false,
    form: /\b(?:most expensive|dearest|highest[- ](?:price|fare|cost|rate)\w{0,2})\b|(?<!\p{L})teuerste[nrsm]?(?!\p{L})|(?<!\p{L})(?:más car[oa]s?|mais car[oa]s?|plus ch(?:ère?|er)s?)(?!\p{L})|(?<!\p{L})najdroższ\p{L}{1,4}|(?<!\p{L})сам\p{L}{2,3} дорог\p{L}{2,3}|最贵|(?:一番|最も)高(?:い|価)/iu,
  },
  {
    word: 'earliest',
    isLowest: true,
    isTime: true,
    form: /\bearliest\b|(?<!\p{L})früheste[nrsm]?(?!\p{L})|(?<!\p{L})(?:más tempran[oa]s?|plus tôt|mais cedo)(?!\p{L})|(?<!\p{L})najwcześniejsz\p{L}{1,4}|(?<!\p{L})сам\p{L}{2,3} ранн\p{L}{2,3}|最早|(?:一番|最も)早/iu,
  },
  {
    word: 'latest',
    isLowest: false,
    isTime: true,
    form: /\blatest (?:train|flight|bus|ferry|slot|appointment|departure)\b|(?<!\p{L})späteste[nrsm]?(?!\p{L})|(?<!\p{L})(?:más tarde|plus tard|mais tarde)(?!\p{L})|(?<!\p{L})najpóźniejsz\p{L}{1,4}|(?<!\p{L})сам\p{L}{2,3} поздн\p{L}{2,3}|最晚|(?:一番|最も)遅/iu,
  },
];
/** A further wish, which the extreme item may not meet. */
const CONDITION =
  /\b(?:with|without|but|at least|at most|under|over|below|above|only|near|close|before|after|between|that|which|who|except|direct|non-?stop|prefer\w{0,4}|if|unless|not|no|must|should)\b|(?<!\p{L})(?:mit|ohne|aber|mindestens|höchstens|unter|über|nur|nahe|vor|zwischen|wenn|nicht|keine?[rsnm]?|con|sin|pero|menos de|más de|solo|sólo|cerca|antes|después|entre|si|avec|sans|mais que|moins de|plus de|seulement|près|avant|après|com|sem|mas|apenas|perto|depois|se|bez|ale|tylko|blisko|przed|po|między|jeśli|без|но|только|рядом|после|между|если|не)(?!\p{L})|但|带有|含早|不少于|以上|以下|以内|附近|之前|之后|が、|付き|以内|以上|以下|だけ|なし/iu;
/**
 * Words that name a place before a name (`nach Rom`, `z Berlina`, `до Рима`) and a condition before other words (`nach 10 Uhr`,
 * `z balkonem`, `до обеда`). German nouns begin with a capital letter, so its times of day are listed.
 */
const CONDITION_BEFORE_WORD =
  /(?<!\p{L})(?:[Nn]ach (?:\p{Ll}|\d|(?:Mittag|Mitternacht|Feierabend|Ostern|Pfingsten|Weihnachten|Neujahr|Sonnen)|(?:Mon|Diens|Donners|Frei|Sams|Sonn)tag|Mittwoch)|(?:[Zz]e?|[Сс]о?|[Дд]о) (?:\p{Ll}|\d))/u;
const PRICE =
  /price|cost|fare|amount|rate|total|eur|usd|gbp|chf|jpy|cny|pln|brl|preis|prix|precio|preço|cena|цена|价|価/iu;
const TIME = /^(?:\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?Z?)?|\d{2}:\d{2})$/;
const MIN_ROWS = 2;
const MAX_ROWS = 200;

interface OtherThanExtreme {
  extreme: Extreme;
  list: ToolUse;
  use: ToolUse;
  column: string;
  taken: { id: string; value: number | string };
  best: { id: string; value: number | string };
  answer: { step: number; text: string };
}

/**
 * The user asks for the cheapest (or most expensive, earliest, latest) item, one result lists the items with that measure, a
 * call takes another one, and the answer calls it the extreme one. Null if the request has a further condition, or if another
 * field or call may be the reason.
 */
export function otherThanExtreme(trace: Trace): OtherThanExtreme | null {
  if (!hasKnownEnd(trace) || !isComplete(trace) || trace.codingSession !== undefined) return null;
  const answer = agentTurns(trace).at(-1);
  if (answer === undefined || answer.calls.length > 0) return null;
  // Most answers contain no superlative, and the requests are not read.
  const answered = EXTREMES.filter(({ form }) => form.test(answer.text));
  if (answered.length === 0) return null;
  const requests = conversation(trace).filter(({ by }) => by === 'user');
  const request = [trace.task ?? '', ...requests.map(({ text }) => text)].join('\n');
  const asked = EXTREMES.filter(({ form }) => form.test(request));
  const [extreme] = asked;
  if (extreme === undefined || asked.length > 1 || !answered.includes(extreme)) return null;
  const wish = request.replace(extreme.form, ' ');
  if (CONDITION.test(wish) || CONDITION_BEFORE_WORD.test(wish)) return null;
  const all = toolUses(trace);
  const uses = all.filter(({ isError }) => !isError);
  const lists = uses.flatMap((list) => {
    const rows = rowsOf(list);
    const column = rows === null ? null : columnOf(rows, extreme);
    return rows === null || column === null ? [] : [{ list, rows, column }];
  });
  const [only] = lists;
  if (only === undefined || lists.length > 1) return null;
  const { list, rows, column } = only;
  const later = uses.filter(({ step }) => step >= list.step && step <= answer.step).filter((use) => use !== list);
  const use = takingCall(later, rows, column, answer.text);
  if (use === null) return null;
  const taken = rowIn(use, rows, column);
  const sorted = [...rows].sort((a, b) => compare(a[column]!, b[column]!));
  const best = extreme.isLowest ? sorted[0]! : sorted.at(-1)!;
  if (taken === null || compare(taken.row[column]!, best[column]!) === 0 || mayBeReason(best, taken.row, rows, column))
    return null;
  const bestIds = idsOf(best, rows, column);
  const [bestId] = bestIds;
  // A call for the extreme item that failed was tried, too: it may be sold out.
  const tried = new Set(all.filter(({ step }) => step >= list.step).flatMap((one) => leafTexts(one.arguments)));
  if (bestId === undefined || bestIds.some((id) => tried.has(id))) return null;
  if (!use.changesState && names(answer.text, bestIds)) return null;
  return {
    extreme,
    list,
    use,
    column,
    taken: { id: taken.id, value: taken.row[column] as number | string },
    best: { id: bestId, value: best[column] as number | string },
    answer,
  };
}

/**
 * The call that takes an item: the only one that can change something. Without one, the only call that passes an item which
 * the answer names: what a tool is named does not show that it only reads.
 */
function takingCall(
  later: readonly ToolUse[],
  rows: readonly JsonObject[],
  column: string,
  answer: string,
): ToolUse | null {
  const calls = later.filter(({ command }) => command === null);
  const changes = calls.filter(({ changesState }) => changesState);
  if (changes.length > 0) return changes.length === 1 ? changes[0]! : null;
  const passing = calls.filter((use) => rowIn(use, rows, column) !== null);
  const [use] = passing;
  if (use === undefined || passing.length > 1) return null;
  return names(answer, idsOf(rowIn(use, rows, column)!.row, rows, column)) ? use : null;
}

function names(answer: string, ids: readonly string[]): boolean {
  return ids.some((id) => answer.includes(id));
}

function rowsOf({ resultText, command }: ToolUse): JsonObject[] | null {
  if (command !== null || !/^\s{0,10}[[{]/.test(resultText)) return null;
  const value = parseJson(resultText);
  const list = value === undefined ? [] : longestList(value);
  return list.length >= MIN_ROWS && list.length <= MAX_ROWS && list.every(isJsonObject) ? list : null;
}

/** The one column with the measure: a number for a price, else a time. */
function columnOf(rows: readonly JsonObject[], { isTime }: Extreme): string | null {
  const names = Object.keys(rows[0]!).filter((name) =>
    rows.every((row) =>
      isTime ? typeof row[name] === 'string' && TIME.test(row[name]) : typeof row[name] === 'number',
    ),
  );
  const named = isTime ? names : names.filter((name) => PRICE.test(name));
  const [column] = named;
  return named.length === 1 ? column! : null;
}

function compare(a: Json, b: Json): number {
  return a! < b! ? -1 : a! > b! ? 1 : 0;
}

/** The row whose id the call passes, if it passes that of one row. */
function rowIn(use: ToolUse, rows: readonly JsonObject[], column: string): { row: JsonObject; id: string } | null {
  const passed = leafTexts(use.arguments);
  const found = rows.flatMap((row) => {
    const id = idsOf(row, rows, column).find((one) => passed.includes(one));
    return id === undefined ? [] : [{ row, id }];
  });
  return found.length === 1 ? found[0]! : null;
}

/** The values of a row that no other row has. */
function idsOf(row: JsonObject, rows: readonly JsonObject[], column: string): string[] {
  return Object.entries(row)
    .filter(([name, value]) => name !== column && (typeof value === 'string' || Number.isInteger(value)))
    .filter(([name, value]) => rows.filter((other) => other[name] === value).length === 1)
    .map(([, value]) => String(value))
    .filter((value) => value.length > 1);
}

/** Whether another field can explain the choice: a flag, a category, a missing value, or a count of nothing. */
function mayBeReason(best: JsonObject, taken: JsonObject, rows: readonly JsonObject[], column: string): boolean {
  return Object.keys({ ...best, ...taken }).some((name) => {
    const [one, other] = [best[name], taken[name]];
    if (name === column || one === other) return false;
    if (one === 0 || one === undefined || one === null || other === undefined || other === null) return true;
    if (typeof one === 'number') return false;
    return typeof one !== 'string' || rows.some((row) => rows.some((same) => same !== row && same[name] === row[name]));
  });
}

export function otherThanExtremeDetection(trace: Trace, found: OtherThanExtreme): DetectionDraft<'other_than_extreme'> {
  const { extreme, list, use, column, taken, best, answer } = found;
  const who = use.agent ?? 'the agent';
  const spanOf = (step: number) => trace.steps[step]!.spanId;
  return {
    subtype: 'other_than_extreme',
    score: 0.68,
    step: use.step,
    steps: [...new Set([use.step, list.step, answer.step])],
    agent: use.agent,
    explanation: `The user asked for the ${extreme.word} item. At step ${use.step} ${use.name} ${use.changesState ? 'took' : 'was called with'} "${taken.id}", whose ${column} is ${taken.value}. In the result of step ${list.step} "${best.id}" has ${best.value}, and the answer still calls the item the ${extreme.word} one.`,
    suggestedAction: `Check whether the call for "${taken.id}" has to be undone, and repeat it with "${best.id}".`,
    evidence: [
      { kind: 'call', spanId: spanOf(use.step), path: 'tool.arguments', quote: taken.id, value: null },
      { kind: 'source', spanId: spanOf(list.step), path: 'tool.result', quote: best.id, value: column },
      { kind: 'text', spanId: spanOf(answer.step), path: 'output', quote: cut(answer.text.trim(), 250), value: null },
    ],
    fixes: [
      checkFix('tool_change', {
        title: `Sort the result of ${list.name}`,
        target: list.name,
        description: `Let ${list.name} sort its items by ${column} on request, so that the ${extreme.word} one is the first.`,
        after: `${list.name}(…, sort="${column}")`,
        why: 'Models compare numbers in a list wrongly; a program does not.',
      }),
      ruleFix(trace, use.agent, {
        title: `Compare all items before ${use.name}`,
        rule: `If the user asks for the ${extreme.word} item, go through the ${column} of every item of the result before you call ${use.name}.`,
        why: `${who} took "${taken.id}" (${taken.value}) although "${best.id}" has ${best.value}.`,
      }),
    ],
    key: `${use.name} ${column}`,
  };
}
