import { isJsonObject, parseJson } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd } from '../_kit/completeness.ts';
import { cut } from '../_kit/text.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { quotedSentence, statedTrouble } from '../_readings/conduct/closing-sentence.ts';
import { type ConversationTurn, conversation } from '../_readings/conduct/conversation.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { needsAnswer } from './abandoned-run.ts';
import { admittedFailures, admittedText } from './admitted-failures.ts';
import type { Verdict } from './verdict.ts';

/** Number of characters at the end of a text that are searched for a call. */
const READ_CHARACTERS = 4000;
const MAX_NAME_LENGTH = 64;
/** `{…}`, `[…]`, or fields as Python prints them: not prose. */
const IS_SERIALISED = /^\s{0,8}(?:[[{]|[A-Za-z_]\w{0,40}=)[\s\S]*[\])}]\s{0,8}$/;
/** A field with the arguments of a call, as JSON or as Python prints an object. An unused field is `None` or `null`. */
const CALL_FIELD = /(?<![^\s"'=:{}()[\],])([^\s"'=:{}()[\],]{2,64})["']? {0,4}[=:] {0,4}(?:\{|[A-Z]\w{0,60}\()/g;
/** A field that names the called tool, next to its arguments. */
const NAMED_CALL = /["'](?:tool|action|tool_name|function)["']\s{0,4}:\s{0,4}["']([^\s"'=:{}()[\],]{2,64})["']/g;
/** The arguments next to the name of the tool. */
const HAS_ARGUMENTS =
  /["'](?:arguments|args|input|tool_input|action_input|parameters|params|kwargs|tool_args)["']\s{0,4}:/i;
/** The ReAct notation, as the last lines of the text. */
const ACTION_LINE =
  /(?:^|\n)[^\S\n]{0,8}Action(?: \d{1,3})?: {0,4}([^\s"'=:{}()[\],]{2,64})[^\S\n]{0,4}(?:\[[^\n]{0,400}\]\s{0,8}$|\n[^\S\n]{0,8}Action Input:)/;

/** A run whose last message is a call of a tool that it used before: the call was never executed, and no result follows. */
export function pendingCall(trace: Trace): Verdict | null {
  if (!hasKnownEnd(trace) || trace.status === 'error' || !needsAnswer(trace)) return null;
  const last = conversation(trace).at(-1);
  if (last?.by !== 'agent' || last.calls.length > 0) return null;
  const uses = toolUses(trace);
  if (uses.length === 0 || uses.at(-1)!.step >= last.step) return null;
  const known = new Set(uses.map(({ name }) => name).filter((name) => name.length <= MAX_NAME_LENGTH));
  const tail = last.text.slice(-READ_CHARACTERS);
  const tool = calledAtTheEnd(tail, last.text.length <= READ_CHARACTERS, known, uses);
  return tool === null
    ? null
    : pendingVerdict(trace, last, [...new Set([tool, ...otherCalls(tail, known)])], uses.at(-1)!);
}

function calledAtTheEnd(
  text: string,
  isWhole: boolean,
  known: ReadonlySet<string>,
  uses: readonly ToolUse[],
): string | null {
  const action = ACTION_LINE.exec(text)?.[1];
  if (action !== undefined && known.has(action)) return action;
  if (!isWhole || !IS_SERIALISED.test(text)) return null;
  const fields = [...text.matchAll(CALL_FIELD)].map(([, name]) => name!);
  const named = HAS_ARGUMENTS.test(text) ? [...text.matchAll(NAMED_CALL)].map(([, name]) => name!) : [];
  const tool = [...fields, ...named].find((name) => known.has(name)) ?? null;
  return tool === null || isAnswerField(text, tool, uses) ? null : tool;
}

/** The position at which the text first contains the call. */
function calledFrom(text: string, tool: string): number {
  const field = [...text.matchAll(CALL_FIELD)].find(([, name]) => name === tool);
  return field?.index ?? Math.max(0, text.lastIndexOf(tool));
}

/** Like `CALL_FIELD`, for any type name of the arguments. */
const WRITTEN_CALL = /(?<![^\s"'=:{}()[\],])([^\s"'=:{}()[\],]{2,64})["']? {0,4}[=:] {0,4}(?:\{|[A-Za-z]\w{0,60}\()/g;

/** Further calls in the fields of the text: names of used tools, and fields that are empty next to another call. */
function otherCalls(text: string, known: ReadonlySet<string>): string[] {
  const names = [...text.matchAll(WRITTEN_CALL)].map(([, name]) => name!);
  return names.filter((name) => known.has(name) || text.includes(`${name}=None`) || text.includes(`"${name}":null`));
}

/** A field of an answer may have the name of a tool: its members are not the arguments that the tool was called with. */
function isAnswerField(text: string, tool: string, uses: readonly ToolUse[]): boolean {
  const whole = parseJson(text);
  const value = whole !== undefined && isJsonObject(whole) ? whole[tool] : undefined;
  if (value === undefined || !isJsonObject(value)) return false;
  const given = uses.flatMap((use) =>
    use.name === tool && isJsonObject(use.arguments) ? Object.keys(use.arguments) : [],
  );
  return !Object.keys(value).every((name) => given.includes(name));
}

const QUOTED_TEXT = /'([^'\n]{12,400})'|"([^"\n]{12,400})"/g;

/** The quoted texts of a serialised message, such as what it remembers; an answer in prose has none. */
function quotedTexts(text: string): string[] {
  if (!IS_SERIALISED.test(text)) return [];
  return [...text.slice(0, READ_CHARACTERS).matchAll(QUOTED_TEXT)].map(([, single, double]) => (single ?? double)!);
}

const COUNT = /\b(?:actions?|steps?|turns?|rounds?|iterations?)\b[^\d\n]{0,20}\b(\d{1,4}) ?(?:\/|of) ?(\d{1,4})\b/i;

/** `13/20` if a text counts steps and the limit is not reached; else null. */
function openCount(text: string): string | null {
  const [, used, limit] = COUNT.exec(text) ?? [];
  return used !== undefined && Number(used) < Number(limit) ? `${used} of ${limit}` : null;
}

function pendingVerdict(trace: Trace, last: ConversationTurn, tools: readonly string[], before: ToolUse): Verdict {
  const [tool] = tools as [string];
  const written = tools.join(' and ');
  const isOpen = before.name === tool && !before.hasResult && !before.isError;
  const who = last.agent ?? trace.steps[last.step]!.name;
  const texts = quotedTexts(last.text);
  const trouble = texts.flatMap((text) => statedTrouble(text) ?? [])[0];
  const count = texts.flatMap((text) => openCount(text) ?? [])[0];
  const pending = `${tools.length === 1 ? 'call' : 'calls'} of ${written} that step ${last.step} writes out`;
  return {
    subtype: 'call_pending',
    score: 0.9,
    step: last.step,
    steps: [last.step],
    agent: last.agent,
    explanation: `The last message of the run, by ${who} at step ${last.step}, writes out ${tools.length === 1 ? 'a call' : 'calls'} of ${written}. ${isOpen ? `The last recorded call, of ${tool} at step ${before.step}, has no result` : 'No call is recorded after it'}, and no answer follows.${trouble === undefined ? '' : ` The message says ${quotedSentence(trouble, 140)}`}${admittedText(who, admittedFailures(trace, last.agent, last.step))}`,
    suggestedAction:
      count === undefined
        ? `If the steps of ${who} are used up, call its model once more without tools, and return that answer instead of the ${pending}.`
        : `Continue the run with the ${pending}: its message counts ${count}, so its steps are not used up. If the run has to end, call the model of ${who} once more without tools, and return that answer.`,
    evidence: [
      {
        kind: 'text',
        step: last.step,
        path: 'output',
        quote: cut(last.text.slice(calledFrom(last.text, tool)).trim(), 280),
      },
    ],
    fix: checkFix('workflow_change', {
      title: 'Do not return a pending call as the answer',
      target: `end of the run of ${who}`,
      description: `When the steps of ${who} are used up while its last message is a call of ${tool}, call the model once more without tools and return that answer.`,
      after: 'if the last message is a call: ask the model for the best answer so far, without tools',
      why: 'The caller received the inner notation of a step and no answer.',
    }),
    key: tool,
  };
}
