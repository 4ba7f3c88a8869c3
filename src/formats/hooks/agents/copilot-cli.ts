import { isJsonObject, type Json, type JsonObject, parseJson } from '../../../core/json.ts';
import { exitCodeIn } from '../../coding-session/exit-code.ts';
import { objectOf, textOf } from '../../coding-session/fields.ts';
import type { HookDialect } from './hook-dialect.ts';

/**
 * Copilot CLI uses the spelling in which its settings name the event: `PreToolUse` sends `hook_event_name` and
 * `session_id`; `preToolUse` sends `sessionId` and no name, so that its members identify the event.
 */
export const COPILOT_CLI: HookDialect = {
  framework: 'copilot-cli',
  hasNoIds: true,
  isOf: (record) => isCamelCase(record) || isSnakeCase(record),
  toCommon: (record) => withOutcome(isCamelCase(record) ? toSnakeCase(record) : withOwnNames(record)),
};

/** Records with an event name use Claude Code's names for these tools; Copilot's files and spans use its own. */
const OWN_NAMES: ReadonlyMap<Json | undefined, string> = new Map([
  ['Read', 'view'],
  ['Edit', 'edit'],
  ['Bash', 'bash'],
]);

function withOwnNames(record: JsonObject): JsonObject {
  const name = OWN_NAMES.get(record.tool_name);
  return name === undefined ? record : { ...record, tool_name: name };
}

function isCamelCase(record: JsonObject): boolean {
  const isNamed = 'hook_event_name' in record || 'hook_type' in record || 'session_id' in record;
  return !isNamed && textOf(record.sessionId) !== null && 'timestamp' in record && eventOf(record) !== null;
}

function isSnakeCase(record: JsonObject): boolean {
  if (typeof record.hook_event_name !== 'string') return false;
  const transcript = textOf(record.transcript_path) ?? '';
  return (
    'traceparent' in record ||
    'initial_prompt' in record ||
    /[\\/]\.copilot[\\/]/.test(transcript) ||
    isToolResult(record.tool_result)
  );
}

function isToolResult(value: Json | undefined): boolean {
  return isJsonObject(value) && ('result_type' in value || 'text_result_for_llm' in value);
}

function eventOf(record: JsonObject): string | null {
  if ('toolName' in record) {
    if ('toolResult' in record) return 'PostToolUse';
    return 'error' in record ? 'PostToolUseFailure' : 'PreToolUse';
  }
  if ('agentName' in record) return 'stopReason' in record ? 'SubagentStop' : 'SubagentStart';
  if (typeof record.prompt === 'string') return 'UserPromptSubmit';
  if ('initialPrompt' in record || 'source' in record) return 'SessionStart';
  if ('stopReason' in record) return 'Stop';
  if ('error' in record) return 'ErrorOccurred';
  if ('trigger' in record) return 'PreCompact';
  return 'reason' in record ? 'SessionEnd' : null;
}

function toSnakeCase(record: JsonObject): JsonObject {
  const { toolResult, toolArgs } = record;
  const event = eventOf(record) as string;
  const failure = isJsonObject(record.error) ? textOf(record.error.message) : textOf(record.error);
  return {
    hook_event_name: event === 'ErrorOccurred' && record.recoverable === true ? 'ErrorRecovered' : event,
    session_id: record.sessionId as Json,
    timestamp: record.timestamp as Json,
    cwd: record.cwd ?? null,
    prompt: record.prompt ?? null,
    tool_name: record.toolName ?? null,
    // Older versions send the arguments as JSON text.
    ...(toolArgs === undefined
      ? {}
      : { tool_input: typeof toolArgs === 'string' ? (parseJson(toolArgs) ?? toolArgs) : toolArgs }),
    ...(isJsonObject(toolResult)
      ? {
          tool_result: {
            result_type: toolResult.resultType ?? null,
            text_result_for_llm: toolResult.textResultForLlm ?? null,
          },
        }
      : {}),
    ...(failure === null ? {} : { error: failure }),
    agent_id: record.agentId ?? null,
    agent_type: record.agentName ?? null,
    transcript_path: record.transcriptPath ?? null,
    reason: record.reason ?? null,
    trigger: record.trigger ?? null,
  };
}

const SHELL = /^(?:(?:read|write)_)?(?:bash|powershell|shell)$/i;

/** The result type says whether the tool failed, and its last line contains the exit code. */
function withOutcome(record: JsonObject): JsonObject {
  const { tool_result: result, ...rest } = record;
  if (rest.hook_event_name === 'ErrorOccurred')
    return { ...rest, hook_event_name: 'StopFailure', error: 'model_error', error_details: errorText(rest.error) };
  if (!isJsonObject(result)) return record;
  const text = textOf(result.text_result_for_llm) ?? '';
  const type = textOf(result.result_type) ?? 'success';
  if (type === 'denied' || type === 'rejected')
    return { ...rest, hook_event_name: 'PermissionDenied', reason: text, tool_response: text };
  const code = SHELL.test(textOf(rest.tool_name) ?? '') ? exitCodeIn(text) : null;
  return {
    ...rest,
    tool_response: text,
    ...(type === 'success' ? {} : { hook_event_name: 'PostToolUseFailure', error: text }),
    ...(code === null ? {} : { exit_code: code }),
  };
}

function errorText(error: Json | undefined): string | null {
  return textOf(error) ?? textOf(objectOf(error).message);
}
