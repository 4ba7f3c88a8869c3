import type { Trace } from '../../core/trace.ts';
import { cut } from '../_kit/text.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { joinedCalls } from '../_readings/calls/joined-calls.ts';
import { type UnknownToolCall, unknownToolCalls } from '../_readings/calls/unknown-tools.ts';
import { agentTurns, type ConversationTurn } from '../_readings/conduct/conversation.ts';
import { writtenResults } from './written-results.ts';

export type ProvisionGap =
  | 'unknown_tool'
  | 'missing_tool'
  | 'call_written_as_text'
  | 'result_written_as_text'
  | 'claimed_tool_use';

export interface Provision {
  subtype: ProvisionGap;
  score: number;
  steps: [number, ...number[]];
  agent: string | null;
  tool: string;
  quote: string;
  path: string;
  /** Of `result_written_as_text`: where generation has to stop. */
  stop?: string;
  /** Of `unknown_tool`: the names of the tools whose calls were joined into one; at least two. */
  joined?: readonly string[];
}

/** Calls that were refused because the tool does not exist: one gap for each name, and one for all calls that were joined. */
export function unknownTools(trace: Trace): Provision[] {
  const joined = joinedCalls(trace);
  const isJoined = new Set(joined.map(({ use }) => use));
  const others = unknownToolCalls(trace).filter(({ use }) => !isJoined.has(use));
  return [
    ...groups(joined, ({ use }) => use.agent ?? '').map((of) => ({
      ...unknownTool(of, callsWorkAfter(trace, of) ? 0.5 : scoreOf(of)),
      joined: of[0].names,
    })),
    ...groups(others, ({ use }) => use.name).map((of) => unknownTool(of, scoreOf(of))),
  ];
}

function unknownTool(of: readonly [UnknownToolCall, ...UnknownToolCall[]], score: number): Provision {
  const [{ use, message }] = of;
  const steps = stepsOf(of.map((call) => call.use));
  return {
    subtype: 'unknown_tool',
    score,
    steps,
    agent: use.agent,
    tool: use.name,
    quote: message,
    path: 'tool.result',
  };
}

function scoreOf(of: readonly UnknownToolCall[]): number {
  return of.length > 1 ? 0.8 : 0.7;
}

/** Whether a call of the same agent worked after the last of these calls: the agent repeated what was not carried out. */
function callsWorkAfter(trace: Trace, of: readonly UnknownToolCall[]): boolean {
  const last = of.at(-1)!.use;
  return toolUses(trace).some(({ step, agent, isError }) => step > last.step && agent === last.agent && !isError);
}

function groups<T>(all: readonly T[], keyOf: (each: T) => string): [T, ...T[]][] {
  return [...Map.groupBy(all, keyOf).values()] as [T, ...T[]][];
}

function stepsOf(all: readonly { step: number }[]): [number, ...number[]] {
  return [...new Set(all.map(({ step }) => step))] as [number, ...number[]];
}

const LACKS =
  /(?:^|[.!?\n]\s{0,3})((?:[\w ,'’]{0,60}\b)?(?:I|we)(?: currently| also| still| simply)? (?:do ?n[o'’]t|do not|lack|have no|am missing)(?: currently)?(?: have)?(?: any| the| a| direct)*(?: \w{1,15})? (?:tools?|functions?|capabilit(?:y|ies)|ability|access|function|means)\b[^.!?\n]{0,160})|((?:ich habe|mir fehlt|es gibt) [^.!?\n]{0,40}\b(?:kein(?:e|en)? (?:Werkzeug|Tool|Funktion|Zugriff))[^.!?\n]{0,120})|(no tengo (?:acceso|ninguna herramienta|la capacidad)[^.!?\n]{0,120})|(je n['’]ai pas (?:accès|d['’]outil|la possibilité)[^.!?\n]{0,120})|(没有(?:可用的)?(?:工具|权限|访问)[^。！？\n]{0,60})/iu;

/** Every phrase for a missing tool contains one of these words. */
const LACK_CUE = /do ?n[o'’]t|lack|have no|am missing|ich habe|mir fehlt|es gibt|no tengo|je n|没有/iu;

/** An agent that reports more than once that it lacks a tool for the task. */
export function missingTools(trace: Trace): Provision[] {
  const message = agentTurns(trace).flatMap((turn) => {
    const text = turn.text.slice(0, 3000);
    const found = LACK_CUE.test(text) ? LACKS.exec(text) : null;
    const sentence = found?.slice(1).find((part) => part !== undefined);
    return sentence === undefined ? [] : [{ ...turn, sentence: sentence.trim() }];
  });
  return groups(message, ({ agent }) => agent ?? '').flatMap((turns) =>
    turns.length < 2
      ? []
      : [
          {
            subtype: 'missing_tool' as const,
            score: turns.length > 2 ? 0.55 : 0.48,
            steps: stepsOf(turns),
            agent: turns[0].agent,
            tool: 'a tool',
            quote: turns[0].sentence,
            path: 'output',
          },
        ],
  );
}

const WRITTEN_CALL =
  /<function[= ]["']?([\p{L}_][\p{L}\p{N}_.-]{1,60})|<(?:tool_call|function_call|invoke name=")>?\s{0,4}\{?\s{0,4}(?:"name":\s{0,2}")?([\p{L}_][\p{L}\p{N}_.-]{1,60})|^\s{0,8}(?:```(?:json|tool_code|tool_call)?\s{0,4})?\{\s{0,8}"(?:name|tool|function|action|tool_name)":\s{0,2}"([\p{L}_][\p{L}\p{N}_.-]{1,60})",\s{0,8}"(?:arguments|parameters|args|input|action_input|tool_input)":/mu;

/**
 * Calls between the control tokens of a chat template (Mistral, Llama, DeepSeek, Kimi, gpt-oss). A server that does not parse
 * them returns them as text.
 */
const UNPARSED_CALL =
  /\[TOOL_CALLS\]\s{0,4}(?:\[\s{0,4}\{\s{0,4}"name":\s{0,2}")?([\p{L}_][\p{L}\p{N}_.-]{1,60})|<\|python_tag\|>\s{0,4}(?:\{\s{0,4}"name":\s{0,2}"([\p{L}_][\p{L}\p{N}_.-]{1,60})|([\p{L}_][\p{L}\p{N}_-]{1,60})\.call\()|<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?([\p{L}_][\p{L}\p{N}_.-]{1,60})|<\|channel\|>commentary to=(?:functions\.)?([\p{L}_][\p{L}\p{N}_-]{1,60})|<\|tool_call_begin\|>(?:functions\.)?([\p{L}_][\p{L}\p{N}_-]{1,60})/u;

interface WrittenCall {
  tool: string;
  /** Position in the text. */
  index: number;
}

/** The call that a text contains; null if it contains none. */
function writtenCall(text: string, known: ReadonlySet<string>): WrittenCall | null {
  if (!mayContainCall(text)) return null;
  const unparsed = UNPARSED_CALL.exec(text);
  const found = unparsed ?? WRITTEN_CALL.exec(text);
  const tool = found?.slice(1).find((name) => name !== undefined);
  if (found === null || tool === undefined || (unparsed === null && !known.has(tool))) return null;
  return { tool, index: found.index };
}

function mayContainCall(text: string): boolean {
  return text.includes('{') || text.includes('<');
}

const MIN_WRITTEN = 3;

/**
 * Turns that end with a call as text (of a known tool, or between control tokens), make no call, and after which the tool
 * was not called. JSON that repeats an earlier call quotes it. One of them is a warning if it is the last turn of the run:
 * its call is all that the user received.
 */
export function callsWrittenAsText(trace: Trace): Provision[] {
  const uses = toolUses(trace);
  const known = new Set([...trace.toolDefinitions.map(({ name }) => name), ...uses.map(({ name }) => name)]);
  const turns = agentTurns(trace);
  const written = turns.flatMap((turn, nth) => {
    const found = turn.calls.length > 0 ? null : writtenCall(turn.text, known);
    if (found === null || !isAtEnd(turn.text, found.index)) return [];
    if (wasCarriedOut(uses, turn, turns[nth + 1], found.tool) || isQuoted(uses, turn, found)) return [];
    return [{ ...turn, tool: found.tool, quote: cut(turn.text.slice(found.index).trimStart(), 200) }];
  });
  return groups(written, ({ tool }) => tool).map((all) => ({
    subtype: 'call_written_as_text',
    score: all.length >= MIN_WRITTEN || all.at(-1)!.step === turns.at(-1)!.step ? 0.72 : 0.5,
    steps: stepsOf(all),
    agent: all[0].agent,
    tool: all[0].tool,
    quote: all[0].quote,
    path: 'output',
  }));
}

/** Answers with a call and its result that no tool returned; one for each agent. */
export function resultsWrittenAsText(trace: Trace): Provision[] {
  return groups(writtenResults(trace), ({ agent }) => agent ?? '').map((all) => ({
    subtype: 'result_written_as_text',
    score: all.some(({ isCertain }) => isCertain) ? 0.78 : 0.5,
    steps: stepsOf(all),
    agent: all[0].agent,
    tool: all[0].tool,
    quote: all[0].result,
    path: 'output',
    stop: all[0].stop,
  }));
}

/** Closing marks of a call. */
const CLOSING = /[\s}\])"'`;]|<[|｜][^<>]{1,30}[|｜]>|<\/?[\w=." -]{1,40}>|\/\w{1,20}>/g;
const MAX_AFTER = 20;

/** Whether nothing but closing marks follows the call. A text about calls continues. */
function isAtEnd(text: string, from: number): boolean {
  const rest = text.slice(from);
  const end = Math.max(...['}', '</', ']', ')'].map((mark) => rest.lastIndexOf(mark)));
  return (end === -1 ? rest : rest.slice(end)).replace(CLOSING, '').length <= MAX_AFTER;
}

/** Whether the call was executed. Frameworks that parse calls from text run them before the next model call. */
function wasCarriedOut(
  uses: readonly ToolUse[],
  turn: ConversationTurn,
  next: ConversationTurn | undefined,
  tool: string,
): boolean {
  return uses.some(
    ({ name, step }) => name === tool && step >= turn.step && step <= (next?.step ?? Number.POSITIVE_INFINITY),
  );
}

/** Whether the text is JSON of a call that was made before, with its arguments. */
function isQuoted(uses: readonly ToolUse[], { step, text }: ConversationTurn, { tool, index }: WrittenCall): boolean {
  const written = withoutSpaces(text.slice(index));
  if (!/^(?:```|\{)/.test(written)) return false;
  return uses.some(({ name, step: made, arguments: args }) => {
    if (name !== tool || made >= step) return false;
    const given = withoutSpaces(typeof args === 'string' ? args : JSON.stringify(args));
    return given.length > MIN_ARGUMENTS && written.includes(given);
  });
}

/** `{}` and shorter values identify no call. */
const MIN_ARGUMENTS = 4;

function withoutSpaces(text: string): string {
  return text.replace(/\s/g, '');
}

const CLAIMS_USE =
  /\bI(?:['’]ve| have)? (?:used|called|queried|ran|invoked|executed) (?:the )?[`"'“]?([A-Za-z][\w.-]{3,60})[`"'”]?(?: (?:tool|function|API))?\b/gi;

/** An agent that claims to have used a declared tool that was never called in the run. */
export function claimedTools(trace: Trace): Provision[] {
  const used = new Set(toolUses(trace).map(({ name }) => name.toLowerCase()));
  const declared = trace.toolDefinitions.map(({ name }) => name).filter((name) => /[_A-Z.-]/.test(name.slice(1)));
  const unused = new Set(declared.map((name) => name.toLowerCase()).filter((name) => !used.has(name)));
  if (unused.size === 0) return [];
  return agentTurns(trace).flatMap((turn) => {
    const claim = [...turn.text.slice(0, 4000).matchAll(CLAIMS_USE)].find(([, name]) =>
      unused.has(name!.toLowerCase()),
    );
    if (claim === undefined || turn.calls.some((name) => name.toLowerCase() === claim[1]!.toLowerCase())) return [];
    const at = { steps: [turn.step] as [number], agent: turn.agent, tool: claim[1]!, quote: claim[0], path: 'output' };
    return [{ subtype: 'claimed_tool_use', score: 0.75, ...at }];
  });
}
