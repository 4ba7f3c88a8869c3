import { canonicalJson, isJsonObject, type Json, type JsonObject, parseJson } from '../../../core/json.ts';
import { cut } from '../../_kit/text.ts';
import type { ToolUse } from './calls.ts';

/** What a result says about items that it does not contain. */
export interface Rest {
  /** The part of the result that says it, such as `"next":6` or `page 1/8`. */
  quote: string;
  /** The value with which the next call continues; null if the result names none. */
  next: string | null;
  /** Number of all items or pages; null if unknown. */
  total: number | null;
}

const RESULT_LIMIT = 200_000;
/** Names without separators and in lower case. */
const HAS_MORE =
  /^(?:hasmore|hasnext|hasnextpage|hasmorepages|hasmoreitems|hasmoreresults|morepages|moreavailable|moreresults|more|istruncated|incompleteresults)$/;
const NEXT =
  /^(?:next|nextcursor|nextpage|nextpagetoken|nexttoken|nextoffset|nextstart|nextlink|nexturl|nextpageuri|nextrecordsurl|odatanextlink|continuation|continuationtoken|continue|paginationtoken|pagetoken)$/;
const PAGE = /^(?:page|currentpage|pagenumber|pageno)$/;
const PAGES = /^(?:pages|totalpages|pagecount|lastpage|numpages|numberofpages|pagestotal)$/;
const TOTAL =
  /^(?:total|totalcount|totalresults|totalitems|totalhits|totalrows|totalrecords|totalelements|totalmatches|totalsize|numfound|itemstotal|resultstotal)$/;
/** Arguments and fields that select a part of a list. */
const PART_NAME =
  /^(?:page|pageno|pagenumber|pagesize|perpage|size|limit|top|maxresults|offset|skip|start|startat|startindex|from|cursor|after|before|token|pagetoken|nexttoken|nextpagetoken|continuation|continuationtoken|next)$/;

/** What the result of a call says about further items; null if it says nothing or that there are none. */
export function restOf(use: ToolUse, itemsRead: number): Rest | null {
  if (use.isError || use.resultText.length > RESULT_LIMIT) return null;
  const value = parseJson(use.resultText);
  return value === undefined
    ? restInText(use.resultText)
    : isJsonObject(value)
      ? restInObject(value, use, itemsRead)
      : null;
}

function restInObject(result: JsonObject, use: ToolUse, itemsRead: number): Rest | null {
  const fields = fieldsOf(result);
  const find = (name: RegExp) => fields.find(([key]) => name.test(key));
  const more = find(HAS_MORE);
  if (more?.[1] === false) return null;
  const passed = namesIn(use.arguments);
  const next = fields.find(([key, value]) => isNext(key, value, passed, use));
  if (next !== undefined) return { quote: quoteOf(next), next: String(next[1]), total: null };
  if (more?.[1] === true) return { quote: quoteOf(more), next: null, total: null };
  const [page, pages] = [find(PAGE), find(PAGES)];
  if (typeof page?.[1] === 'number' && typeof pages?.[1] === 'number')
    return page[1] > 0 && page[1] < pages[1]
      ? { quote: `${quoteOf(page)}, ${quoteOf(pages)}`, next: null, total: pages[1] }
      : null;
  const total = find(TOTAL);
  const isPaged = [...passed, ...fields.map(([key]) => key)].some((name) => PART_NAME.test(name));
  if (typeof total?.[1] !== 'number' || !Number.isInteger(total[1]) || !isPaged || total[1] <= itemsRead) return null;
  return { quote: quoteOf(total), next: null, total: total[1] };
}

/** Whether a field names where the list continues. A cursor counts if the call passes one, and it is another one. */
function isNext(key: string, value: Json, passed: readonly string[], use: ToolUse): boolean {
  const isPlace = typeof value === 'number' || (typeof value === 'string' && /^\S{1,2000}$/.test(value));
  if (!isPlace || use.argumentsText.includes(JSON.stringify(value))) return false;
  const isUrl = typeof value === 'string' && /^https?:/.test(value);
  if (NEXT.test(key)) return isUrl || key !== 'next' || passed.some((name) => PART_NAME.test(name));
  return key === 'cursor' && passed.includes('cursor');
}

type Field = readonly [key: string, value: Json, name: string];

function quoteOf([, value, name]: Field): string {
  return cut(`"${name}":${JSON.stringify(value)}`, 120);
}

const MAX_DEPTH = 3;

/** The fields of an object and of the objects in it, without those in lists. */
function fieldsOf(object: JsonObject, depth = 1): Field[] {
  return Object.entries(object).flatMap(([name, value]): Field[] =>
    isJsonObject(value) && depth < MAX_DEPTH ? fieldsOf(value, depth + 1) : [[keyOf(name), value, name]],
  );
}

function keyOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

function namesIn(args: Json): string[] {
  if (Array.isArray(args)) return args.flatMap(namesIn);
  return isJsonObject(args) ? Object.entries(args).flatMap(([name, value]) => [keyOf(name), ...namesIn(value)]) : [];
}

/** `page 1/8` and `page 1 of 8`. */
const PAGE_OF =
  /(?<![\p{L}\d])(?:page|seite|página|pagina|pág\.|страница|стр\.|sida|side|strona|strana|sayfa|halaman|trang|σελίδα|صفحة|पृष्ठ|עמוד|หน้า)[ :#]{0,3}(?<page>\d{1,5}) ?(?:\/|of|von|sur|de|di|van|из|av|af|z|ze|dari|trên|από|من|में से|מתוך|จาก) ?(?<pages>\d{1,5})(?!\d)/iu;
/** `第1页，共8页`, `1/8ページ`. */
const PAGE_OF_CJK =
  /第 ?(?<page>\d{1,5}) ?(?:页|頁|ページ)[^\d\n]{0,4}(?<pages>\d{1,5}) ?(?:页|頁|ページ)|(?<part>\d{1,5}) ?\/ ?(?<all>\d{1,5}) ?(?:页|頁|ページ|페이지)/u;
/** `全8ページ中1ページ`, `전체 8페이지 중 1페이지`. */
const OF_PAGES = /(?<pages>\d{1,5}) ?(?:ページ中|페이지 중) ?(?<page>\d{1,5})/u;
/** `1-10 of 236`. */
const RANGE_OF =
  /(?<![\d.,:/-])\d{1,6} ?(?:-|–|—|to|bis|à|a|до|~|〜|至) ?(?<page>\d{1,6}) (?:of|out of|von|sur|de|di|van|из|av|共|中) ?(?:about |some |over )?(?<pages>\d{1,3}(?:[,.]\d{3})+|\d{1,9})(?![\d.,:/-]?\d)/iu;
/** `and 38 more`, `… 38 weitere`. */
const MORE_ROWS =
  /(?<![\d.,])(?<count>\d{1,7}) (?:more|further|additional|weitere|autres|más|mais|altr[ie]|andere|fler)(?!\p{L})|(?<![\p{L}\d])(?:otros|outros|altri|nog|ещё|еще|还有|還有|他|ほか) ?(?<other>\d{1,7})(?!\d)|(?<rows>\d{1,7})(?:개|건) 더/iu;
const STATES_PAGE = [PAGE_OF, PAGE_OF_CJK, OF_PAGES, RANGE_OF];
const EDGE = 300;

function restInText(text: string): Rest | null {
  const [head, tail] = [text.slice(0, EDGE), text.slice(-EDGE)];
  for (const edge of head === tail ? [head] : [head, tail]) {
    const found = STATES_PAGE.reduce<RegExpExecArray | null>((first, form) => first ?? form.exec(edge), null);
    const groups = found?.groups;
    const page = Number(groups?.page ?? groups?.part);
    const pages = Number((groups?.pages ?? groups?.all ?? '').replace(/[.,]/g, ''));
    if (found !== null) return page < pages ? { quote: found[0], next: null, total: pages } : null;
  }
  const lastLines = tail.split('\n').slice(-3).join('\n');
  const more = MORE_ROWS.exec(lastLines);
  return more === null ? null : { quote: more[0].trim(), next: null, total: null };
}

/** The arguments without those that select a part of the list: equal for the pages of one list. */
export function listKey(use: ToolUse): string {
  return canonicalJson(withoutParts(use.arguments));
}

function withoutParts(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutParts);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !PART_NAME.test(keyOf(name)));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutParts(inner)]));
}

/** An item of a list: its numbers by the name or position of their column. */
export type ListedItem = Readonly<Record<string, number>>;

/** The items of a result: the longest list in a JSON value, else the lines with the same count of numbers. */
export function itemsIn(resultText: string): ListedItem[] {
  if (resultText.length > RESULT_LIMIT) return [];
  const value = parseJson(resultText);
  return value === undefined ? itemsInText(resultText) : longestList(value).map(numbersOf);
}

/** The longest list in a JSON value. */
export function longestList(value: Json, depth = 1): Json[] {
  if (Array.isArray(value)) return value;
  if (!isJsonObject(value) || depth > MAX_DEPTH) return [];
  const lists = Object.values(value).map((inner) => longestList(inner, depth + 1));
  return lists.reduce((longest, list) => (list.length > longest.length ? list : longest), []);
}

function numbersOf(item: Json): ListedItem {
  if (typeof item === 'number') return { value: item };
  if (!isJsonObject(item)) return {};
  return Object.fromEntries(
    Object.entries(item).flatMap(([name, value]) => {
      const number = typeof value === 'string' && /^-?\d{1,12}(?:\.\d{1,6})?$/.test(value) ? Number(value) : value;
      return typeof number === 'number' ? [[name, number]] : [];
    }),
  );
}

const LINE_NUMBER = /\d{1,12}(?:\.\d{1,6})?/g;
const MIN_LINES = 2;
const LINE_LIMIT = 400;

function itemsInText(text: string): ListedItem[] {
  const lines = text
    .split('\n')
    .map((line) => line.slice(0, LINE_LIMIT))
    .filter((line) => !STATES_PAGE.some((form) => form.test(line)))
    .map((line) => Array.from(line.matchAll(LINE_NUMBER), ([digits]) => Number(digits)));
  const groups = [...Map.groupBy(lines, ({ length }) => length)].filter(
    ([length, own]) => length > 0 && own.length >= MIN_LINES,
  );
  const [, largest = []] = groups.sort(([, a], [, b]) => b.length - a.length)[0] ?? [];
  return largest.map((numbers) => Object.fromEntries(numbers.map((number, at) => [`${at + 1}`, number])));
}
