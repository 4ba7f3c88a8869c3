import type { Fix } from '../../core/detection.ts';
import { isJsonObject } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { cut, oneLine } from '../_kit/text.ts';
import { recordedCall, type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { obstacleOf } from '../_readings/conduct/call-obstacle.ts';

/** The page that the results of repeated calls show. */
export interface UnchangedPage {
  /** Address of the page. */
  address: string;
  /** Another address that the result lists next to an argument of the call; null if there is none. */
  listed: { argument: string; address: string } | null;
  /** The first repeated call before which the page was different: the call changes it, and others change it back. */
  changedAt: number | null;
  /** Whether each repeated call follows directly on the same page, so that the call does not change it. */
  isUntouched: boolean;
  /** An argument that named two elements of the page; null if it did not. */
  renumbered: RenumberedElement | null;
}

interface RenumberedElement {
  argument: string;
  /** Line of the element on the page before the call of the step. */
  elements: readonly [{ step: number; line: string }, { step: number; line: string }];
}

interface ShownPage {
  label: string;
  address: string;
  /** What the result shows after the line with the address. */
  content: string;
}

/** The part of a result that is searched for its address. */
const READ_CHARACTERS = 4_000;
/** The part of a page that is compared and searched for elements. */
const PAGE_CHARACTERS = 40_000;
/** A line that consists of a label and an address. */
const ADDRESS_LINE = /^([^:]{1,40}):\s{0,4}(https?:\/\/[^\s'"<>()[\]]{1,300}|about:blank)$/;

/** Kinds of calls that returned a result. */
const HAS_RESULT: ReadonlySet<string> = new Set(['result', 'shared_answer']);

/**
 * The page in the results of repeated calls that did not fail; null if they show none or several, or if the calls request
 * this address. Several tools must report the page with the same label: the label of one tool may belong to what it found.
 */
export function unchangedPage(trace: Trace, calls: readonly ToolUse[]): UnchangedPage | null {
  const [first] = calls;
  const pages = calls.map((call) => pageOfCall(trace, call));
  const page = pages[0];
  if (first === undefined || page === undefined || page === null) return null;
  if (pages.some((one) => one?.address !== page.address)) return null;
  const uses = toolUses(trace);
  if (!uses.some((one) => one.name !== first.name && pageIn(one)?.label === page.label)) return null;
  const areEqual = calls.every(({ argumentsText }) => argumentsText === first.argumentsText);
  const before = calls.slice(1).map((call) => effectOf(uses, call));
  const changed = before.indexOf('changed');
  return {
    address: page.address,
    listed: areEqual ? listedAddress(first, page.address) : null,
    changedAt: changed < 0 ? null : calls[changed + 1]!.step,
    isUntouched: before.every((effect) => effect === 'none'),
    renumbered: areEqual ? renumberedElement(uses, first) : null,
  };
}

function pageOfCall(trace: Trace, use: ToolUse): ShownPage | null {
  if (use.isError || use.command !== null || !HAS_RESULT.has(obstacleOf(trace, use).kind)) return null;
  const page = pageIn(use);
  return page === null || use.argumentsText.includes(page.address) ? null : page;
}

/** Whether the page differs before and after the call. Unknown if the call before it shows no page. */
function effectOf(uses: readonly ToolUse[], call: ToolUse): 'changed' | 'none' | 'unknown' {
  const [before, after] = [pageBefore(uses, call), pageIn(call)];
  if (before === null || before.label !== after?.label) return 'unknown';
  return before.address === after.address && before.content === after.content ? 'none' : 'changed';
}

function pageBefore(uses: readonly ToolUse[], call: ToolUse): ShownPage | null {
  const use = uses[uses.indexOf(recordedCall(call)) - 1];
  return use === undefined ? null : pageIn(use);
}

/** The only line with an address at the beginning of the result. A list of addresses is not about one page. */
function pageIn({ resultText }: ToolUse): ShownPage | null {
  const lines = resultText.slice(0, READ_CHARACTERS).split('\n');
  const found = lines.map((line) => ADDRESS_LINE.exec(line.replace(/^[\s-]{0,8}/, '').trim()));
  const at = found.findIndex((one) => one !== null);
  if (at < 0 || found.filter((one) => one !== null).length > 1) return null;
  const [, label, address] = found[at]!;
  const start = lines.slice(0, at + 1).reduce((length, line) => length + line.length + 1, 0);
  return { label: label!.trim(), address: address!, content: resultText.slice(start, PAGE_CHARACTERS) };
}

const FIRST_ADDRESS = /^[^\n]{0,40}?(https?:\/\/[^\s'"<>()[\]]{1,300}|about:blank)/;

/** An address shortly after `argument=value` or `"argument": value` in the result. */
function listedAddress({ arguments: args, resultText }: ToolUse, current: string): UnchangedPage['listed'] {
  const text = resultText.slice(0, READ_CHARACTERS);
  for (const [key, value] of scalarsOf(args)) {
    for (const written of [`${key}=${value}`, `${key}: ${value}`, `"${key}":${value}`, `"${key}": ${value}`]) {
      const at = text.indexOf(written);
      const rest = at < 0 ? '' : text.slice(at + written.length);
      const address = /^\w/.test(rest) ? undefined : FIRST_ADDRESS.exec(rest)?.[1];
      if (address !== undefined && address !== current) return { argument: `${key} ${value}`, address };
    }
  }
  return null;
}

function scalarsOf(args: ToolUse['arguments']): [string, string | number][] {
  if (!isJsonObject(args)) return [];
  return Object.entries(args).flatMap(([key, value]): [string, string | number][] =>
    typeof value === 'string' || typeof value === 'number' ? [[key, value]] : [],
  );
}

/** The first two elements that an argument of all calls equal to this one named on the page before them. */
function renumberedElement(uses: readonly ToolUse[], call: ToolUse): RenumberedElement | null {
  const equal = uses.filter(({ name, argumentsText }) => name === call.name && argumentsText === call.argumentsText);
  for (const [key, value] of scalarsOf(call.arguments)) {
    const elements = equal.flatMap((use) => {
      const line = elementLine(pageBefore(uses, use)?.content ?? '', value);
      return line === null ? [] : [{ step: use.step, line }];
    });
    const other = elements.find(({ line }) => line !== elements[0]!.line);
    if (other !== undefined) return { argument: `${key} ${value}`, elements: [elements[0]!, other] };
  }
  return null;
}

/** The line of a page that marks an element with this number or reference: `[27]<button Next/>`, `button "Next" [ref=e5]`. */
function elementLine(content: string, value: string | number): string | null {
  const marks = [`[${value}]`, `[ref=${value}]`];
  const line = content.split('\n').find((one) => marks.some((mark) => one.includes(mark)));
  return line === undefined ? null : cut(oneLine(line), SHOWN_CHARACTERS);
}

/** One or two sentences with a leading space. */
export function unchangedPageText({ name }: ToolUse, page: UnchangedPage): string {
  const { listed, changedAt, isUntouched, renumbered } = page;
  const same = `its result shows the same page each time (${shown(page.address)})`;
  const other = listed === null ? '' : `, although it lists ${listed.argument} as ${shown(listed.address)}`;
  const element =
    renumbered === null
      ? ''
      : ` Its ${renumbered.argument} names two elements: ${elementText(renumbered.elements[0])} and ${elementText(renumbered.elements[1])}.`;
  if (isUntouched)
    return ` ${name} reports no failure, but ${same}${other}: the call does not change the page.${element}`;
  if (changedAt === null) return ` ${name} reports no failure, and ${same}${other}.${element}`;
  return ` ${name} reports no failure, and ${same}${other}. Before step ${changedAt} the page was different: this call changes it, and calls in between change it back.${element}`;
}

function elementText({ step, line }: { step: number; line: string }): string {
  return `"${line}" before step ${step}`;
}

export function unchangedPageAdvice(call: ToolUse, second: ToolUse, page: UnchangedPage): string {
  const { name } = call;
  const who = call.agent ?? 'the agent';
  if (page.listed === null && page.renumbered !== null)
    return `Let ${name} return which element it used, or take the name of the element in place of ${page.renumbered.argument}: have ${who} look up the number in the newest page before each call.`;
  const way =
    page.listed === null
      ? 'open the address that it needs directly, use another element, or set the value in another way'
      : `open ${shown(page.listed.address)} directly`;
  if (page.isUntouched)
    return `Treat ${name} as failed if the page in its result is the same as before the call: after step ${second.step}, tell ${who} that the page is still ${shown(page.address)}, and have it ${way}.`;
  return `After step ${second.step}, tell ${who} that ${name} returned the same page as at step ${call.step}, and have it ${way}.`;
}

export function unchangedPageFix(
  { name }: ToolUse,
  page: UnchangedPage,
): Pick<Fix, 'fixType' | 'title'> & { target: string } {
  const title =
    page.listed === null && page.renumbered !== null
      ? `Return the element that ${name} used`
      : page.isUntouched
        ? `Report ${name} as failed if the page stays the same`
        : `Report when ${name} returns to an earlier page`;
  return { fixType: 'tool_change', title, target: `result of ${name}` };
}

const SHOWN_CHARACTERS = 120;

function shown(address: string): string {
  return cut(address, SHOWN_CHARACTERS);
}
