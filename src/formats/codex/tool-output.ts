import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import type { RefusedBy } from '../../core/trace.ts';

/** Facts that Codex reports about a tool call, read from its own lines around the output and never from the output itself. */
export interface ToolOutput {
  /** The tool's output without Codex's lines: equal outputs are equal texts. */
  text: string;
  /** Null if Codex reports neither success nor failure. */
  isError: boolean | null;
  exitCode: number | null;
  refusal: { by: RefusedBy; reason: string } | null;
  /** Background command, and background code mode script. */
  sessionId: string | null;
  cellId: string | null;
  /** The error, if it is not in the output. */
  message: string | null;
  isTimeout: boolean;
}

const NO_FACTS: ToolOutput = {
  text: '',
  isError: null,
  exitCode: null,
  refusal: null,
  sessionId: null,
  cellId: null,
  message: null,
  isTimeout: false,
};

/** @param tools the called tool and, in code mode, those that its script calls */
export function readToolOutput(output: Json, tools: readonly string[]): ToolOutput {
  if (Array.isArray(output)) {
    const parts = output.filter(isJsonObject).map(({ text }) => (typeof text === 'string' ? text : ''));
    return partsOutput(parts, tools);
  }
  if (isJsonObject(output)) return objectOutput(output, tools);
  if (typeof output !== 'string') return { ...NO_FACTS, text: output === null ? '' : JSON.stringify(output) };
  const object = output.startsWith('{') ? parseJson(output) : undefined;
  if (isJsonObject(object) && isWrapper(object)) return objectOutput(object, tools);
  return textOutput(output, tools);
}

function isWrapper(object: JsonObject): boolean {
  return isJsonObject(object.metadata) || typeof object.success === 'boolean' || isChunk(object);
}

/** Older versions: `{output, metadata: {exit_code}}` and `{content, success}`. */
function objectOutput(object: JsonObject, tools: readonly string[]): ToolOutput {
  if (isChunk(object)) return chunkOutput(object);
  const { metadata, success, output, content } = object;
  const text = [output, content].find((value) => typeof value === 'string') ?? JSON.stringify(object);
  const exitCode = isJsonObject(metadata) ? integer(metadata.exit_code) : null;
  const read = textOutput(text as string, tools);
  if (exitCode !== null) return { ...read, exitCode, isError: exitCode !== 0 };
  return typeof success === 'boolean' ? { ...read, isError: !success } : read;
}

const HEADER =
  /^(?:Chunk ID: |Wall time:? |Process |Original token count: |Exit code: |Total output lines: |Script )[^\n]{0,200}(?:\n|$)/;
const MAX_HEADER_LINES = 8;

/** Splits off the lines that Codex writes before an output, which end with `Output:`. */
function splitHeader(text: string): { header: string[]; body: string } {
  const header: string[] = [];
  let rest = text;
  for (let line = HEADER.exec(rest); line !== null && header.length < MAX_HEADER_LINES; line = HEADER.exec(rest)) {
    header.push(line[0].trimEnd());
    rest = rest.slice(line[0].length);
  }
  const isWrapped = header.length > 0 && /^Output:(?:\n|$)/.test(rest);
  return isWrapped ? { header, body: rest.replace(/^Output:\n?/, '') } : { header: [], body: text };
}

function textOutput(text: string, tools: readonly string[]): ToolOutput {
  const { header, body } = splitHeader(text);
  const script = header.find((line) => line.startsWith('Script '));
  if (script !== undefined) return scriptOutput(script, [body], tools);
  if (header.length === 0) return harnessMessage(text, tools) ?? { ...NO_FACTS, text };
  const exitCode = numberIn(header, /^(?:Process exited with code|Exit code:) (-?\d{1,10})$/);
  const sessionId = wordIn(header, /^Process running with session ID (\S+)/);
  const isTimeout = exitCode !== null && exitCode !== 0 && TIMEOUT.test(body);
  return {
    ...NO_FACTS,
    text: body,
    exitCode,
    sessionId,
    isTimeout,
    isError: exitCode === null ? null : exitCode !== 0,
  };
}

const TIMEOUT = /^(?:command timed out after \d|[a-z_]+ timed out\b)/;

function partsOutput(parts: readonly string[], tools: readonly string[]): ToolOutput {
  const [first = '', ...others] = parts;
  const { header, body } = splitHeader(first);
  const script = header.find((line) => line.startsWith('Script '));
  if (script === undefined) return textOutput(parts.join('\n'), tools);
  return scriptOutput(script, body === '' ? others : [body, ...others], tools);
}

/** Code mode: `Script completed`, `Script failed`, `Script running with cell ID 7`, followed by the script's output. */
function scriptOutput(state: string, printed: readonly string[], tools: readonly string[]): ToolOutput {
  const cellId = /^Script running with cell ID (\S+)/.exec(state)?.[1] ?? null;
  if (/^Script (?:failed|terminated)/.test(state)) {
    const text = printed.join('\n');
    const at = text.lastIndexOf('Script error:\n');
    const message = at < 0 ? text : text.slice(at + 'Script error:\n'.length);
    return { ...(harnessMessage(message, tools) ?? NO_FACTS), text, message, isError: true };
  }
  const chunks = printed.flatMap(chunksOf);
  const read = chunks.length > 0 ? mergedChunks(chunks, printed) : printedOutput(printed);
  return { ...read, cellId };
}

/** Results of commands that a script printed as JSON: `{chunk_id, wall_time_seconds, exit_code, output}`. */
export function chunksOf(printed: string): ToolOutput[] {
  const text = printed.replace(/^Warning: truncated output[^\n]*\n(?:Total output lines: \d+\n)?\n?/, '');
  const value = /^[[{]/.test(text) ? parseJson(text) : undefined;
  if (value !== undefined)
    return (Array.isArray(value) ? value : [value]).filter(isJsonObject).filter(isChunk).map(chunkOutput);
  if (!/^\[?\{"chunk_id":"/.test(text)) return [];
  // Truncated. Quotes within an output are escaped, so this can only be the start of a chunk.
  return [...text.matchAll(CHUNK_HEAD)].map(([, code, session]) => ({
    ...NO_FACTS,
    text,
    exitCode: code === undefined ? null : Number(code),
    isError: code === undefined ? null : Number(code) !== 0,
    sessionId: session ?? null,
  }));
}

const CHUNK_HEAD =
  /\{"chunk_id":"[^"\\]{0,64}","wall_time_seconds":[\d.e+-]{1,32}(?:,"exit_code":(-?\d{1,10}))?(?:,"session_id":(\d{1,20}))?/g;

function isChunk(value: JsonObject): boolean {
  return typeof value.output === 'string' && ('chunk_id' in value || typeof value.exit_code === 'number');
}

function chunkOutput(chunk: JsonObject): ToolOutput {
  const exitCode = integer(chunk.exit_code);
  const session = chunk.session_id;
  return {
    ...NO_FACTS,
    text: chunk.output as string,
    exitCode,
    isError: exitCode === null ? null : exitCode !== 0,
    sessionId: typeof session === 'number' || typeof session === 'string' ? String(session) : null,
  };
}

function mergedChunks(chunks: readonly ToolOutput[], printed: readonly string[]): ToolOutput {
  if (chunks.length === 1) return chunks[0]!;
  const failed = chunks.find(({ isError }) => isError === true);
  const isKnown = chunks.every(({ isError }) => isError !== null);
  return {
    ...NO_FACTS,
    text: printed.join('\n'),
    exitCode: failed?.exitCode ?? (isKnown ? 0 : null),
    isError: failed !== undefined ? true : isKnown ? false : null,
  };
}

const PRINTED_CODE = /^\s*exit(?:[ _]?code)?\s?[=:]\s?(-?\d{1,10})[ \t]*(?:\n|$)/i;
const PRINTED_SESSION = /^\s*session(?:[ _]?id)?\s?[=:]\s?(\d{1,20})\s*$/i;

/** Scripts print the exit code or the session id as a separate text, or an exit code as the first line. */
function printedOutput(printed: readonly string[]): ToolOutput {
  const code = printed.map((text) => PRINTED_CODE.exec(text)?.[1]).find((found) => found !== undefined);
  const session = printed.map((text) => PRINTED_SESSION.exec(text)?.[1]).find((found) => found !== undefined);
  const outputs = printed.filter((text) => !PRINTED_SESSION.test(text));
  const exitCode = code === undefined ? null : Number(code);
  return {
    ...NO_FACTS,
    text: outputs.join('\n'),
    exitCode,
    isError: exitCode === null ? null : exitCode !== 0,
    sessionId: session ?? null,
  };
}

const FIXED_ERRORS =
  /^(?:unsupported call: |failed to parse function arguments\b|unknown tool\b|exec command rejected by user|patch rejected\b|approval required by policy\b|sandbox (?:denied|error)\b|failed in sandbox\b|execution error: |collab(?:oration)? .{0,40}failed|command timed out\b|aborted(?: by user)?(?:$| after)|user (?:rejected|cancelled) MCP tool call|err: |tool call error: )/;
const TEAM_TOOLS =
  /^(?:spawn_agent|send_input|send_message|wait_agent|close_agent|resume_agent|followup_task|list_agents|interrupt_agent)$/;

/** A message of Codex in place of a tool's output; null if it is an output. */
function harnessMessage(text: string, tools: readonly string[]): ToolOutput | null {
  const isOfTool = tools.some(
    (tool) => text.startsWith(`${tool} failed`) || text.startsWith(`${tool} verification failed`),
  );
  const isOfTeam =
    tools.length === 1 && TEAM_TOOLS.test(tools[0]!) && /^[a-z]/.test(text) && !/^(?:true|false|null)$/.test(text);
  if (!isOfTool && !isOfTeam && !FIXED_ERRORS.test(text)) return null;
  const isTimeout = /^(?:command timed out|[a-z_]+ failed[^\n]{0,40}timed out)/.test(text);
  return { ...NO_FACTS, text, message: text, isError: true, isTimeout, refusal: refusalIn(text) };
}

/** The refused command is quoted before the refusal phrase and may contain the same words, so the last match is used. */
function refusalIn(text: string): ToolOutput['refusal'] {
  const tail = text.slice(-1000);
  if (
    /(?:rejected by (?:the )?user|aborted by user|user (?:rejected|cancelled) MCP tool call)\b/.test(tail) &&
    !/rejected by user approval settings/.test(tail)
  )
    return { by: 'user', reason: 'rejected by the user' };
  const reason = [...tail.matchAll(/(?:` |^patch |Rejected\(\\*")rejected: ([^"\\\n]{1,300})/g)].at(-1)?.[1];
  if (reason !== undefined) return { by: 'policy', reason };
  if (/^(?:approval required by policy|sandbox denied|failed in sandbox)/.test(text))
    return { by: 'policy', reason: text.slice(0, 300) };
  const denied = /Rejected\(\\*"([^"\\\n]{1,300})/.exec(tail)?.[1];
  return denied === undefined ? null : { by: 'policy', reason: denied };
}

function integer(value: Json | undefined): number | null {
  return typeof value === 'number' && Number.isInteger(value) ? value : null;
}

function wordIn(lines: readonly string[], pattern: RegExp): string | null {
  return lines.map((line) => pattern.exec(line)?.[1]).find((found) => found !== undefined) ?? null;
}

function numberIn(lines: readonly string[], pattern: RegExp): number | null {
  const word = wordIn(lines, pattern);
  return word === null ? null : Number(word);
}
