import type { ToolUse } from '../_readings/calls/calls.ts';
import { listedNames, requestedTexts } from './offered-names.ts';

const MAX_LEAD_LENGTH = 60;
/** A result of this length that several calls returned says only that nothing was found. */
const MAX_LABEL_LENGTH = 60;

/** Calls of one tool that found nothing. */
export interface Misses {
  /** The common start of their results, or the whole result. */
  lead: string;
  uses: readonly ToolUse[];
}

/**
 * The results of the tool that begin like its last one, if they are at least half of its results. Otherwise those that are
 * nothing but the query and a list of other names: the last one, or at least half.
 */
export function missesOf(uses: readonly ToolUse[]): Misses | null {
  const last = uses.at(-1)!;
  const lead = leadOf(last);
  const same = lead === null ? [] : uses.filter((one) => leadOf(one) === lead);
  if (lead !== null && ((same.length > 1 && 2 * same.length >= uses.length) || same.every(isOffer)))
    return { lead, uses: same };
  const offers = uses.filter(isOffer);
  const first = leadOf(offers[0] ?? last);
  const isHalf = offers.length > 1 && 2 * offers.length >= uses.length;
  return isHalf && first !== null && offers.every((one) => leadOf(one) === first)
    ? { lead: first, uses: offers }
    : null;
}

/** The part of a result before the query that it repeats, or the whole result if it is a short label. */
export function leadOf(use: ToolUse): string | null {
  const text = use.resultText.trim();
  const at = queryAt(use);
  if (at > 0) return text.slice(0, at).replace(/["'“”]{1,3}$/, '');
  return text !== '' && text.length <= MAX_LABEL_LENGTH ? text : null;
}

/** Longest list of names that a result ends with, in characters. */
const MAX_LIST_LENGTH = 1_000;

/** Whether a result repeats the query at its start and ends with a list of names, which may be empty. */
export function isOffer(use: ToolUse): boolean {
  const at = queryAt(use);
  const line = use.resultText.trim().slice(at).split('\n').at(-1)!;
  return at > 0 && line.endsWith(']') && line.slice(-MAX_LIST_LENGTH).includes('[');
}

/** Position of the query in the start of the result that repeats it, or -1. */
function queryAt({ arguments: args, resultText }: ToolUse): number {
  const at = typeof args === 'string' && args.trim() !== '' ? resultText.trim().indexOf(args.trim()) : -1;
  return at <= MAX_LEAD_LENGTH ? at : -1;
}

const MIN_QUERIES = 3;
const MIN_START_LENGTH = 4;

/** The whole words that all queries of the misses begin with; null if they share none, or if fewer than three differ. */
export function sharedStart({ uses }: Misses): string | null {
  const queries = uses.map((use) => requestedTexts(use)[0]?.split(/\s+/) ?? []);
  const [first] = queries;
  if (first === undefined || new Set(queries.map((words) => words.join(' '))).size < MIN_QUERIES) return null;
  const other = first.findIndex((word, at) => queries.some((words) => words[at]?.toLowerCase() !== word.toLowerCase()));
  const start = first.slice(0, other === -1 ? first.length : other).join(' ');
  return start.length < MIN_START_LENGTH ? null : start;
}

/** Misses whose query is in quotation marks. */
export interface QuotedQueries {
  steps: readonly number[];
  /** Misses that list the requested name itself, without the quotation marks. */
  listed: readonly { step: number; name: string }[];
}

/** Null unless at least half of the misses have a query in quotation marks. */
export function quotedQueries({ uses }: Misses): QuotedQueries | null {
  const quoted = uses.filter(hasQuotedQuery);
  if (quoted.length === 0 || 2 * quoted.length < uses.length) return null;
  const listed = quoted.flatMap((use) => {
    const [query] = requestedTexts(use);
    const name = listedNames(use.resultText).find((each) => each.toLowerCase() === query?.toLowerCase());
    return name === undefined ? [] : [{ step: use.step, name }];
  });
  return { steps: quoted.map(({ step }) => step), listed };
}

/** Whether the result repeats the query with quotation marks directly around it. */
function hasQuotedQuery(use: ToolUse): boolean {
  const [query] = requestedTexts(use);
  if (query === undefined || query === '') return false;
  const text = use.resultText.slice(0, MAX_LEAD_LENGTH + 2 * query.length);
  return [`"${query}"`, `'${query}'`, `“${query}”`].some(
    (one) => text.includes(`[${one}]`) || text.includes(`(${one})`),
  );
}
