import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { type ToolUse, toolUses } from './calls.ts';

/** A call that was refused because no tool has its name. */
export interface UnknownToolCall {
  use: ToolUse;
  /** What the runtime answered. */
  message: string;
}

/** Placeholder for the name of the called tool. */
const NAME = '§';

/** How a runtime begins the report that the requested tool does not exist, including the tool's name. */
const NO_SUCH_TOOL = [
  /\b(?:unknown|invalid|unrecogni[sz]ed|undefined|unsupported|unavailable|non-?existent|no such|no) (?:tool|function)(?: call| name| named| called| available| found| registered)?[\s:'"`(]{0,4}§/i,
  /\b(?:tool|function)(?: call| named| called)?[\s:'"`(]{0,4}§['"`)]{0,2} (?:is not|isn't|was not|not) (?:a valid|valid|available|found|defined|registered|supported|known|recogni[sz]ed)/i,
  /\b(?:tool|function)(?: call| named| called)?[\s:'"`(]{0,4}§['"`)]{0,2} (?:does not exist|doesn't exist|is unknown|is invalid)/i,
];
/** Further wordings, which a text about something else may contain: read in errors only. */
const NO_SUCH_TOOL_ERROR = [
  ...NO_SUCH_TOOL,
  /§['"`)]{0,2} (?:is not|isn't) an? (?:(?:valid|available|known|registered) )?(?:tool|function)\b/i,
  /(?:ToolNotFound|UnknownTool|InvalidTool|NoSuchTool)[A-Za-z]{0,20}\b[^\n]{0,60}§/i,
];

/**
 * Calls that were refused because the tool does not exist: the error or the beginning of the result names the called tool,
 * and no other call of it succeeded. An error about another missing thing, such as a function in a query, is not a missing
 * tool.
 */
export const unknownToolCalls = memoizeByRef((trace: Trace): readonly UnknownToolCall[] => {
  const uses = toolUses(trace);
  const refused = uses.flatMap((use) => {
    const message = refusalIn(use);
    return message === null ? [] : [{ use, message }];
  });
  if (refused.length === 0) return [];
  const returned = new Set(refused.map(({ use }) => use));
  const known = new Set(trace.toolDefinitions.map(({ name }) => name));
  for (const use of uses) if (!use.isError && !returned.has(use)) known.add(use.name);
  return refused.filter(({ use }) => !known.has(use.name));
});

const READ_CHARACTERS = 400;
/** A quote or a bracket may come before the report. */
const MAX_BEFORE = 2;

/** The report that the tool of a call does not exist; null if the call got another result. */
function refusalIn({ name, command, failure, resultText }: ToolUse): string | null {
  if (name === '' || command !== null) return null;
  const message = failure?.message ?? resultText;
  const start = failure === null ? resultText.trimStart() : `${failure.code} ${message}`;
  const text = start.slice(0, READ_CHARACTERS).replaceAll(name, NAME);
  if (!text.includes(NAME)) return null;
  const isRefused =
    failure === null
      ? NO_SUCH_TOOL.some((wording) => isAtStart(text, wording))
      : NO_SUCH_TOOL_ERROR.some((wording) => wording.test(text));
  return isRefused ? message : null;
}

function isAtStart(text: string, wording: RegExp): boolean {
  const at = text.search(wording);
  return at >= 0 && at <= MAX_BEFORE;
}
