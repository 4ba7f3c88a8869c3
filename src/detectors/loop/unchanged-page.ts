import { isJsonObject } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { cut } from '../_kit/text.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { obstacleOf } from '../_readings/conduct/call-obstacle.ts';

/** The page that a call leaves as it was, as the result shows it. */
export interface UnchangedPage {
  /** Address of the page. */
  address: string;
  /** Another address that the result lists next to an argument of the call; null if there is none. */
  listed: { argument: string; address: string } | null;
}

const READ_CHARACTERS = 4_000;
/** A line that consists of a label and an address. */
const ADDRESS_LINE = /^([^:]{1,40}):\s{0,4}(https?:\/\/[^\s'"<>()[\]]{1,300}|about:blank)$/;

/** Kinds of calls that returned a result. */
const HAS_RESULT: ReadonlySet<string> = new Set(['result', 'shared_answer']);

/**
 * The page in the result of a call that did not fail; null if the result shows none, or if the call requests this address.
 * Several tools must report the page with the same label: the label of one tool may belong to what it found.
 */
export function unchangedPage(trace: Trace, use: ToolUse): UnchangedPage | null {
  if (use.isError || use.command !== null || !HAS_RESULT.has(obstacleOf(trace, use).kind)) return null;
  const page = pageIn(use);
  if (page === null || use.argumentsText.includes(page.address)) return null;
  const isShared = toolUses(trace).some((one) => one.name !== use.name && pageIn(one)?.label === page.label);
  return isShared ? { address: page.address, listed: listedAddress(use, page.address) } : null;
}

/** The only line with an address at the beginning of the result. A list of addresses is not about one page. */
function pageIn({ resultText }: ToolUse): { label: string; address: string } | null {
  const lines = resultText.slice(0, READ_CHARACTERS).split('\n');
  const found = lines.flatMap((line) => ADDRESS_LINE.exec(line.replace(/^[\s-]{0,8}/, '').trim()) ?? []);
  const [, label, address] = found;
  return label === undefined || found.length > 3 ? null : { label: label.trim(), address: address! };
}

const FIRST_ADDRESS = /^[^\n]{0,40}?(https?:\/\/[^\s'"<>()[\]]{1,300}|about:blank)/;

/** An address shortly after `argument=value` or `"argument": value` in the result. */
function listedAddress({ arguments: args, resultText }: ToolUse, current: string): UnchangedPage['listed'] {
  if (!isJsonObject(args)) return null;
  const text = resultText.slice(0, READ_CHARACTERS);
  for (const [key, value] of Object.entries(args)) {
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    for (const written of [`${key}=${value}`, `${key}: ${value}`, `"${key}":${value}`, `"${key}": ${value}`]) {
      const at = text.indexOf(written);
      const rest = at < 0 ? '' : text.slice(at + written.length);
      const address = /^\w/.test(rest) ? undefined : FIRST_ADDRESS.exec(rest)?.[1];
      if (address !== undefined && address !== current) return { argument: `${key} ${value}`, address };
    }
  }
  return null;
}

/** One sentence with a leading space. */
export function unchangedPageText({ name }: ToolUse, { address, listed }: UnchangedPage): string {
  const other = listed === null ? '' : `, although it lists ${listed.argument} as ${shown(listed.address)}`;
  return ` ${name} reports no failure, but its result shows the same page each time (${shown(address)})${other}: the call does not change the page.`;
}

export function unchangedPageAdvice({ name, agent }: ToolUse, second: ToolUse, page: UnchangedPage): string {
  const who = agent ?? 'the agent';
  const way =
    page.listed === null
      ? 'open the address that it needs directly, use another element, or set the value in another way'
      : `open ${shown(page.listed.address)} directly`;
  return `Treat ${name} as failed if the page in its result is the same as before the call: after step ${second.step}, tell ${who} that the page is still ${shown(page.address)}, and have it ${way}.`;
}

const SHOWN_CHARACTERS = 120;

function shown(address: string): string {
  return cut(address, SHOWN_CHARACTERS);
}
