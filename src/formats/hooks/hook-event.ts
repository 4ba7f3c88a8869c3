import { writtenError } from '../../core/decoder-error.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { parseLooseTime } from '../../core/rfc3339.ts';
import { isUnnamedHook, toCommonRecord } from './agents/hook-dialects.ts';
import type { HookFramework } from './hook-framework.ts';

/** Kind of event, independent of the sender's name for it. */
export type HookKind =
  | 'session_start'
  | 'session_end'
  | 'prompt'
  | 'tool_start'
  | 'tool_end'
  | 'tool_failure'
  | 'answer'
  | 'model_failure'
  | 'model_start'
  | 'model_part'
  | 'model_call'
  | 'agent_start'
  | 'agent_end'
  | 'compaction'
  | 'interruption'
  | 'other';

/** One hook call of a coding agent, normalised. */
export interface HookEvent {
  framework: HookFramework;
  /** Whether the agent sends calls and prompts without ids. */
  hasNoIds: boolean;
  kind: HookKind;
  /** Whether the session becomes active or idle with the event. */
  turn: 'begins' | 'ends' | null;
  sessionId: string;
  /** Set only inside a subagent. */
  agentId: string | null;
  agentType: string | null;
  /** Unix milliseconds: the sender's own time, else the time of receipt. */
  atMs: number;
  durationMs: number | null;
  promptId: string | null;
  toolUseId: string | null;
  toolName: string | null;
  toolInput: Json;
  toolResult: Json;
  /** Exit code of the tool's command, if the agent reports it. */
  exitCode: number | null;
  /** The user's prompt, the agent's answer, or the instructions of a compaction. */
  text: string | null;
  error: { type: string; message: string } | null;
  workingDirectory: string | null;
  /** The agent's own name of the permission mode. */
  permissionMode: string | null;
  /** Trigger of a compaction. */
  trigger: string | null;
  model: string | null;
  tokensIn: number | null;
  tokensOut: number | null;
  /** Part of `tokensIn` that came from the prompt cache. */
  tokensCached: number | null;
  costUsd: number | null;
  /** The sender's name of the record. */
  traceType: string | null;
}

/** Event names with lower-case letters only, so that `PreToolUse`, `preToolUse` and `pre_tool_use` are equal. */
const KINDS: ReadonlyMap<string, HookKind> = new Map<string, HookKind>([
  ['sessionstart', 'session_start'],
  ['sessionend', 'session_end'],
  ['userpromptsubmit', 'prompt'],
  ['beforesubmitprompt', 'prompt'],
  ['beforeagent', 'prompt'],
  ['pretooluse', 'tool_start'],
  ['pre', 'tool_start'],
  ['beforetool', 'tool_start'],
  ['beforeshellexecution', 'tool_start'],
  ['beforemcpexecution', 'tool_start'],
  ['posttooluse', 'tool_end'],
  ['post', 'tool_end'],
  ['aftertool', 'tool_end'],
  ['aftershellexecution', 'tool_end'],
  ['aftermcpexecution', 'tool_end'],
  ['afterfileedit', 'tool_end'],
  ['posttoolusefailure', 'tool_failure'],
  ['permissiondenied', 'tool_failure'],
  ['stop', 'answer'],
  ['afteragent', 'answer'],
  ['afteragentresponse', 'answer'],
  ['stopfailure', 'model_failure'],
  ['beforemodel', 'model_start'],
  ['modelpart', 'model_part'],
  ['aftermodel', 'model_call'],
  ['subagentstart', 'agent_start'],
  ['subagentstop', 'agent_end'],
  ['precompact', 'compaction'],
  ['precompress', 'compaction'],
  ['interrupt', 'interruption'],
]);

/** Whether a value looks like a hook call; `readHookEvent` validates it. */
export function isHook(value: Json | undefined): value is JsonObject {
  if (!isJsonObject(value)) return false;
  const isNamed = typeof (value.hook_event_name ?? value.hook_type) === 'string' && sessionOf(value) !== null;
  return isNamed || isUnnamedHook(value);
}

/** The event, or the reason why there is none. Accepts the vendors' names, and `hook_type`, `tool_output`, `working_dir`. */
export function readHookEvent(
  sent: Json,
  receivedAtMs: number,
  agent: HookFramework | null = null,
): HookEvent | string {
  if (!isJsonObject(sent)) return 'expected an object';
  const { record: value, framework, hasNoIds } = toCommonRecord(sent, agent);
  const sessionId = sessionOf(value);
  if (sessionId === null) return 'session_id must be a text';
  const name = textOrNull(value.hook_event_name ?? value.hook_type);
  const kind = name === null ? kindWithoutName(value) : (KINDS.get(lettersOf(name)) ?? kindOfUnknown(value));
  if (kind === null) return 'the event is missing: give hook_event_name or hook_type';
  return {
    framework: framework ?? frameworkOf(value),
    hasNoIds,
    kind,
    turn: turnOf(value, kind, lettersOf(name ?? '')),
    sessionId,
    agentId: textOrNull(value.agent_id ?? value.subagent_id),
    agentType: textOrNull(value.agent_type ?? value.subagent_type),
    atMs: timeOf(value.timestamp) ?? receivedAtMs,
    durationMs: countOrNull(value.duration_ms ?? value.duration),
    promptId: textOrNull(value.prompt_id ?? value.turn_id ?? value.generation_id),
    ...toolOf(value, name ?? ''),
    text: firstText(
      value.prompt_response,
      value.last_assistant_message,
      value.prompt,
      value.text,
      value.custom_instructions,
    ),
    exitCode: Number.isInteger(value.exit_code) ? (value.exit_code as number) : null,
    error: errorOf(value, kind),
    workingDirectory: firstText(value.cwd, value.working_dir, firstOf(value.workspace_roots)),
    permissionMode: textOrNull(value.permission_mode),
    trigger: textOrNull(value.trigger),
    model: textOrNull(value.model),
    tokensIn: countOrNull(value.tokens_in),
    tokensOut: countOrNull(value.tokens_out),
    tokensCached: countOrNull(value.tokens_cached),
    costUsd: countOrNull(value.cost_usd),
    traceType: textOrNull(value.trace_type),
  };
}

function sessionOf(value: JsonObject): string | null {
  return firstText(value.session_id, value.conversation_id);
}

/** A bare record with a tool is a finished tool call; one with only a model is a model call. */
function kindWithoutName(value: JsonObject): HookKind | null {
  if (textOrNull(value.tool_name) !== null) return 'tool_end';
  return textOrNull(value.model) === null ? null : 'model_call';
}

/** Records in our own format may name unknown events; with a tool they are a finished call. */
function kindOfUnknown(value: JsonObject): HookKind {
  return textOrNull(value.hook_type) !== null && textOrNull(value.tool_name) !== null ? 'tool_end' : 'other';
}

const TURN_ENDS: ReadonlySet<string> = new Set(['stop', 'afteragent', 'stopfailure', 'interrupt', 'sessionend']);

/** Work in the background reactivates the agent, so its stop is not the end. */
function turnOf(value: JsonObject, kind: HookKind, event: string): HookEvent['turn'] {
  if (kind === 'session_start') return 'begins';
  if (kind === 'session_end') return 'ends';
  if (textOrNull(value.agent_id ?? value.subagent_id) !== null) return null;
  if (kind === 'prompt') return 'begins';
  const isWaiting = Array.isArray(value.background_tasks) && value.background_tasks.length > 0;
  return TURN_ENDS.has(event) && !isWaiting ? 'ends' : null;
}

function lettersOf(name: string): string {
  return name.replace(/[^a-zA-Z]/g, '').toLowerCase();
}

function frameworkOf(value: JsonObject): HookFramework {
  const transcript = textOrNull(value.transcript_path) ?? '';
  if (typeof value.conversation_id === 'string' || Array.isArray(value.workspace_roots)) return 'cursor';
  if (typeof value.turn_id === 'string' || transcript.includes('.codex')) return 'codex';
  return 'claude-code';
}

function toolOf(
  value: JsonObject,
  name: string,
): Pick<HookEvent, 'toolUseId' | 'toolName' | 'toolInput' | 'toolResult'> {
  const event = lettersOf(name);
  const isShell = event.endsWith('shellexecution');
  const isFileEdit = event === 'afterfileedit';
  return {
    // If an agent sends both, its log events and spans use the second.
    toolUseId: textOrNull(value.tool_call_id ?? value.tool_use_id),
    toolName: textOrNull(value.tool_name) ?? (isShell ? 'Shell' : isFileEdit ? 'Edit' : null),
    toolInput: toolInputOf(value, isShell, isFileEdit),
    toolResult:
      value.tool_response ?? value.tool_output ?? value.result_json ?? (isShell ? (value.output ?? null) : null),
  };
}

function toolInputOf(value: JsonObject, isShell: boolean, isFileEdit: boolean): Json {
  if (value.tool_input !== undefined) return value.tool_input;
  if (isShell) return { command: value.command ?? null };
  return isFileEdit ? { file_path: value.file_path ?? null, edits: value.edits ?? null } : null;
}

function errorOf(value: JsonObject, kind: HookKind): HookEvent['error'] {
  if (kind === 'tool_failure') return toolFailure(value);
  if (kind === 'model_failure') {
    const type = textOrNull(value.error) ?? 'model_error';
    return { type, message: textOrNull(value.error_details) ?? type };
  }
  if (kind === 'interruption') return { type: 'interrupted', message: writtenError('interruptedBy', 'the user') };
  if (kind === 'answer' && value.status === 'error')
    return { type: 'error', message: firstText(value.error_message) ?? '' };
  if (kind !== 'tool_end') return null;
  return errorInResult(value.tool_response ?? value.tool_output ?? null) ?? errorOfExit(value);
}

/** The error of a command that ended with an exit code other than 0. The name of the event is not considered. */
function errorOfExit({ exit_code: code }: JsonObject): HookEvent['error'] {
  if (typeof code !== 'number' || code === 0) return null;
  return { type: 'tool_error', message: writtenError('exitCode', code) };
}

/** A refused tool has a reason and no error. */
function toolFailure(value: JsonObject): HookEvent['error'] {
  const message = firstText(value.error, value.error_message);
  if (message === null && typeof value.reason === 'string') return { type: 'permission_denied', message: value.reason };
  const type = value.is_interrupt === true ? 'interrupted' : (firstText(value.failure_type) ?? 'tool_error');
  return { type, message: message ?? '' };
}

/** Some agents report a failed tool as finished; only the result contains the error. */
function errorInResult(result: Json): HookEvent['error'] {
  if (!isJsonObject(result)) return null;
  const sent = result.error;
  if (sent != null && sent !== false && sent !== '') return { type: 'tool_error', message: messageIn(sent) };
  if (result.interrupted === true) return { type: 'interrupted', message: firstText(result.stderr) ?? '' };
  const hasFailed = result.is_error === true || result.isError === true;
  return hasFailed ? { type: 'tool_error', message: messageIn(result.content ?? '') } : null;
}

function messageIn(value: Json): string {
  if (typeof value === 'string') return value;
  return isJsonObject(value) && typeof value.message === 'string' ? value.message : JSON.stringify(value);
}

/** RFC 3339 text, Unix seconds or Unix milliseconds. */
export function timeOf(value: Json | undefined): number | null {
  if (typeof value === 'string') {
    const ms = parseLooseTime(value);
    return ms !== null && ms >= 0 ? ms : null;
  }
  if (typeof value !== 'number' || !(value > 0) || value > 1e14) return null;
  return value < 1e11 ? value * 1000 : value;
}

function firstOf(value: Json | undefined): Json | undefined {
  return Array.isArray(value) ? value[0] : undefined;
}

function firstText(...values: (Json | undefined)[]): string | null {
  for (const value of values) if (typeof value === 'string' && value !== '') return value;
  return null;
}

function textOrNull(value: Json | undefined): string | null {
  return firstText(value);
}

function countOrNull(value: Json | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}
