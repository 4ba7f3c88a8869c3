import { isJsonObject, type Json, parseJson } from '../../../core/json.ts';
import type { Trace } from '../../../core/trace.ts';
import { toolUses } from '../calls/calls.ts';
import { restOf } from '../calls/list-pages.ts';

/** A status that says that work has not ended. */
export interface OpenProgress {
  /** The step whose result states it. */
  step: number;
  /** The tool or the node. */
  name: string;
  kind: 'percent' | 'count' | 'measure' | 'state';
  /** The part of the result that states it, such as `"percent":60`. */
  quote: string;
  /** The number of the last status; null for a state. */
  reached: number | null;
  /** The number at which the work ends; null if the results do not state it. */
  end: number | null;
  /** The unit or noun behind the number; empty if it has none. */
  unit: string;
}

interface Status {
  step: number;
  name: string;
  text: string;
}

/** Longer results are data. */
const STATUS_LIMIT = 600;

/**
 * Statuses at the end of the run that say that work goes on: the last call, if it was a repeated check or states a part of a
 * count, and the last round of a workflow node without a later call.
 */
export function openProgress(trace: Trace): OpenProgress[] {
  const uses = toolUses(trace);
  const last = uses.at(-1);
  const found: (OpenProgress | null)[] = [];
  if (last !== undefined && !last.isError && last.command === null && last.resultText.length <= STATUS_LIMIT) {
    const checks = uses.filter(({ name, argumentsText }) => name === last.name && argumentsText === last.argumentsText);
    found.push(openIn(checks.map(({ step, name, resultText }) => ({ step, name, text: resultText }))));
    if (restOf(last, 0) === null) found.push(partOfCount({ step: last.step, name: last.name, text: last.resultText }));
  }
  const rounds = trace.steps.filter(
    ({ node, kind, output, index }) =>
      node !== null &&
      (kind === 'chain' || kind === 'other') &&
      output.length <= STATUS_LIMIT &&
      index > (last?.step ?? -1),
  );
  for (const own of Map.groupBy(rounds, ({ node }) => node!).values())
    found.push(openIn(own.map(({ index, node, output }) => ({ step: index, name: node!, text: output }))));
  return found.filter((one) => one !== null);
}

const PERCENT_FIELD =
  /"(percent|percentage|pct|progress|progress_?percent(?:age)?|percent_?(?:complete|done))" ?: ?"?(\d{1,3}(?:\.\d{1,4})?)%?"?/i;
const PERCENT = /(?<![\d.,])(\d{1,3}(?:[.,]\d{1,2})?) ?[%％]/;
const COUNT =
  /(?<![\d.,:/-])(\d{1,7}) ?(?:\/|of|out of|von|sur|de|di|van|из|av|af) ?(\d{1,7})(?![\d.,:/-]\d)(?: (?:the )?(\p{L}{3,20}))?/iu;
const MEASURE = /(?<![\d.,:/-])(\d{1,9}(?:[.,]\d{1,3})?) ?(°[CF]|\p{L}{1,10}[\d²³]?)(?![\p{L}\d])/u;
const STATE_FIELD = /"(?:status|state|phase|stage)" ?: ?"([A-Za-z_ -]{4,20})"/i;
/**
 * States of work in machine-readable results. Without `pending` and `processing`, which are also last states of a placed order, and
 * without `running`, the last state of a started service.
 */
const GOES_ON =
  /^(?:in[_ -]?progress|queued|building|rendering|executing|uploading|downloading|importing|exporting|converting|encoding|training|deploying|provisioning|starting|initiali[sz]ing|generating|transcribing|indexing|syncing|receiving)$/i;

/** What a series of at least two statuses says about its end; null if nothing shows that it goes on. */
function openIn(statuses: readonly Status[]): OpenProgress | null {
  const last = statuses.at(-1);
  if (statuses.length < 2 || last === undefined) return null;
  const at = { step: last.step, name: last.name };
  const texts = statuses.map(({ text }) => text);
  const percent = rising(texts, PERCENT_FIELD, 2) ?? (isJson(last.text) ? null : rising(texts, PERCENT, 1));
  if (percent !== null) {
    const isShare = percent.values.every((value) => value <= 1);
    const end = isShare ? 1 : 100;
    return percent.last < end
      ? { ...at, kind: 'percent', quote: percent.quote, reached: percent.last, end, unit: '%' }
      : null;
  }
  const count = rising(texts, COUNT, 1);
  if (count !== null) return partOfCount(last);
  const state = STATE_FIELD.exec(last.text);
  if (state !== null && GOES_ON.test(state[1]!))
    return { ...at, kind: 'state', quote: state[0], reached: null, end: null, unit: '' };
  const measure = isJson(last.text) || !haveSameWords(texts) ? null : rising(texts, MEASURE, 1);
  const unit = measure === null ? '' : MEASURE.exec(last.text)![2]!;
  return measure === null
    ? null
    : { ...at, kind: 'measure', quote: measure.quote, reached: measure.last, end: null, unit };
}

function partOfCount({ step, name, text }: Status): OpenProgress | null {
  const found = isJson(text) ? null : COUNT.exec(text);
  const [reached, end] = [Number(found?.[1]), Number(found?.[2])];
  if (found === null || !(reached < end)) return null;
  return { step, name, kind: 'count', quote: found[0], reached, end, unit: found[3] ?? '' };
}

/** The number in the last text, if each text has one and it rises from each to the next. */
function rising(
  texts: readonly string[],
  form: RegExp,
  group: number,
): { values: number[]; last: number; quote: string } | null {
  const found = texts.map((text) => form.exec(text));
  if (found.some((one) => one === null)) return null;
  const values = found.map((one) => Number(one![group]!.replace(',', '.')));
  const isRising = values.slice(1).every((value, at) => value > values[at]!);
  return isRising ? { values, last: values.at(-1)!, quote: found.at(-1)![0] } : null;
}

/** Whether the texts differ in their digits only. */
function haveSameWords(texts: readonly string[]): boolean {
  const [first, ...others] = texts.map((text) => text.replace(/\d{1,12}/g, '0'));
  return others.every((text) => text === first);
}

function isJson(text: string): boolean {
  const value: Json | undefined = parseJson(text);
  return Array.isArray(value) || isJsonObject(value);
}
