import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { contentText, textOf } from '../coding-session/fields.ts';
import { readToolOutput, type ToolOutput } from './tool-output.ts';

/** The result of one call in an event of its own, under the call's id. */
export interface NestedResult {
  callId: string;
  tool: string;
  /** The command, if the tool is a shell. */
  request: string | null;
  /** Null if the event does not report them. */
  arguments: Json;
  output: ToolOutput;
}

/** Reads `exec_command_end`, `patch_apply_end`, `mcp_tool_call_end`, `web_search_end` and `item_completed`; null for others. */
export function nestedResultIn(type: string, payload: JsonObject): NestedResult | null {
  const item = isJsonObject(payload.item) ? payload.item : {};
  const [kind, event] = type === 'item_completed' ? [textOf(item.type), item] : [type, payload];
  const callId = textOf(event.call_id) ?? textOf(event.id);
  const read = kind === null ? undefined : READERS[kind];
  return callId === null || read === undefined ? null : { callId, ...read(event) };
}

type Read = Omit<NestedResult, 'callId'>;

const READERS: Readonly<Record<string, (event: JsonObject) => Read>> = {
  CommandExecution: commandResult,
  exec_command_end: commandResult,
  FileChange: patchResult,
  patch_apply_end: patchResult,
  McpToolCall: mcpResult,
  mcp_tool_call_end: mcpResult,
  WebSearch: () => searchResult(),
  web_search_end: () => searchResult(),
};

function commandResult({ command, aggregated_output, exit_code, status }: JsonObject): Read {
  const outputText = Array.isArray(command) ? command.filter((word) => typeof word === 'string') : [];
  const text = textOf(aggregated_output) ?? '';
  const exitCode = typeof exit_code === 'number' ? exit_code : null;
  const hasFailed = status === 'failed' || status === 'declined' || (exitCode !== null && exitCode !== 0);
  return {
    tool: 'exec_command',
    request: outputText.at(-1) ?? null,
    arguments: null,
    output: outcome(text, hasFailed, exitCode),
  };
}

function patchResult({ success, status, stdout, stderr }: JsonObject): Read {
  const hasFailed = success === false || status === 'failed' || status === 'declined';
  const text = [textOf(stdout), textOf(stderr)].filter((part) => part !== null).join('\n');
  return { tool: 'apply_patch', request: null, arguments: null, output: outcome(text, hasFailed, null) };
}

/** `{Ok: {content, isError}}` or `{Err: "…"}`. */
function mcpResult(event: JsonObject): Read {
  const { invocation, server, tool, result, error } = event;
  const call = isJsonObject(invocation)
    ? invocation
    : { server: server ?? null, tool: tool ?? null, arguments: event.arguments ?? null };
  const name = `mcp__${textOf(call.server) ?? ''}__${textOf(call.tool) ?? ''}`;
  const requested = { tool: name, request: null, arguments: call.arguments ?? null };
  const { Ok: good = null, Err: bad = null } = isJsonObject(result) ? result : {};
  const failure = textOf(bad) ?? textOf(error) ?? (isJsonObject(error) ? textOf(error.message) : null);
  if (failure !== null) return { ...requested, output: outcome(failure, true, null) };
  const value: Json = isJsonObject(good) ? good : isJsonObject(result) ? result : {};
  const output = outcome(contentText(value.content), value.isError === true || value.is_error === true, null);
  return { ...requested, output };
}

function searchResult(): Read {
  return { tool: 'web_search', request: null, arguments: null, output: readToolOutput('', []) };
}

function outcome(text: string, isError: boolean, exitCode: number | null): ToolOutput {
  return { ...readToolOutput(null, []), text, isError, exitCode };
}
